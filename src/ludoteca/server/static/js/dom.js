/** The page's own elements: icons, covers and buttons. */

import { asset, groundOf, url } from "./assets.js";
import { h, svgElement } from "./elements.js";
import { say } from "./words.js";

export { byId, h, set, svgElement } from "./elements.js";

/** @typedef {import("./frames.js").Message} Message */

/** Return an icon of the page, or a face. @param {string} name @param {"icon" | "face"} [kind] */
export function icon(name, kind = "icon") {
  const svg = svgElement("svg", { class: kind, "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `${asset(`/static/${kind}s.svg`)}#${name}` }));
  return svg;
}

/** Return a game's cover, for both themes. It has the colour of the game's table until the picture is loaded. @param {string} game @param {string} kind */
export function picture(game, kind) {
  const one = (/** @type {string} */ theme) =>
    h("img", { class: `only-${theme}`, set: { src: url(`/games/${game}/picture.svg?theme=${theme}`), alt: "", loading: "lazy" } });
  const place = h("span", { class: kind }, one("light"), one("dark"));
  place.style.backgroundColor = groundOf(game);
  return place;
}

/**
 * Replace the parts of a place. If a replaced button had the focus, the button with the same key gets it, or else `instead`.
 *
 * @param {HTMLElement} place
 * @param {(Node | string)[]} parts
 * @param {() => HTMLElement | SVGElement} instead returns the element for the focus if no button has that key
 */
export function refill(place, parts, instead = () => place) {
  const focused = place.contains(document.activeElement) && document.activeElement !== place ? document.activeElement : null;
  place.replaceChildren(...parts);
  if (!(focused instanceof HTMLElement)) return;
  const key = focused.getAttribute("data-key");
  const enabled = [...place.querySelectorAll("button")].filter((made) => !made.disabled);
  const same = enabled.find((made) => key !== null && made.getAttribute("data-key") === key);
  (focused.isConnected ? focused : same ?? instead()).focus({ preventScroll: true });
}

/**
 * Enable or disable a button. A button with the focus keeps it: it has `aria-disabled`, and is disabled when the focus leaves.
 * Until then it can be pressed, so the handler of the press has to check again.
 *
 * @param {HTMLButtonElement} made
 * @param {boolean} isEnabled
 */
export function enable(made, isEnabled) {
  const isHeld = !isEnabled && made === document.activeElement;
  made.disabled = !isEnabled && !isHeld;
  if (isHeld) made.setAttribute("aria-disabled", "true");
  else made.removeAttribute("aria-disabled");
  made.onblur = isHeld ? () => enable(made, false) : null;
}

/** Return the key by which `refill` finds a button again, in any language. @param {Message} text */
export function keyOf(text) {
  return JSON.stringify(text);
}

/**
 * Return a button with an icon, a text or both. Screens with a mouse also show its key.
 *
 * @param {{icon?: string, say?: Message, label?: Message, key?: string, kind?: string, press: (event: MouseEvent) => void}} what
 */
export function button({ icon: sign, say: text, label, key, kind = "", press }) {
  const attributes = { type: "button", "data-key": keyOf(text ?? label ?? "") };
  const made = h("button", { class: `button ${kind}`, set: attributes, on: { click: press } });
  if (sign) made.append(icon(sign));
  if (text !== undefined) made.append(h("span", { say: text }));
  if (label !== undefined) {
    say(made, label, "", "aria-label");
    say(made, label, "", "title");
  }
  if (key !== undefined) {
    made.setAttribute("aria-keyshortcuts", key);
    made.append(h("kbd", { set: { "aria-hidden": "true" } }, key));
  }
  return made;
}
