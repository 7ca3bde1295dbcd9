/** The log: the played moves, each on a line, in words and in the game's notation. */

import { h, set } from "./dom.js";
import { announce } from "./voice.js";
import { inWords, say } from "./words.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Line} Line
 */

/** Notation that is a word, such as that of passing. The line has the same word, so the log does not show it twice. */
const A_WORD = /^\p{L}{3,}$/u;
/** Milliseconds for which a position is shown before its move is read out. */
const PAUSE = 200;

export class Log {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} latest the line for the move before the shown position, on screens without room for the list
   * @param {(ply: number) => void} look shows the position after `ply` moves
   */
  constructor(list, latest, look) {
    this.list = list;
    this.latest = latest;
    this.look = look;
    this.shown = 0;
    /** @type {Whole | null} */
    this.room = null;
    this.announced = -1;
    /** The shown position. */
    this.here = 0;
    this.timer = 0;
    list.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.reveal()).observe(list);
  }

  /** Go from move to move with the arrow keys. The list is one stop of the Tab key. @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    this.look(this.here + step);
    event.preventDefault();
  }

  /** @param {Whole} room */
  show(room) {
    if (room.room !== this.room?.room || room.log.length < this.shown) this.list.replaceChildren();
    this.shown = this.list.childElementCount;
    this.room = room;
    const offset = room.ply - room.log.length;
    const fresh = room.log.slice(this.shown);
    this.list.append(...fresh.map((line, i) => this.line(room, line, offset + this.shown + i + 1)));
    this.shown = room.log.length;
    this.announce(room);
  }

  /** @param {Whole} room @param {Line} line @param {number} ply */
  line(room, line, ply) {
    const text = h("span", { class: "told" }, ...inFull(room, line));
    const number = h("span", { class: "number" }, String(ply));
    const notation = h("code", {}, A_WORD.test(line.text) ? "" : line.text);
    const press = { click: () => this.look(ply) };
    const button = h("button", { class: `bare line player-${line.player}`, set: { type: "button", tabindex: -1 }, on: press }, number, text, notation);
    return h("li", { set: { "data-ply": ply } }, button);
  }

  /** Read out the moves of others. @param {Whole} room */
  announce(room) {
    const fresh = this.announced < 0 ? [] : room.log.slice(this.announced);
    this.announced = room.log.length;
    const lines = fresh.map((line) => `${inWords(["@seat", line.player])} ${inWords(line.told, room.game)}.`);
    if (lines.length) announce(lines.join(" "));
  }

  /** Mark the line of the shown position. @param {number} ply */
  mark(ply) {
    this.here = ply;
    for (const item of this.list.children) {
      const isHere = item.getAttribute("data-ply") === String(ply);
      item.classList.toggle("here", isHere);
      set(/** @type {Element} */ (item.firstElementChild), "aria-current", isHere && "true");
    }
    const line = this.lineHere();
    this.latest.replaceChildren(...(this.room && line ? inFull(this.room, line) : []));
    this.reveal();
  }

  /** Return the line of the move before the shown position. */
  lineHere() {
    return this.room?.log[this.here - this.room.ply + this.room.log.length - 1];
  }

  /** Read that move out, unless the player goes to another position at once. */
  announceHere() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const line = this.lineHere();
      if (this.room && line) announce(["@row", ["@seat", line.player], line.told], this.room.game);
    }, PAUSE);
  }

  /** Scroll the list to the line of the shown position. */
  reveal() {
    const here = this.list.querySelector(".here");
    if (here instanceof HTMLElement) showIn(this.list, here);
  }
}

/** Return a move in words, with its player. @param {Whole} room @param {Line} line */
function inFull(room, line) {
  return [h("b", { class: "name", say: ["@seat", line.player] }), " ", h("span", { say: line.told, scope: room.game })];
}

/** Scroll the list, but not the page. @param {HTMLElement} list @param {HTMLElement} item */
function showIn(list, item) {
  if (!item.nextElementSibling) return void (list.scrollTop = list.scrollHeight);
  const top = item.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + item.offsetHeight - list.clientHeight;
}

/** @param {HTMLElement} element @param {import("./frames.js").Message} message @param {string} [scope] */
export function tell(element, message, scope) {
  element.hidden = false;
  say(element, message, scope);
}
