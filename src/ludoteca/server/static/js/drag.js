/**
 * Dragging: the mouse or a finger takes an item and drops it on an item that may be touched next. The result is the same as
 * touching both. A scene marks the items that can be taken with the class `grip`, or `turn` if they also say how a thing is
 * turned. On items with the class `drop`, the player drops all chosen items.
 */

import { placed } from "./flights.js";

/**
 * @typedef {import("./frames.js").Item} Item
 *
 * @typedef {object} Held
 * @property {string} id
 * @property {number} pointer
 * @property {{x: number, y: number}} from  the place on the screen at which the pointer went down
 * @property {number} far  the pixels after which a touch becomes dragging
 *
 * @typedef {object} Carried
 * @property {Item} item
 * @property {SVGElement} copy
 * @property {{x: number, y: number}} at
 */

/** The most pixels that the mouse and a finger move in a touch. */
export const FAR = { mouse: 5, touch: 10 };
const [GRIP, TURN, DROP] = ["grip", "turn", "drop"];

export class Dragging {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Held | null} the item on which the pointer went down */
    this.held = null;
    /** @type {Carried[]} the items that follow the pointer */
    this.carried = [];
    /** The items that were touched before. They are touched again if nothing is dropped. @type {string[]} */
    this.before = [];
    /** The item under the pointer on which the dragged item would be dropped. */
    this.target = "";
    /** The items on which it may be dropped. @type {Set<string>} */
    this.places = new Set();
    /** The turn of the thing for which `places` holds. */
    this.turned = "";
    /** True until the pointer goes down again. The click after dragging is no touch. */
    this.ended = false;
    this.listen(board.svg);
  }

  /** @param {SVGElement} svg */
  listen(svg) {
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    // the page does not scroll under a finger that has taken something
    svg.addEventListener("touchmove", (event) => this.held && event.cancelable && event.preventDefault(), { passive: false });
    document.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** True while an item follows the pointer. */
  isOn() {
    return this.carried.length > 0;
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.ended = false;
    if (!event.isPrimary || event.button !== 0) return this.cancel();
    const id = this.board.at(event.clientX, event.clientY) ?? "";
    const from = { x: event.clientX, y: event.clientY };
    const far = event.pointerType === "mouse" ? FAR.mouse : FAR.touch;
    this.held = this.canTake(id) ? { id, pointer: event.pointerId, from, far } : null;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { held } = this;
    if (!held || held.pointer !== event.pointerId) return;
    const [x, y] = [event.clientX - held.from.x, event.clientY - held.from.y];
    if (!this.isOn() && Math.hypot(x, y) >= held.far) this.take(held);
    if (this.isOn()) this.follow(event);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (this.isOn() && event.pointerId === this.held?.pointer) this.drop();
    this.held = null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape" || !this.isOn()) return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  }

  /** @param {string} id @param {string} name of a class */
  has(id, name) {
    return this.board.item(id)?.classes.split(" ").includes(name) ?? false;
  }

  /** @param {string} id */
  canTake(id) {
    const { sets } = this.board.touching;
    if (this.has(id, TURN)) return sets.length > 0;
    return this.has(id, GRIP) && sets.some(({ touches }) => touches.includes(id));
  }

  /** Begin to drag an item. @param {Held} held */
  take({ id, pointer }) {
    const { board } = this;
    const { touching } = board;
    this.before = [...touching.touched];
    if (this.has(id, TURN)) {
      touching.clear();
      board.preview.turned = id;
    } else if (!touching.touched.has(id)) {
      if (!touching.lit().has(id)) touching.clear();
      touching.toggle(id);
    }
    board.svg.setPointerCapture(pointer);
    board.svg.classList.add("dragging");
    const ids = new Set([id, ...[...touching.touched].filter((one) => this.has(one, GRIP))]);
    this.carried = [...ids].flatMap((one) => this.carry(one));
    board.preview.point("");
    board.mark();
    this.light();
    board.handlers.changed();
  }

  /** @param {string} id @returns {Carried[]} */
  carry(id) {
    const { painter } = this.board;
    const [item, node] = [painter.items.get(id), painter.nodes.get(id)];
    if (!item || !node) return [];
    const copy = painter.flights.copyOf(node);
    copy.classList.add("carried");
    node.classList.add("dragged");
    return [{ item, copy, at: { x: item.x, y: item.y } }];
  }

  /** Light the items on which the dragged item may be dropped, as it is turned now. */
  light() {
    const { board } = this;
    const [{ touching, painter }, { turned }] = [board, board.preview];
    const goes = this.has(this.held?.id ?? "", TURN) ? touching.sets.filter(({ touches }) => touches.includes(turned)) : [];
    const lit = goes.length ? new Set(goes.flatMap(({ touches }) => touches)) : touching.lit();
    const isPlace = (/** @type {string} */ id) => {
      if (lit.has(id)) return !this.has(id, GRIP) && !this.has(id, TURN);
      return touching.touched.size > 0 && this.has(id, DROP);
    };
    this.turned = turned;
    this.places = new Set([...painter.items.keys()].filter(isPlace));
    for (const [id, node] of painter.nodes) node.classList.toggle("goal", this.places.has(id));
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const { board, held } = this;
    if (this.turned !== board.preview.turned) this.light();
    const scale = /** @type {SVGSVGElement} */ (board.svg).getScreenCTM()?.a || 1;
    const [x, y] = [(event.clientX - (held?.from.x ?? 0)) / scale, (event.clientY - (held?.from.y ?? 0)) / scale];
    for (const { item, copy, at } of this.carried) {
      [at.x, at.y] = [item.x + x, item.y + y];
      copy.setAttribute("transform", placed({ ...item, ...at }));
    }
    const target = board.among(event.clientX, event.clientY, this.places);
    if (target === this.target) return;
    for (const id of [this.target, target]) board.painter.nodes.get(id)?.classList.toggle("target", id === target);
    this.target = target;
    board.preview.point(target);
  }

  /** Drop the item. A place under it is touched. Elsewhere, the item goes back. */
  drop() {
    const { board, target, held } = this;
    if (!target) return this.cancel();
    const all = this.before.includes(held?.id ?? ""); // the choice was ready before, and is sent as it is
    this.end();
    const sent = this.has(target, DROP) ? board.sendChosen(all) : board.press(target, true);
    if (!sent) board.painter.settle();
  }

  /** Bring the dragged items back. */
  cancel() {
    this.held = null;
    if (!this.isOn()) return;
    const { board } = this;
    this.end();
    board.painter.settle();
    board.touching.clear();
    for (const id of this.before) board.touching.toggle(id);
    board.mark();
    board.handlers.changed();
  }

  /** Stop dragging. The items stay at their last place. */
  end() {
    const { painter, svg, preview } = this.board;
    for (const { item, copy, at } of this.carried) {
      copy.remove();
      painter.nodes.get(item.id)?.classList.remove("dragged");
      painter.lay(item.id, at.x, at.y);
    }
    for (const node of painter.nodes.values()) node.classList.remove("goal", "target");
    [this.carried, this.target, this.ended] = [[], "", true];
    svg.classList.remove("dragging");
    preview.point("");
  }
}
