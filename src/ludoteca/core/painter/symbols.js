/** A game's symbols, put into a page. */

/**
 * The policy of the page lets no `style` attribute in, which symbols may have: what they say is set by script.
 *
 * @param {string} text an SVG file
 * @returns {Element}
 */
export function readSymbols(text) {
  const parsed = new DOMParser().parseFromString(text.replaceAll(" style=", " data-style="), "image/svg+xml");
  const symbols = document.adoptNode(parsed.documentElement);
  for (const element of symbols.querySelectorAll("[data-style]"))
    /** @type {SVGElement} */ (element).style.cssText = element.getAttribute("data-style") ?? "";
  return symbols;
}
