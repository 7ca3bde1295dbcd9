/** Requests for earlier positions, one at a time. */

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
    /** @type {Scene | null} the position of the last answer */
    this.scene = null;
    /** The position for the next request. @type {import("./frames.js").Look | null} */
    this.wanted = null;
    /** True during a request. */
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

  /** Ask for the position that the player wants. If the player has gone further when the answer comes, ask for that position. */
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
    page.talk.ask(wanted, { answered, refused, late: () => this.ask() });
  }
}
