/** The page's own elements: icons, covers and buttons. */

import { asset, groundOf, url } from "./assets.js";
import { h, svgElement } from "./elements.js";
import { say } from "./words.js";

export { byId, h, set, svgElement } from "./elements.js";

/** @typedef {import("./frames.js").Message} Message */

/**
 * An icon of the page's own set.
 *
 * @param {string} name
 */
export function icon(name) {
  const svg = svgElement("svg", { class: "icon", "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `${asset("/static/icons.svg")}#${name}` }));
  return svg;
}

/** A game's cover, for a light and for a dark page. Its ground is seen until it comes. @param {string} game @param {string} kind */
export function picture(game, kind) {
  const one = (/** @type {string} */ theme) =>
    h("img", { class: `only-${theme}`, set: { src: url(`/games/${game}/picture.svg?theme=${theme}`), alt: "", loading: "lazy" } });
  const place = h("span", { class: kind }, one("light"), one("dark"));
  place.style.backgroundColor = groundOf(game);
  return place;
}

/** The same in every language: what tells a button from others when it is made again. @param {Message} text */
export function keyOf(text) {
  return JSON.stringify(text);
}

/**
 * A button with an icon, a text or both.
 *
 * @param {{icon?: string, say?: Message, label?: Message, kind?: string, press: (event: MouseEvent) => void}} what
 */
export function button({ icon: sign, say: text, label, kind = "", press }) {
  const attributes = { type: "button", "data-key": keyOf(text ?? label ?? "") };
  const made = h("button", { class: `button ${kind}`, set: attributes, on: { click: press } });
  if (sign) made.append(icon(sign));
  if (text !== undefined) made.append(h("span", { say: text }));
  if (label !== undefined) {
    say(made, label, "", "aria-label");
    say(made, label, "", "title");
  }
  return made;
}
