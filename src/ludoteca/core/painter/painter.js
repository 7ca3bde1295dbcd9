/**
 * Draws scenes as SVG, and animates the changes. Items are matched by id. `scene.css` describes the elements of an item. This
 * module has no rules of any game.
 */

import { svgElement } from "./elements.js";
import { Field } from "./field.js";
import { Flights, STATES, isStill, placed, stageOf } from "./flights.js";
import { say, unsay } from "./texts.js";

/**
 * @typedef {import("./scenes.js").Item} Item
 * @typedef {import("./scenes.js").Scene} Scene
 * @typedef {import("./flights.js").Motion} Motion
 * @typedef {import("./flights.js").Span} Span
 */

/** The radius of the halo's corners, in parts of its shorter side. */
const CORNER = 0.07;
/** The classes of the items in the hands of players. */
const IN_HANDS = /\b(grip|dealt)\b/;
const AT_ONCE = { stage: 0, share: 1 };

export class Painter {
  /**
   * @param {SVGElement} svg
   * @param {string} game the name of the game with the texts and the sprites
   */
  constructor(svg, game) {
    this.svg = svg;
    this.game = game;
    this.ground = svgElement("g");
    this.air = svgElement("g", { "aria-hidden": "true", class: "air" });
    svg.append(this.ground, this.air);
    this.field = new Field(svg);
    this.flights = new Flights(this.air);
    /** @type {Scene | null} the shown scene */
    this.scene = null;
    /** @type {Map<string, Item>} */
    this.items = new Map();
    /** @type {Map<string, SVGElement>} */
    this.nodes = new Map();
    /** @type {Map<string, SVGElement>} The groups, by the names of their zones in JSON. */
    this.zones = new Map();
  }

  /**
   * Show a scene. The motions of the scene before end at once.
   *
   * @param {Scene} scene
   * @param {boolean} [moving] false for no motions
   * @param {Item[]} [meanwhile] items that are shown for a moment, if there are motions
   * @param {Set<string>} [usable] items that can be touched, which the field shows if there is room
   */
  paint(scene, moving = true, meanwhile = [], usable = new Set()) {
    if (scene === this.scene) return;
    this.flights.land();
    this.svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    const [before, focused, seen] = [this.items, this.focusedId(), moving && !isStill() && this.scene !== null];
    this.scene = scene;
    this.items = new Map(scene.items.map((item) => [item.id, item]));
    this.field.show(scene, usable, seen);
    /** @type {Motion[]} */
    const motions = [];
    for (const [id, item] of before) if (!this.items.has(id)) motions.push(...this.remove(item, this.nodeOf(id), seen));
    for (const item of scene.items) motions.push(...this.put(item, before.get(item.id), seen));
    this.sort(scene.items);
    if (seen) {
      for (const item of scene.items) motions.push(...this.move(item, before));
      for (const item of meanwhile) motions.push(this.flash(item));
      this.flights.begin(motions);
    }
    if (focused && this.focusedId() !== focused) this.nodes.get(focused)?.focus({ preventScroll: true });
  }

  /** Show the first scene of a game, and deal the hands from the middle of the table. @param {Scene} scene */
  deal(scene) {
    this.paint(scene);
    const hands = scene.items.filter(({ classes }) => IN_HANDS.test(classes));
    const motions = hands.flatMap((item, at) => {
      const middle = { ...item, x: scene.width / 2, y: scene.height / 2 };
      return this.move(item, new Map([[item.id, middle]]), at / hands.length);
    });
    if (!isStill()) this.flights.begin(motions);
  }

  /** Show an item for a moment. @param {Item} item @returns {Motion} */
  flash(item) {
    const node = drawn(this.field.outside(item), this.game);
    this.air.append(node);
    return { ...stageOf(node), begin: (span, end) => this.flights.linger(node, span, end) };
  }

  /** Put an item elsewhere, until the next scene or `settle` moves it. @param {string} id @param {number} x @param {number} y */
  lay(id, x, y) {
    const [item, node] = [this.items.get(id), this.nodes.get(id)];
    if (!item || !node) return;
    const moved = { ...item, x, y };
    this.items.set(id, moved);
    node.setAttribute("transform", placed(moved));
  }

  /** Bring the items that `lay` moved back. */
  settle() {
    const scene = this.scene;
    const strayed = scene?.items.some((item) => this.items.get(item.id) !== item);
    if (scene && strayed) this.paint({ ...scene });
  }

  focusedId() {
    return this.ground.contains(document.activeElement) ? document.activeElement?.getAttribute("data-id") ?? "" : "";
  }

