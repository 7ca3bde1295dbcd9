/**
 * Requests to a room and their answers. If the connection breaks, a move without an answer is sent again, unless the position
 * has changed. The room plays it once at most. Requests for a hint and for a plan are also sent again.
 *
 * A request may be late: it is refused because of an event that the page shows, such as the end of the game. That is no fault
 * of the player, who is told nothing.
 */

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Refused} Refused
 * @typedef {import("./frames.js").Request} Request
 * @typedef {{answered?: (frame: any) => void, refused?: (refused: Refused) => void, late?: () => void}} Hopes
 * @typedef {{frame: Request & {id: number}, hopes: Hopes}} Asked
 */

const MOVES = ["play", "write", "resign"];
/** The codes of refusals of late requests: those of all kinds, and those of one kind. */
const LATE = ["duplicate", "over", "declined", "nobody"];
/** @type {Record<string, string[]>} */
const LATE_OF = { replace: ["away", "present", "replace"], hint: ["stale", "turn"], why: ["stale", "turn"], look: ["ply"] };

export class Talk {
  /** @param {(frame: object) => boolean} send */
  constructor(send) {
    this.send = send;
    this.next = 1;
    /** @type {Map<number, Asked>} */
    this.open = new Map();
    /** True if the connection broke after the open requests. */
    this.broken = false;
  }

  /** True while a move is under way. */
  isMoving() {
    return [...this.open.values()].some(({ frame }) => MOVES.includes(frame.t));
  }

  /**
   * @param {Request} frame
   * @param {Hopes} [hopes]
   */
  ask(frame, hopes = {}) {
    const id = this.next++;
    const request = { frame: { ...frame, id }, hopes };
    this.open.set(id, request);
    this.send(request.frame);
  }

  /** @param {any} frame `done`, `hinted`, `past` or `error` */
  answer(frame) {
    const request = this.open.get(frame.id);
    this.open.delete(frame.id);
    if (!request) return false;
    const { hopes } = request;
    if (frame.t !== "error") hopes.answered?.(frame);
    else if (LATE.includes(frame.code) || LATE_OF[request.frame.t]?.includes(frame.code)) hopes.late?.();
    else hopes.refused?.(frame);
    return true;
  }

  /**
   * Repeat the requests without answers that are still of use, after a lost connection and a frame with the whole room.
   *
   * @param {Whole} room
   */
  resume(room) {
    if (!this.broken) return;
    this.broken = false;
    const before = [...this.open.values()];
    this.open.clear();
    for (const { frame, hopes } of before) if (isStillMeant(frame, room)) this.ask(frame, hopes);
  }
}

/** @param {Request} frame @param {Whole} room */
function isStillMeant(frame, room) {
  if (frame.t === "look") return true;
  if (frame.t === "hint" || frame.t === "plan") return frame.n === room.position_n;
  if (frame.t !== "play" && frame.t !== "write" && frame.t !== "resign") return false;
  return frame.n === room.position_n && (frame.t === "resign" || room.mover === room.you);
}
