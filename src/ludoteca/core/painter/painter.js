/**
 * Draws scenes as SVG, keyed by the items' ids: what has moved is seen to move. It makes of an item what `scene.css` says,
 * and knows no game.
 */

import { svgElement } from "./elements.js";
import { Flights, placed } from "./flights.js";
import { say, unsay } from "./texts.js";

/**
 * @typedef {import("./scenes.js").Item} Item
 * @typedef {import("./scenes.js").Scene} Scene
 */

/** How round the halo's corners are, of its shorter side. */
const CORNER = 0.07;

export class Painter {
  /**
   * @param {SVGElement} svg
   * @param {string} game whose texts and sprites are used
   */
  constructor(svg, game) {
    this.svg = svg;
    this.game = game;
    this.ground = svgElement("g");
    this.air = svgElement("g", { "aria-hidden": "true", class: "air" });
    svg.append(this.ground, this.air);
    this.flights = new Flights(this.air);
    /** @type {Map<string, Item>} */
    this.items = new Map();
    /** @type {Map<string, SVGElement>} */
    this.nodes = new Map();
  }

  /**
   * Show a scene.
   *
   * @param {Scene} scene
   * @param {boolean} [moving] false to put everything where it belongs at once
   */
  paint(scene, moving = true) {
    this.svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    const before = this.items;
    const focused = this.focusedId();
    this.items = new Map(scene.items.map((item) => [item.id, item]));
    for (const [id, node] of this.nodes) if (!this.items.has(id)) this.remove(id, node, moving);
    for (const item of scene.items) this.put(item, before.get(item.id));
    this.sort(scene.items);
    if (moving && before.size) for (const item of scene.items) this.move(item, before);
    if (focused && this.focusedId() !== focused) this.nodes.get(focused)?.focus({ preventScroll: true });
  }

  focusedId() {
    return this.ground.contains(document.activeElement) ? document.activeElement?.getAttribute("data-id") ?? "" : "";
  }

  /** @param {string} id @param {SVGElement} node @param {boolean} moving */
  remove(id, node, moving) {
    this.nodes.delete(id);
    this.flights.land(id);
    node.remove();
    if (moving) this.flights.fade(node);
  }

  /** @param {Item} item @param {Item | undefined} before */
  put(item, before) {
    const node = this.nodes.get(item.id) ?? this.create(item.id);
    if (!before || !sameLook(before, item)) this.dress(node, item);
    if (!before || !samePlace(before, item)) node.setAttribute("transform", placed(item));
  }

  /** @param {string} id */
  create(id) {
    const node = svgElement("g", { "data-id": id });
    this.nodes.set(id, node);
    return node;
  }

  /** @param {SVGElement} node @param {Item} item */
  dress(node, item) {
    const kept = ["lit", "touched", "hinted", "marked", "pending"].filter((name) => node.classList.contains(name));
    node.setAttribute("class", ["item", item.classes, ...kept].join(" ").trim());
    node.replaceChildren(...parts(item, this.game));
    if (item.label === "") unsay(node, "aria-label");
    else {
      say(node, item.label, this.game, "aria-label");
      if (!node.hasAttribute("role")) node.setAttribute("role", "img");
    }
  }

  /**
   * Bring the nodes into the scene's order. Those already in it stay where they are: moving a node ends what it is doing.
   *
   * @param {Item[]} items
   */
  sort(items) {
    /** @type {Node | null} */
    let next = this.ground.firstChild;
    for (const { id } of items) {
      const node = /** @type {SVGElement} */ (this.nodes.get(id));
      if (node === next) next = next.nextSibling;
      else this.ground.insertBefore(node, next);
    }
  }

  /** @param {Item} item @param {Map<string, Item>} before */
  move(item, before) {
    const node = this.nodes.get(item.id);
    const old = before.get(item.id);
    if (!node || (old && samePlace(old, item))) return;
    const from = old ?? before.get(item.start) ?? this.items.get(item.start);
    if (from) this.flights.fly(item.id, node, from, item);
    else this.flights.appear(node);
  }
}

/** @param {Item} a @param {Item} b */
function samePlace(a, b) {
  return a.x === b.x && a.y === b.y && a.angle === b.angle;
}

/** @param {Item} a @param {Item} b */
function sameLook(a, b) {
  const same = a.sprite === b.sprite && a.w === b.w && a.h === b.h && a.classes === b.classes;
  return same && JSON.stringify([a.label, a.text]) === JSON.stringify([b.label, b.text]);
}

/** An item by itself, in its place. @param {Item} item @param {string} game whose texts are used */
export function drawn(item, game) {
  const node = svgElement("g", { class: `item ${item.classes}`.trim(), transform: placed(item) });
  node.append(...parts(item, game));
  return node;
}

/** @param {Item} item @param {string} game whose texts are used @returns {SVGElement[]} */
function parts(item, game) {
  const box = { x: -item.w / 2, y: -item.h / 2, width: item.w, height: item.h };
  const made = [];
  if (item.sprite) made.push(svgElement("use", { href: `#${item.sprite}`, ...box }));
  made.push(svgElement("rect", { class: "halo", rx: Math.min(item.w, item.h) * CORNER, ...box }));
  if (item.text) made.push(lettered(item, game));
  return made;
}

/** @param {Item} item @param {string} game */
function lettered(item, game) {
  const text = svgElement("text", { "font-size": item.h / 2, "aria-hidden": "true" });
  return say(text, item.text, game);
}
