/** How far the server is with what takes a while: in words, and as a bar. */

import { h } from "./dom.js";

/** @param {HTMLElement} place @param {import("./frames.js").Message} told @param {number} percent */
export function showProgress(place, told, percent) {
  place.hidden = false;
  place.replaceChildren(h("span", { say: told }), h("progress", { label: told, set: { max: 100, value: percent } }));
}
