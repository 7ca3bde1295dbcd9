/** Items that belong together: a player who points at an item, or at one of its class `of-ID`, sees all of them lit. */

/** The class that names the item to which another one belongs. */
const OWNED = /(?:^| )of-(\S+)/;

/** Return the ids of items that own others. @param {Iterable<import("./frames.js").Item>} items @returns {Set<string>} */
export function ownersAmong(items) {
  return new Set([...items].flatMap(({ classes }) => OWNED.exec(classes)?.[1] ?? []));
}

export class Following {
  /** @param {SVGElement} svg @param {import("./painter.js").Painter} painter */
  constructor(svg, painter) {
    this.svg = svg;
    this.painter = painter;
    for (const name of ["pointerover", "pointerdown", "focusin"]) svg.addEventListener(name, (event) => this.point(event.target));
    for (const name of ["pointercancel", "focusout"]) svg.addEventListener(name, () => this.follow(""));
    svg.addEventListener("pointerleave", (event) => event.pointerType === "touch" || this.follow("")); // a touch lasts until the next one
  }

  /** @param {EventTarget | null} target */
  point(target) {
    if (target === this.svg && this.svg === document.activeElement) return; // a touch has given it the focus
    const node = target instanceof Element ? target.closest("[data-id]") : null;
    this.follow(OWNED.exec(node?.getAttribute("class") ?? "")?.[1] ?? node?.getAttribute("data-id") ?? "");
  }

  /** Light an item with the items that belong to it. @param {string} id empty for none */
  follow(id) {
    let found = false;
    for (const node of this.painter.nodes.values()) {
      const own = id !== "" && node.classList.contains(`of-${id}`);
      node.classList.toggle("followed", own);
      found ||= own;
    }
    this.svg.classList.toggle("following", found);
  }
}
