/** The clock of a new game: none, a time for each move, or a bank with an increment. */

import { h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").ClockChoice} ClockChoice */

/** The choices of seconds for a move. */
const MOVES = [15, 30, 60, 120, 300, 3600, 86_400];
/** The choices of minutes in the bank, and of seconds of increment. */
const BANKS = [1, 3, 5, 10, 15, 30, 60];
const INCREMENTS = [0, 2, 5, 10, 20, 30];

/** @param {ClockChoice | null} [first] @returns {{element: HTMLElement, value: () => ClockChoice | null}} */
export function clockField(first = null) {
  const kind = h("select", { label: ["clock.title"] }, ...["none", "move", "bank"].map((name) => h("option", { say: [`clock.${name}`], set: { value: name } })));
  const move = choice(["clock.each"], MOVES, first?.move ?? 60, (seconds) => duration(seconds));
  const bank = choice(["clock.minutes"], BANKS, (first?.bank ?? 600) / 60, (minutes) => ["clock.min", minutes]);
  const increment = choice(["clock.increment"], INCREMENTS, first?.increment ?? 5, (seconds) => ["clock.plus", seconds]);
  const show = () => {
    move.hidden = kind.value !== "move";
    bank.hidden = increment.hidden = kind.value !== "bank";
  };
  kind.value = first?.move ? "move" : first?.bank ? "bank" : "none";
  kind.addEventListener("change", show);
  show();
  const row = h("div", { class: "row" }, kind, move, bank, increment);
  const element = h("fieldset", { class: "field" }, h("legend", { class: "field-name sentence", say: ["clock.title"] }), row);
  const value = () => {
    if (kind.value === "move") return { move: Number(move.value) };
    return kind.value === "bank" ? { bank: 60 * Number(bank.value), increment: Number(increment.value) } : null;
  };
  return { element, value };
}

/**
 * @param {import("./frames.js").Message} label
 * @param {number[]} values
 * @param {number} usual
 * @param {(value: number) => import("./frames.js").Message} text
 */
function choice(label, values, usual, text) {
  const options = values.map((value) => say(h("option", { set: { value, selected: value === usual } }), text(value)));
  return h("select", { label }, ...options);
}

/** @param {number} seconds @returns {import("./frames.js").Message} */
export function duration(seconds) {
  if (seconds < 60) return ["clock.s", seconds];
  if (seconds < 3600) return ["clock.min", seconds / 60];
  return seconds < 86_400 ? ["clock.h", seconds / 3600] : ["clock.d", seconds / 86_400];
}

/** Return a clock in words. @param {ClockChoice | null} clock @returns {import("./frames.js").Message} */
export function clockWords(clock) {
  if (!clock) return ["clock.words.none"];
  if (clock.move !== undefined) return ["clock.words.move", duration(clock.move)];
  if (!clock.increment) return ["clock.words.bank.only", duration(clock.bank ?? 0)];
  return ["clock.words.bank", duration(clock.bank ?? 0), clock.increment];
}

/** Return a clock in a few characters. @param {ClockChoice | null} clock @returns {import("./frames.js").Message} */
export function clockText(clock) {
  if (!clock) return ["clock.none"];
  if (clock.move !== undefined) return ["clock.short.move", duration(clock.move)];
  return ["clock.short.bank", duration(clock.bank ?? 0), clock.increment ?? 0];
}
