/** The marks of the played move and of a better one on the board: a cross on a dashed frame, a check mark on a whole frame. */

import { svgElement } from "./dom.js";

/** @typedef {import("./painter.js").Painter} Painter */

/** The signs, in a circle with a radius of 10. */
const SIGNS = { played: "M-4 -4L4 4M4 -4L-4 4", better: "M-5 0L-1.5 3.5L5 -4" };
/** The radius of a sign's circle, in parts of the shorter side of the board. */
const RADIUS = 0.022;

export class Comparison {
  /** @param {Painter} painter */
  constructor(painter) {
    this.painter = painter;
    this.signs = svgElement("g", { class: "signs", "aria-hidden": "true" });
  }

  /** Mark the items that only one of two moves touches. @param {readonly string[]} played @param {readonly string[]} better */
  show(played, better) {
    const only = { played: played.filter((id) => !better.includes(id)), better: better.filter((id) => !played.includes(id)) };
    const marks = [.../** @type {["played", "better"]} */ (["played", "better"])];
    for (const [id, node] of this.painter.nodes)
      for (const mark of marks) node.classList.toggle(mark, only[mark].includes(id));
    this.signs.replaceChildren(...marks.flatMap((mark) => only[mark].map((id) => this.sign(id, mark)).filter((sign) => sign !== null)));
    this.painter.air.append(this.signs);
  }

  /** Return the sign for an item's upper right corner. @param {string} id @param {"played" | "better"} mark */
  sign(id, mark) {
    const found = this.painter.items.get(id);
    if (!found) return null;
    const item = this.painter.field.outside(found);
    const { width, height } = /** @type {SVGSVGElement} */ (this.painter.svg).viewBox.baseVal;
    const scale = (RADIUS * Math.min(width, height)) / 10;
    const place = `translate(${item.x + item.w / 2} ${item.y - item.h / 2}) scale(${scale})`;
    const sign = svgElement("g", { class: `sign ${mark}`, transform: place });
    sign.append(svgElement("circle", { r: 10 }), svgElement("path", { d: SIGNS[mark] }));
    return sign;
  }
}
