/** Looking back: an earlier position is asked of the room, one at a time. */

import { isOver } from "./model.js";

/**
 * @typedef {import("./frames.js").Past} Past
 * @typedef {import("./frames.js").Refused} Refused
 * @typedef {import("./frames.js").Scene} Scene
 */

export class Looking {
  /** @param {import("./room.js").page} page */
  constructor(page) {
    this.page = page;
    /** @type {Scene | null} the last position that came */
    this.scene = null;
    /** The position that is to be asked for next. @type {import("./frames.js").Look | null} */
    this.wanted = null;
    /** True while one is asked for. */
    this.asking = false;
  }

  /** @param {number} ply -1 for now @param {number} player */
  go(ply, player) {
    const { page } = this;
    const { room, replay } = page;
    if (!room) return;
    page.log.mark(replay.shown());
    page.log.announceHere();
    page.ending.point(replay.shown());
    if (page.isLive()) return page.showPosition(true);
    const seat = isOver(room) && player !== room.you ? { player } : {};
    this.wanted = { t: "look", ply: ply < 0 ? room.ply : ply, ...seat };
    if (!this.asking) this.ask();
  }

  /** Ask for the position that is wanted, and then for the one that is wanted by then, however fast the player goes. */
  ask() {
    const { page, wanted } = this;
    this.wanted = null;
    this.asking = wanted !== null;
    if (!wanted) return;
    const answered = (/** @type {Past} */ past) => {
      if (past.ply === page.replay.shown()) {
        this.scene = past.scene;
        page.showPosition(true);
      }
      this.ask();
    };
    const refused = (/** @type {Refused} */ answer) => {
      page.refuse(answer);
      this.ask();
    };
    page.talk.ask(wanted, { answered, refused });
  }
}
