/** The symbols of a game, for a page. */

/**
 * Return the symbols of an SVG file. The page's content security policy blocks `style` attributes, so this sets the styles of
 * symbols by script.
 *
 * @param {string} text of the file
 * @returns {Element}
 */
export function readSymbols(text) {
  const parsed = new DOMParser().parseFromString(text.replaceAll(" style=", " data-style="), "image/svg+xml");
  const symbols = document.adoptNode(parsed.documentElement);
  for (const element of symbols.querySelectorAll("[data-style]"))
    /** @type {SVGElement} */ (element).style.cssText = element.getAttribute("data-style") ?? "";
  return symbols;
}
