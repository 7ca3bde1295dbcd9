/** The preferences, which the browser keeps, and their dialog. */

import { openDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { setPace } from "./flights.js";
import { isForPeople } from "./games.js";
import { local } from "./store.js";

/** @typedef {{name: string, values: readonly string[], usual: string, changed: (value: string) => void}} Preference */

/** The length of motions, in parts of the usual length. A system that asks for less motion gets none. */
const PACES = { slow: 2, normal: 1, fast: 0.5, none: 0 };

/** @type {Preference} */
const THEME = { name: "theme", values: ["auto", "light", "dark"], usual: "auto", changed: showTheme };
/** @type {Preference} */
const MOTION = { name: "motion", values: Object.keys(PACES), usual: "normal", changed: moveAt };
/** @type {Preference} */
const CONFIRM = { name: "confirm", values: ["off", "on"], usual: "off", changed: () => {} };

/** @type {Preference} */
const NAMES = { name: "names", values: ["off", "on"], usual: "off", changed: () => window.dispatchEvent(new Event("names")) };

/** @type {Preference} */
const CODES = { name: "codes", values: ["off", "on"], usual: "off", changed: showCodes };

/** The texts about keys, by the last part of their names. */
const KEYS = ["arrows", "shift", "choose", "turn", "replay", "mistakes"];

/** @param {Preference} preference */
function chosen({ name, values, usual }) {
  const kept = local.get(`ludoteca.${name}`) ?? "";
  return values.includes(kept) ? kept : usual;
}

/** @param {Preference} preference @param {string} value */
function choose({ name, changed }, value) {
  local.set(`ludoteca.${name}`, value);
  changed(value);
}

/** @param {string} theme */
function showTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** @param {string} codes `on` to show notation and the names of tiles */
function showCodes(codes) {
  document.documentElement.dataset.codes = codes;
}

/** @param {string} motion */
function moveAt(motion) {
  setPace(PACES[/** @type {keyof typeof PACES} */ (motion)]);
}

/** Return the chosen length of motions, in parts of the usual length. Without motion, things take the usual time. */
export function paceOfMotion() {
  return PACES[/** @type {keyof typeof PACES} */ (chosen(MOTION))] || 1;
}

/** True if each move is shown first and then sent by a button. */
export function confirmsMoves() {
  return chosen(CONFIRM) === "on";
}

/** True if names of strangers are shown. A change sends the event `names` to the window. */
export function showsNames() {
  return chosen(NAMES) === "on";
}

/** The button in the bar that opens the dialog. */
export function settingsButton() {
  moveAt(chosen(MOTION));
  showCodes(chosen(CODES));
  const made = button({ icon: "settings", kind: "quiet", label: ["settings"], press: openSettings });
  made.id = "settings";
  return made;
}

function openSettings() {
  const fields = [oneOf(THEME), oneOf(MOTION), ...[CONFIRM, CODES, ...(isForPeople() ? [NAMES] : [])].map(onOrOff)];
  const keys = h("ul", { class: "fine" }, ...KEYS.map((name) => h("li", { say: [`keys.${name}`] })));
  const help = h("details", {}, h("summary", { class: "sentence", say: ["keys"] }), keys);
  openDialog(["settings"], h("div", { class: "settings" }, ...fields, help)).classList.add("small");
}

/** Return radio buttons for all values. @param {Preference} preference */
function oneOf(preference) {
  const { name, values } = preference;
  const pills = values.map((value) => {
    const set = { type: "radio", name, value, checked: value === chosen(preference) };
    const radio = h("input", { set, on: { change: () => choose(preference, value) } });
    return h("label", { class: "pill" }, radio, h("span", { class: "sentence", say: [`settings.${name}.${value}`] }));
  });
  return h("fieldset", { class: "field" }, h("legend", { class: "field-name sentence", say: [`settings.${name}`] }), h("div", { class: "row" }, ...pills));
}

/** Return a box to tick for a preference with the values `on` and `off`. @param {Preference} preference */
function onOrOff(preference) {
  const { name } = preference;
  const set = { type: "checkbox", checked: chosen(preference) === "on", "aria-describedby": `how-${name}` };
  const box = h("input", { set, on: { change: () => choose(preference, box.checked ? "on" : "off") } });
  const label = h("label", { class: "check" }, box, h("span", { class: "sentence", say: [`settings.${name}`] }));
  return h("div", {}, label, h("p", { class: "fine", say: [`settings.${name}.how`], set: { id: `how-${name}` } }));
}