  /** @param {Item} item @param {SVGElement} node @param {boolean} moving @returns {Motion[]} */
  remove(item, node, moving) {
    const when = moving ? stageOf(node) : AT_ONCE;
    this.nodes.delete(item.id);
    node.remove();
    return moving ? [{ ...when, begin: (span) => this.flights.fade(drawn(this.field.outside(item), this.game), span) }] : [];
  }

  /** @param {Item} item @param {Item | undefined} before @param {boolean} moving @returns {Motion[]} later changes */
  put(item, before, moving) {
    const node = this.nodeOf(item.id);
    const [stays, same] = [before && samePlace(before, item), before && sameLook(before, item)];
    if (!stays) node.setAttribute("transform", placed(item));
    if (same) return [];
    const when = moving && stays ? stageOf(node) : AT_ONCE;
    if (when.stage > 0) return [{ ...when, begin: (span) => this.flights.wait(node, span, () => this.dress(node, item)) }];
    this.dress(node, item);
    return [];
  }

  /** @param {string} id */
  nodeOf(id) {
    const node = this.nodes.get(id) ?? svgElement("g", { "data-id": id });
    this.nodes.set(id, node);
    return node;
  }

  /** @param {SVGElement} node @param {Item} item */
  dress(node, item) {
    const kept = STATES.filter((name) => node.classList.contains(name));
    node.setAttribute("class", ["item", item.classes, ...kept].join(" ").trim());
    node.replaceChildren(...parts(item, this.game));
    if (item.label === "") unsay(node, "aria-label");
    else {
      say(node, item.label, this.game, "aria-label");
      if (!node.hasAttribute("role")) node.setAttribute("role", "img");
    }
  }

  /**
   * Bring the nodes into the order of the scene, and into the groups of their zones. A node in the right place is not moved,
   * because that would end its animations.
   *
   * @param {Item[]} items
   */
  sort(items) {
    const names = new Set(items.map(({ zone }) => JSON.stringify(zone)));
    for (const [name, group] of this.zones) {
      if (names.has(name)) continue;
      this.zones.delete(name);
      group.remove();
    }
    /** @type {Map<Node, Node>} The last child in the right place, by parent. */
    const last = new Map();
    const put = (/** @type {Node} */ parent, /** @type {Node} */ node) => {
      const before = last.get(parent);
      const next = before ? before.nextSibling : parent.firstChild;
      if (node !== next) parent.insertBefore(node, next);
      last.set(parent, node);
    };
    for (const item of items) {
      const { group, parent } = this.homeOf(item);
      if (group && !last.has(parent)) put(this.ground, group);
      put(parent, /** @type {SVGElement} */ (this.nodes.get(item.id)));
    }
  }

  /** @param {Item} item @returns {{group: Node | null, parent: Node}} its group in the ground, if any, and the parent of its node */
  homeOf(item) {
    if (this.field.has(item)) return { group: this.field.window, parent: this.field.layer };
    const group = item.zone ? this.zoneOf(item.zone) : null;
    return { group, parent: group ?? this.ground };
  }

  /** @param {import("./scenes.js").Message} zone @returns {SVGElement} the group for its items */
  zoneOf(zone) {
    const name = JSON.stringify(zone);
    const group = this.zones.get(name) ?? say(svgElement("g", { role: "group" }), zone, this.game, "aria-label");
    this.zones.set(name, group);
    return group;
  }

  /** @param {Item} item @param {Map<string, Item>} before @param {number} [late] the delay, in parts of the usual time @returns {Motion[]} */
  move(item, before, late = 0) {
    const node = this.nodes.get(item.id);
    const old = before.get(item.id);
    if (!node || (old && samePlace(old, item))) return [];
    const from = old ?? before.get(item.start) ?? this.items.get(item.start);
    const [start, end] = [from && this.field.outside(from), this.field.outside(item)];
    const begin = (/** @type {Span} */ { delay, duration }) => {
      const span = { delay: delay + late * duration, duration };
      if (start) this.flights.fly(node, start, end, item.w, span);
      else this.flights.appear(node, span);
    };
    return [{ ...stageOf(node), begin }];
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

/** Draw one item, at its place. @param {Item} item @param {string} game with the texts */
export function drawn(item, game) {
  const node = svgElement("g", { class: `item ${item.classes}`.trim(), transform: placed(item) });
  node.append(...parts(item, game));
  return node;
}

/** @param {Item} item @param {string} game with the texts @returns {SVGElement[]} */
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
