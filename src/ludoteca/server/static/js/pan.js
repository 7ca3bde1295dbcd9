/** The mouse or a finger slides the field of a scene under its window, and a double click brings it back. */

import { FAR } from "./drag.js";

export class Panning {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {PointerEvent | null} the last place of the pointer that slides the field, or may do so */
    this.last = null;
    board.svg.addEventListener("pointerdown", (event) => this.down(event));
    board.svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) board.svg.addEventListener(name, () => (this.last = null));
    board.svg.addEventListener("dblclick", (event) => {
      if (inWide(event) && !board.touching.lit().has(board.at(event.clientX, event.clientY) ?? "")) board.painter.field.centre();
    });
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.last = event.isPrimary && event.button === 0 && !this.board.dragging.held && inWide(event) ? event : null;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { last, board } = this;
    if (!last || last.pointerId !== event.pointerId) return;
    const [x, y] = [event.clientX - last.clientX, event.clientY - last.clientY];
    const far = event.pointerType === "mouse" ? FAR.mouse : FAR.touch;
    if (!board.dragging.ended && Math.hypot(x, y) < far) return;
    board.dragging.ended = true; // the click after it is no touch
    board.preview.point("");
    board.svg.setPointerCapture(event.pointerId);
    board.painter.field.drag(x, y);
    this.last = event;
  }
}

/** True in a field that is larger than its window. @param {MouseEvent} event */
function inWide({ target }) {
  return target instanceof Element && target.closest(".field.wide") !== null;
}
