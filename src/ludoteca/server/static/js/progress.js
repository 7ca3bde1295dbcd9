/** The progress of the server's long jobs, in words and as a bar. */

import { h } from "./dom.js";
import { announce } from "./voice.js";
import { say } from "./words.js";

/**
 * Show progress. The bar stays, so that a screen reader can follow it, and the text is read out when the work begins.
 *
 * @param {HTMLElement} place
 * @param {[string, ...any[]]} told
 * @param {number} percent
 */
export function showProgress(place, told, percent) {
  if (place.hidden || place.dataset["does"] !== told[0]) announce(told);
  place.hidden = false;
  place.dataset["does"] = told[0];
  if (!place.childElementCount) place.append(h("span"), h("progress", { set: { max: 100 } }));
  const [words, bar] = place.children;
  if (words) say(words, told);
  if (!(bar instanceof HTMLProgressElement)) return;
  say(bar, told, "", "aria-label");
  bar.value = percent;
}
