/** The effects of a choice, on the board and in words, before it is played. The page asks the room for one choice at a time. */

import { svgElement } from "./dom.js";
import { drawn } from "./painter.js";

/**
 * @typedef {import("./frames.js").Choice} Choice
 * @typedef {import("./frames.js").Previewed} Previewed
 * @typedef {import("./touch.js").Touching} Touching
 */

/** Milliseconds for which the pointer stays on an item before the room is asked. */
const PAUSE = 70;
/** The class of items that say how a thing is turned. */
const TURN = "turn";

export class Preview {
  /**
   * @param {import("./board.js").Board} board
   * @param {(choice: Choice, answered: (shown: Previewed) => void) => void} ask
   * @param {(shown: Previewed | null) => void} tell  puts the effects into words, or removes these words
   */
  constructor(board, ask, tell) {
    this.board = board;
    this.ask = ask;
    this.tell = tell;
    this.ghosts = svgElement("g", { class: "ghosts", "aria-hidden": "true" });
    board.painter.air.before(this.ghosts);
    /** The item that the pointer or the focus is on. */
    this.over = "";
    /** The item that shows the last turn of a thing. */
    this.turned = "";
    /** @type {Choice | undefined} the shown choice */
    this.choice = undefined;
    /** @type {Map<string, Previewed>} the known effects in this position, by action */
    this.known = new Map();
    this.timer = 0;
    this.listen(board.svg);
  }

  /** @param {SVGElement} svg */
  listen(svg) {
    const over = (/** @type {PointerEvent} */ event) => {
      if (!this.board.dragging.isOn()) this.point(this.board.at(event.clientX, event.clientY)); // dragging calls `point`
    };
    for (const name of /** @type {const} */ (["pointerover", "pointerdown"])) svg.addEventListener(name, over);
    for (const left of ["pointerleave", "pointercancel"]) svg.addEventListener(left, () => this.point(""));
    svg.addEventListener("focusin", () => this.point(this.board.painter.focusedId()));
    svg.addEventListener("focusout", () => this.point(""));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() === "r" && !event.ctrlKey && !event.altKey && !event.metaKey) this.turn(event.shiftKey ? -1 : 1);
    });
  }

  /** @param {string | undefined} id of the item that the pointer or the focus is on */
  point(id = "") {
    this.over = id;
    this.update();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && event.deltaY && this.turn(Math.sign(event.deltaY))) event.preventDefault();
  }

  /**
   * Turn the shown thing to its next position.
   *
   * @param {number} steps
   * @returns {boolean} true if it has several positions
   */
  turn(steps) {
    const meant = this.meant();
    if (meant.length < 2) return false;
    const at = meant.findIndex((choice) => choice.action === this.choice?.action);
    const next = meant[(at + steps + meant.length) % meant.length];
    this.turned = next?.touches.find((id) => this.saysHow(id)) ?? "";
    this.update();
    return true;
  }

  /** Return the shown choice, if only the turn of a thing is not touched yet. @returns {Choice | undefined} */
  pinned() {
    const { touched } = this.board.touching;
    return touched.size ? this.asTurned(this.meant("")) : undefined;
  }

  /** Forget the effects of choices, after a change of the position or of the choices. */
  forget() {
    this.known.clear();
    this.update();
  }

  /** Show the effects of the choice that the pointer, the focus or the touched items select. */
  update() {
    const choice = this.asTurned(this.meant()) ?? this.board.touching.picked;
    if (choice?.action === this.choice?.action && (!choice || this.known.has(choice.action))) return;
    this.choice = choice;
    clearTimeout(this.timer);
    const known = choice && this.known.get(choice.action);
    this.draw(known ?? null);
    if (!choice || known) return;
    const answered = (/** @type {Previewed} */ shown) => {
      this.known.set(shown.action, shown);
      if (this.choice?.action === shown.action) this.draw(shown);
    };
    this.timer = setTimeout(() => this.ask(choice, answered), PAUSE);
  }

  /**
   * Return the choices that a touch of an item would complete, or the choices that would still need only the turn of a thing.
   *
   * @param {string} [over]
   */
  meant(over = this.over) {
    const { touching } = this.board;
    const tried = [...touching.touched, ...(over && touching.lit().has(over) ? [over] : [])];
    if (!tried.length) return [];
    const open = touching.open().filter(({ touches }) => tried.every((id) => touches.includes(id)));
    const whole = open.filter(({ touches }) => touches.length === tried.length);
    if (whole.length) return whole;
    return open.filter(({ touches }) => touches.filter((id) => !tried.includes(id)).every((id, at) => at === 0 && this.saysHow(id)));
  }

  /** @param {Choice[]} choices that differ in how a thing is turned */
  asTurned(choices) {
    return choices.find(({ touches }) => touches.includes(this.turned)) ?? choices[0];
  }

  /** @param {string} id */
  saysHow(id) {
    return this.board.item(id)?.classes.split(" ").includes(TURN) ?? false;
  }

  /** @param {Previewed | null} shown */
  draw(shown) {
    const { painter } = this.board;
    this.ghosts.replaceChildren(...(shown?.items ?? []).map((item) => drawn(painter.field.outside(item), painter.game)));
    for (const [id, node] of painter.nodes) node.classList.toggle("marked", shown?.marked.includes(id) ?? false);
    this.tell(shown);
  }
}
