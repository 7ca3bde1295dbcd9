/** The fields for a game's parameters: a stepper, a choice, a text with presets, a grid to draw in. */

import { button, enable, h } from "./dom.js";
import { gameText } from "./games.js";
import { GridEditor } from "./grid.js";

/**
 * @typedef {import("./games.js").Game} Game
 * @typedef {import("./games.js").Parameter} Parameter
 * @typedef {{element: HTMLElement, value: () => any}} Field
 */

let count = 0;

/**
 * @param {Game} game
 * @param {Parameter} parameter
 * @param {any} value at first
 * @param {(value: any) => void} changed
 * @returns {Field}
 */
export function fieldFor(game, parameter, value, changed) {
  const id = `parameter-${count++}`;
  const inner = inside(game, parameter, value, changed, id);
  const title = gameText(game, `parameter.${parameter.name}`, parameter.help);
  const group = parameter.kind === "choice" || Boolean(parameter.grid);
  const name = group
    ? h("span", { class: "field-name sentence", say: title, scope: game.name, set: { id } })
    : h("label", { class: "field-name sentence", say: title, scope: game.name, set: { for: id } });
  const element = h("div", { class: `field field-${parameter.kind}` }, name, inner.element);
  if (group) {
    inner.element.setAttribute("role", "group");
    inner.element.setAttribute("aria-labelledby", id);
  }
  return { element, value: inner.value };
}

/** @param {Game} game @param {Parameter} parameter @param {any} value @param {(value: any) => void} changed @param {string} id @returns {Field} */
function inside(game, parameter, value, changed, id) {
  if (parameter.kind === "integer") return integerField(parameter, Number(value), changed, id);
  if (parameter.kind === "choice") return choiceField(game, parameter, String(value), changed);
  return parameter.grid ? gridField(game, parameter, String(value), changed) : textField(parameter, String(value), changed, id);
}

/** @param {Parameter} parameter @param {number} value @param {(value: number) => void} changed @param {string} id @returns {Field} */
function integerField({ low = 0, high = 0, step = 1 }, value, changed, id) {
  let now = value;
  const output = h("output", { set: { id, "aria-live": "polite" } });
  const show = (/** @type {number} */ to) => {
    now = Math.max(low, Math.min(to, high));
    output.textContent = String(now);
    enable(less, now > low);
    enable(more, now < high);
  };
  const go = (/** @type {number} */ by) => {
    show(now + by);
    changed(now);
  };
  const less = button({ icon: "minus", kind: "quiet", label: ["stepper.less"], press: () => go(-step) });
  const more = button({ icon: "plus", kind: "quiet", label: ["stepper.more"], press: () => go(step) });
  show(value);
  return { element: h("div", { class: "stepper" }, less, output, more), value: () => now };
}

/** @param {Game} game @param {Parameter} parameter @param {string} value @param {(value: string) => void} changed @returns {Field} */
function choiceField(game, { name, options = [] }, value, changed) {
  let now = value;
  const group = `choice-${count++}`;
  const pick = (/** @type {string} */ option) => {
    now = option;
    changed(option);
  };
  const radios = options.map((option) => {
    const radio = h("input", { set: { type: "radio", name: group, value: option, checked: option === value }, on: { change: () => pick(option) } });
    return h("label", { class: "pill" }, radio, h("span", { class: "sentence", say: gameText(game, `option.${name}.${option}`, option), scope: game.name }));
  });
  return { element: h("div", { class: "row" }, ...radios), value: () => now };
}

/** @param {Parameter} parameter @param {string} value @param {(value: string) => void} changed @param {string} id @returns {Field} */
function textField({ presets = {} }, value, changed, id) {
  const field = h("input", { set: { id, value, autocomplete: "off", spellcheck: "false" }, on: { input: () => changed(field.value) } });
  const list = h("datalist", { set: { id: `${id}-presets` } });
  list.append(...Object.entries(presets).map(([name, text]) => h("option", { set: { value: text, label: name } })));
  field.setAttribute("list", list.id);
  return { element: h("div", {}, field, list), value: () => field.value };
}

/** @param {Game} game @param {Parameter} parameter @param {string} value @param {(value: string) => void} changed @returns {Field} */
function gridField(game, { name, grid, presets = {}, default: standard }, value, changed) {
  const named = Object.entries(presets);
  const nameOf = (/** @type {string} */ symbol) => gameText(game, `option.${name}.${symbol}`, symbol);
  const first = value === standard ? named[0]?.[1] : undefined;
  const editor = new GridEditor(grid ?? { symbols: ["."], low: 1, high: 1 }, first ?? value, changed, nameOf, game.name);
  editor.offer(named);
  return { element: editor.element, value: () => editor.text() };
}
