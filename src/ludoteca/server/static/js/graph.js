/** The graph of each player's expectation after every move, with marks at the costly moves. */

import { h, svgElement } from "./dom.js";
import { sureness, worthOf } from "./mistakes.js";
import { say } from "./words.js";

/**
 * @typedef {{told: import("./frames.js").Message, touches: string[]}} Pointed  a move, as its player saw it
 *
 * @typedef {object} MoveValue
 * @property {number} number from 1
 * @property {number} player
 * @property {string} action
 * @property {number[]} values
 * @property {number} cost
 * @property {number[]} interval has the cost in 95 of 100 cases
 * @property {boolean} certain
 * @property {string[]} better
 * @property {Pointed} played
 * @property {Pointed | null} best
 */

const WIDTH = 380;
const HEIGHT = 190;
const LEFT = 46;
const RIGHT = WIDTH - 12;
const TOP = 14;
const BOTTOM = HEIGHT - 22;
/** A pattern for each player, so that lines differ by more than colour. */
const DASHES = ["", "8 4", "2 4", "12 4 2 4", "16 6", "6 2 2 2 2 2", "1 3", "20 4 4 4", "4 8", "10 2"];

export class Graph {
  /**
   * @param {MoveValue[]} moves
   * @param {number[]} marked numbers of the costly moves
   * @param {number} stake the range of the values: from the lowest one, or 0, to the highest; 1 if values are shares of a win
   * @param {(ply: number) => void} look
   */
  constructor(moves, marked, stake, look) {
    this.moves = moves;
    this.marked = marked;
    this.bottom = Math.min(0, ...moves.flatMap((move) => move.values));
    this.top = this.bottom + (stake || 1);
    this.look = look;
    this.cursor = svgElement("line", { class: "cursor", y1: TOP, y2: BOTTOM });
    this.svg = this.draw();
  }

  /** @param {number} number of a move */
  x(number) {
    return LEFT + ((RIGHT - LEFT) * number) / Math.max(1, this.moves.length);
  }

  /** @param {number} value */
  y(value) {
    return BOTTOM - ((BOTTOM - TOP) * (value - this.bottom)) / (this.top - this.bottom);
  }

  draw() {
    const svg = svgElement("svg", { class: "panel graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    say(svg, ["graph.label"], "", "aria-label");
    const players = this.moves[0]?.values.length ?? 0;
    svg.append(...this.axes(), ...Array.from({ length: players }, (_, player) => this.line(player)), this.cursor, ...this.rings());
    svg.addEventListener("click", (event) => this.click(/** @type {MouseEvent} */ (event)));
    this.point(this.moves.length);
    return svg;
  }

  *axes() {
    for (let quarter = 0; quarter <= 4; quarter++) {
      const value = this.bottom + ((this.top - this.bottom) * quarter) / 4;
      const y = this.y(value);
      yield svgElement("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: y, y2: y });
      yield lettering(LEFT - 6, y + 4, this.top === 1 ? `${100 * value} %` : value.toFixed(value < 10 ? 1 : 0), "end");
    }
    const step = Math.max(1, Math.round(this.moves.length / 6));
    for (let number = step; number <= this.moves.length; number += step)
      yield lettering(this.x(number), BOTTOM + 15, String(number), "middle");
  }

  /** @param {number} player */
  line(player) {
    const points = this.moves.map((move) => `${this.x(move.number)},${this.y(move.values[player] ?? 0)}`).join(" ");
    return svgElement("polyline", { class: `value player-${player}`, points, "stroke-dasharray": DASHES[player % 10] ?? "" });
  }

  rings() {
    return this.moves.filter((move) => this.marked.includes(move.number)).map((move) => this.ring(move));
  }

  /** @param {MoveValue} move */
  ring(move) {
    const place = { cx: this.x(move.number), cy: this.y(move.values[move.player] ?? 0), r: 5 };
    return svgElement("circle", { class: `ring player-${move.player}`, ...place });
  }

  /** @param {MouseEvent} event */
  click(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) * WIDTH) / box.width;
    this.look(Math.round(((x - LEFT) * this.moves.length) / (RIGHT - LEFT)));
  }

  /** Mark the position that is on the board. @param {number} ply */
  point(ply) {
    this.cursor.setAttribute("x1", String(this.x(ply)));
    this.cursor.setAttribute("x2", String(this.x(ply)));
  }
}

/** @param {number} x @param {number} y @param {string} text @param {string} anchor */
function lettering(x, y, text, anchor) {
  const element = svgElement("text", { x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

/**
 * Return the list of the costly moves. Each is a button that shows its position.
 *
 * @param {MoveValue[]} moves
 * @param {boolean} isShare
 * @param {string} game
 * @param {(move: MoveValue) => void} look
 */
export function costList(moves, isShare, game, look) {
  return h("ol", { class: "costs" }, ...moves.map((move) => h("li", {}, costLine(move, isShare, game, () => look(move)))));
}

/** @param {MoveValue} move @param {boolean} isShare @param {string} game @param {() => void} look */
function costLine(move, isShare, game, look) {
  const [worth, sure] = [worthOf(move.cost, isShare), sureness(move, isShare)];
  const text = h("span", { class: "told" }, h("b", { say: ["@seat", move.player] }), " ", h("span", { say: move.played.told, scope: game }));
  const number = h("span", { class: "number" }, String(move.number));
  const line = h("button", { class: `bare line player-${move.player}`, set: { type: "button" }, on: { click: look } }, number, text);
  line.append(h("span", { class: "cost", set: { "aria-hidden": "true" } }, `−${worth}`), h("span", { class: "unseen", say: ["graph.cost", worth] }));
  if (move.best) line.append(h("span", { class: "better" }, h("span", { say: ["graph.better"] }), " ", h("span", { say: move.best.told, scope: game })));
  line.append(h("span", { class: "sure", say: sure }));
  return line;
}

/**
 * Return the content of the graph in words and numbers: every move, the expectation of each player after it, and its cost.
 *
 * @param {MoveValue[]} moves
 * @param {boolean} isShare
 * @param {string} game
 */
export function valueList(moves, isShare, game) {
  const lines = moves.map(({ number, player, played, values, cost }) => {
    const each = values.map((value, seat) => ["@row", ["@seat", seat], worthOf(value, isShare)]);
    return h("li", { say: ["graph.move", number, ["@seat", player], played.told, ["@list", ...each], worthOf(cost, isShare)], scope: game });
  });
  return h("details", { class: "fine" }, h("summary", { say: ["graph.numbers"] }), h("ol", {}, ...lines));
}
