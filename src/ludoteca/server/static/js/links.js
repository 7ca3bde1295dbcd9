/**
 * Links to send: copied, passed to the telephone's share sheet, or shown as a QR code. The page makes the code itself, because a
 * link may have a secret.
 */

import { asset } from "./assets.js";
import { copyText } from "./dialogs.js";
import { button, byId, h, svgElement } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").Message} Message */

/** The white margin around a code, in modules. Cameras need it to find the code. */
const QUIET = 4;

/** Return a field with a link to send. @param {Message} label @param {string} link @param {boolean} [coded] true to show the QR code at once */
export function linkField(label, link, coded = false) {
  const field = h("input", { label, set: { readonly: true, value: link, type: "text" }, on: { focus: () => field.select() } });
  const copied = async () => {
    if (await copyText(link)) say(text, ["link.copied"]);
    else field.focus();
  };
  const made = button({ icon: "copy", say: ["link.copy"], press: copied });
  const text = /** @type {HTMLElement} */ (made.lastElementChild);
  const row = h("div", { class: "link-row" }, field, made);
  return h("div", { class: "link-field" }, h("span", { class: "link-label", say: label }), row, ...otherWays(link, coded));
}

/** @param {string} link @param {boolean} coded */
function otherWays(link, coded) {
  const place = h("div", { class: "qr", set: { hidden: true } });
  const shown = button({ say: ["link.code"], kind: "quiet", press: () => toggle() });
  shown.setAttribute("aria-expanded", "false");
  const toggle = async () => {
    if (!place.firstChild) place.append(await code(link));
    place.hidden = !place.hidden;
    shown.setAttribute("aria-expanded", String(!place.hidden));
  };
  if (coded) void toggle();
  const sent = button({ icon: "share", say: ["link.send"], kind: "quiet", press: () => send(link) });
  return [h("div", { class: "link-row" }, ...("share" in navigator ? [sent] : []), shown), place];
}

/** Pass the link to the telephone's share sheet. @param {string} link */
async function send(link) {
  await navigator.share({ title: byId("title").textContent ?? "", url: link }).catch((error) => {
    if (error.name !== "AbortError") throw error; // the player has closed the share sheet
  });
}

/** Return the link as a QR code, black on white in dark pages too. @param {string} link */
async function code(link) {
  const { encode } = await import(asset("/static/vendor/uqr.mjs"));
  /** @type {{size: number, data: boolean[][]}} */
  const { size, data } = encode(link, { border: QUIET });
  const svg = svgElement("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "shape-rendering": "crispEdges" });
  const dark = data.flatMap((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : "")));
  svg.append(svgElement("path", { d: dark.join("") }));
  say(svg, ["link.code.of"], "", "aria-label");
  return svg;
}
