/** The notice above the controls: the reason of a refusal, until it holds no longer. */

import { button, byId } from "./dom.js";
import { tell } from "./log.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Message} Message
 */

/**
 * Return true if the reason holds no longer, after a change of the room. The log of a frame with the whole room is a new one.
 *
 * @type {Record<"position" | "players" | "event", (before: Whole, now: Whole) => boolean>}
 */
const ENDS = {
  position: (before, now) => now.position_n !== before.position_n,
  players: (before, now) => now.n !== before.n || now.seats !== before.seats,
  event: (before, now) => now.n !== before.n || now.log !== before.log,
};

/** The reason of a refusal because the page is from before an update: in the language of the page. @type {Message} */
export const OUTDATED = ["reload"];

export class Notice {
  /** @param {import("./room.js").page} page */
  constructor(page) {
    this.page = page;
    this.place = byId("notice");
    /** @type {Whole | null} the room when the notice was shown */
    this.before = null;
    /** @type {keyof ENDS} */
    this.until = "position";
  }

  /** Show a reason. @param {Message} message @param {keyof ENDS} [until] what has to change until it is hidden */
  tell(message, until = "position") {
    [this.before, this.until] = [this.page.room, until];
    tell(this.place, message, this.page.room?.game);
    if (message === OUTDATED) this.place.append(" ", button({ say: ["reload.now"], press: () => location.reload() }));
  }

  /** Hide the notice if its reason holds no longer. @param {Whole} room */
  update(room) {
    if (this.before && ENDS[this.until](this.before, room)) this.hide();
  }

  hide() {
    this.place.hidden = true;
  }
}
