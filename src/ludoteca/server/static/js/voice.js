/** Texts that a screen reader reads out without a change of focus. Screen readers do not notice a new live region, so it is always there. */

import { byId, h } from "./dom.js";
import { inWords } from "./words.js";

/** Milliseconds after which a text is removed. It may be out of date then. */
const KEPT = 3000;
/** Selects the texts to read out in a part of the page that is made again at each event. */
const TOLD = ".asks, .thinking, .hint-text > p";

/** @type {WeakMap<Element, string>} The last texts of each part of the page. */
const known = new WeakMap();

/** Have a text read out. @param {string} text */
function readOut(text) {
  const told = h("span", {}, `${text} `);
  byId("voice").append(told);
  setTimeout(() => told.remove(), KEPT);
}

/** Have a message read out. @param {import("./frames.js").Message} message @param {string} [scope] */
export function announce(message, scope) {
  readOut(inWords(message, scope));
}

/** Have the new texts of a part of the page read out. @param {Element} place */
export function announceNew(place) {
  const text = [...place.querySelectorAll(TOLD)].map((told) => told.textContent).join(" ");
  if (text && text !== known.get(place)) readOut(text);
  known.set(place, text);
}
