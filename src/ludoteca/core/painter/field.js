/** The field of a scene: a window that slides over items, such as a grid that grows. They have their own coordinates. */

import { svgElement } from "./elements.js";
import { isStill } from "./flights.js";

/** @typedef {import("./scenes.js").Item} Item */
/** @typedef {import("./scenes.js").Scene} Scene */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** The least size of an item on the screen, in pixels. Items that do not all fit in the window shrink to this size. */
const LEAST = 45;
const SLIDE = "transform 300ms cubic-bezier(0.3, 0.7, 0.3, 1)";

export class Field {
  /** @param {SVGElement} svg with the scene */
  constructor(svg) {
    this.svg = svg;
    this.sheet = svgElement("rect", { class: "sheet", fill: "none", width: "100%", height: "100%" });
    this.layer = svgElement("g");
    this.window = svgElement("svg", { class: "field", role: "none" });
    this.window.append(this.sheet, this.layer);
    /** @type {Item[]} */
    this.items = [];
    /** @type {Scene | null} */
    this.scene = null;
    /** The box around the items, in the field's coordinates. @type {Box} */
    this.box = { left: 0, top: 0, right: 0, bottom: 0 };
    /** The middle of the window in the field's coordinates, the size of its units, and its size in the scene. */
    this.view = { x: NaN, y: NaN, scale: 1, wide: 1, high: 1 };
    new ResizeObserver(() => {
      this.measure();
      this.draw(false);
    }).observe(svg);
  }

  /** @param {Item} item */
  has({ classes }) {
    return Boolean(this.scene?.field) && classes.split(" ").includes("field");
  }

  /**
   * Show a scene, with its last moves in sight.
   *
   * @param {Scene} scene
   * @param {Set<string>} usable the items that can be touched, also in sight if there is room
   * @param {boolean} sliding
   */
  show(scene, usable, sliding) {
    this.scene = scene;
    this.items = scene.items.filter((item) => this.has(item) && item.sprite);
    if (!this.items.length) return;
    this.box = boxOf(this.items, 0);
    this.measure();
    const last = this.items.filter(({ classes }) => classes.split(" ").includes("last"));
    if (last.length) this.see([...last, ...this.items.filter(({ id }) => usable.has(id))]);
    this.see(last);
    this.draw(sliding);
  }

  /** Move the window so that items are in sight. @param {Item[]} items */
  see(items) {
    if (!items.length) return;
    const { left, top, right, bottom } = boxOf(items, 1);
    const { view } = this;
    view.x = within(view.x, left, right, view.wide / view.scale / 2);
    view.y = within(view.y, top, bottom, view.high / view.scale / 2);
  }

  /** Bring the one of these items into sight that is nearest to the middle of the window. @param {string[]} ids */
  reveal(ids) {
    const away = (/** @type {Item} */ { x, y }) => Math.hypot(x - this.view.x, y - this.view.y);
    this.see(this.items.filter(({ id }) => ids.includes(id)).sort((a, b) => away(a) - away(b)).slice(0, 1));
    this.draw(true);
  }

  /** Move the window to the middle of all items. */
  centre() {
    this.view.x = NaN;
    this.measure();
    this.draw(true);
  }

  /** Move the items with the pointer. @param {number} x @param {number} y in pixels */
  drag(x, y) {
    const unit = this.view.scale * this.pixels();
    this.view.x -= x / unit;
    this.view.y -= y / unit;
    this.draw(false);
  }

  /** The pixels of a unit of the scene, which is in the middle of its svg. */
  pixels() {
    const { width, height } = this.svg.getBoundingClientRect();
    return Math.min(width / (this.scene?.width ?? 1), height / (this.scene?.height ?? 1)) || 1;
  }

  /** Fit the window to the page. */
  measure() {
    const { scene, view, box } = this;
    if (!scene?.field) return;
    const [pixels, high] = [this.pixels(), scene.field[1]];
    const wide = Math.max(scene.width, this.svg.getBoundingClientRect().width / pixels);
    const least = LEAST / pixels / Math.min(...this.items.map(({ w }) => w));
    const fitting = Math.min(1, wide / (box.right - box.left), high / (box.bottom - box.top));
    Object.assign(view, { wide, high, scale: Math.max(least, fitting) });
    if (isNaN(view.x)) [view.x, view.y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    this.window.classList.toggle("wide", fitting < view.scale);
  }

  /** Show the items through the window, which stays on them. @param {boolean} sliding */
  draw(sliding) {
    const { scene, view, box } = this;
    if (!scene?.field) return;
    const { scale, wide, high } = view;
    view.x = within(view.x, box.left, box.right, wide / scale / 2);
    view.y = within(view.y, box.top, box.bottom, high / scale / 2);
    const place = { x: (scene.width - wide) / 2, y: scene.field[0], width: wide, height: high };
    for (const [name, value] of Object.entries(place)) this.window.setAttribute(name, String(value));
    this.layer.style.transition = sliding && !isStill() ? SLIDE : "none";
    this.layer.style.transform = `translate(${wide / 2 - scale * view.x}px, ${high / 2 - scale * view.y}px) scale(${scale})`;
  }

  /** Return an item of the field as an item of the scene, and another item as it is. @param {Item} item @returns {Item} */
  outside(item) {
    const { scene, view } = this;
    if (!scene?.field || !this.has(item)) return item;
    const [x, y] = [(item.x - view.x) * view.scale + scene.width / 2, (item.y - view.y) * view.scale + scene.field[0] + view.high / 2];
    return { ...item, x, y, w: item.w * view.scale, h: item.h * view.scale };
  }
}

/** @param {Item[]} items @param {number} margin in sizes of an item @returns {Box} */
function boxOf(items, margin) {
  const far = (/** @type {Item} */ { w, h }) => (0.5 + margin) * Math.min(w, h); // long items are frames around others
  return {
    left: Math.min(...items.map((item) => item.x - far(item))),
    top: Math.min(...items.map((item) => item.y - far(item))),
    right: Math.max(...items.map((item) => item.x + far(item))),
    bottom: Math.max(...items.map((item) => item.y + far(item))),
  };
}

/**
 * Move a line as little as possible, so that it covers a part, or so that the part covers it if the line is shorter.
 *
 * @param {number} middle of the line
 * @param {number} low the start of the part
 * @param {number} high the end of the part
 * @param {number} half the length of the line
 * @returns {number} the new middle
 */
function within(middle, low, high, half) {
  const [one, other] = [low + half, high - half];
  return Math.max(Math.min(one, other), Math.min(middle, Math.max(one, other)));
}
