/** The board: a scene whose items the player touches with the mouse, a finger or the keyboard. */

import { svgElement } from "./dom.js";
import { Dragging } from "./drag.js";
import { placed } from "./flights.js";
import { Following, ownersAmong } from "./follow.js";
import { DIRECTIONS, further, inReadingOrder, nearest } from "./keys.js";
import { Painter } from "./painter.js";
import { Panning } from "./pan.js";
import { Preview } from "./preview.js";
import { confirmsMoves } from "./settings.js";
import { Touching } from "./touch.js";
import { Comparison } from "./comparison.js";
import { say, unsay } from "./words.js";

/**
 * @typedef {import("./frames.js").Item} Item
 * @typedef {import("./frames.js").Scene} Scene
 * @typedef {import("./frames.js").Choice} Choice
 *
 * @typedef {object} Handlers
 * @property {(choice: Choice) => void} play  called with a complete choice
 * @property {(touched: string[]) => void} why  called with touched items that are no choice, to show the reason
 * @property {() => void} changed  called after each touch, and after a touch was taken back
 * @property {(id: string) => void} ahead  called with the touched item if nothing can be played now
 * @property {(choice: Choice, answered: (shown: import("./frames.js").Previewed) => void) => void} preview  asks for the effects of a choice
 * @property {(shown: import("./frames.js").Previewed | null) => void} foretell  puts the effects into words, or removes these words
 */

/** The largest distance of a finger from the item that it touches, in pixels. */
const NEARBY = 22;
/** Places have no dots if they cover more than this part of the board. */
const MANY = 1 / 3;
/** The size of the ring around an item, in sizes of the item. */
const RING = 1.1;
/** Keys that step through the game while the player uses the mouse or a finger. */
const LOOKING = ["ArrowLeft", "ArrowRight"];
/** Classes of marked items, and their meanings as keys of texts. */
const MARKS = /** @type {const} */ ([["hinted", "mark.hinted"], ["played", "mark.played"], ["better", "mark.better"]]);
const COARSE = window.matchMedia("(pointer: coarse)");

export class Board {
  /**
   * @param {SVGElement} svg
   * @param {string} game
   * @param {Handlers} handlers
   */
  constructor(svg, game, handlers) {
    this.svg = svg;
    this.painter = new Painter(svg, game);
    this.handlers = handlers;
    this.touching = new Touching();
    /** True if the touch that completes a choice also sends it. Otherwise a button or Enter sends it. */
    this.atOnce = true;
    /** The item for the Tab key. */
    this.current = "";
    /** The item for the Tab key among the items of `aside`. */
    this.looked = "";
    /** @type {Item | undefined} The item that had the focus when it was removed. */
    this.left = undefined;
    /** True while the player uses the mouse or a finger. The focus is not shown then. */
    this.pointed = false;
    this.ring = svgElement("rect", { class: "ring" });
    svg.setAttribute("tabindex", "-1"); // the Tab key goes to its items
    this.comparison = new Comparison(this.painter);
    this.dragging = new Dragging(this);
    new Panning(this);
    this.preview = new Preview(this, handlers.preview, handlers.foretell);
    new Following(svg, this.painter);
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => this.focused(event));
    svg.addEventListener("focusout", () => this.surround(""));
  }

  /**
   * @param {Scene} scene
   * @param {Touching} touching the possible choices
   * @param {boolean} [moving]
   * @param {Item[]} [meanwhile] items that are shown for a moment
   * @param {boolean} [dealt] true to deal the hands if this is the first scene
   */
  show(scene, touching, moving = true, meanwhile = [], dealt = false) {
    const other = this.touching !== touching;
    if (other) this.dragging.cancel();
    this.touching = touching;
    const before = this.item(this.painter.focusedId());
    if (dealt && !this.painter.scene) this.painter.deal(scene);
    else this.painter.paint(scene, moving, meanwhile, touching.lit());
    if (before) this.left = before;
    this.mark();
    if (other) this.preview.forget();
  }

  /** @param {string} id @returns {Item | undefined} with its place in the scene */
  item(id) {
    const item = this.painter.items.get(id);
    return item && this.painter.field.outside(item);
  }

  items() {
    return [...this.painter.items.values()].map((item) => this.painter.field.outside(item));
  }

  /**
   * The items that the keys go to, in reading order: the lit and touched items. If there are none, the items with a name.
   *
   * @param {boolean} [all] true for the items with a name too
   */
  stops(all = false) {
    const ids = new Set([...this.touching.lit(), ...this.touching.touched]);
    const items = this.items();
    const chosen = items.filter((item) => ids.has(item.id));
    return inReadingOrder(chosen.length && !all ? chosen : items.filter((item) => item.label !== "" || ids.has(item.id)));
  }

  /** The items with a name that own other items and that the keys do not go to. They are one more stop of the Tab key. */
  aside() {
    const [stops, items] = [new Set(this.stops().map(({ id }) => id)), this.items()];
    const owners = ownersAmong(items);
    return inReadingOrder(items.filter((item) => owners.has(item.id) && item.label !== "" && !stops.has(item.id)));
  }

  /** Mark the lit and the touched items. */
  mark() {
    const lit = this.touching.lit();
    const places = [...lit].flatMap((id) => this.item(id) ?? []).filter(({ classes }) => classes.split(" ").includes("place"));
    const { width, height } = this.painter.scene ?? { width: 0, height: 0 };
    this.svg.classList.toggle("many", places.reduce((sum, { w, h }) => sum + w * h, 0) > MANY * width * height);
    for (const [id, node] of this.painter.nodes) this.markNode(node, lit.has(id), this.touching.touched.has(id), id);
    this.rove();
    this.preview.update();
  }

  /** @param {SVGElement} node @param {boolean} lit @param {boolean} touched @param {string} id */
  markNode(node, lit, touched, id) {
    node.classList.toggle("lit", lit);
    node.classList.toggle("touched", touched);
    const named = this.item(id)?.label !== "";
    if (lit || touched) {
      node.setAttribute("role", "button");
      node.setAttribute("aria-pressed", String(touched));
    } else {
      node.removeAttribute("aria-pressed");
      if (named) node.setAttribute("role", "img");
      else node.removeAttribute("role");
    }
    if (named || lit) node.setAttribute("tabindex", "-1");
    else node.removeAttribute("tabindex");
  }

  /** Let the Tab key go to one item, from which the arrow keys go to the others. A focus inside the board stays there. */
  rove() {
    const stops = this.stops();
    const here = this.item(this.current) ?? this.left;
    if (!stops.some((stop) => stop.id === this.current)) this.current = (here ? closest(here, stops) : stops[0])?.id ?? "";
    this.painter.nodes.get(this.current)?.setAttribute("tabindex", "0");
    const aside = this.aside();
    if (!aside.some((stop) => stop.id === this.looked)) this.looked = aside[0]?.id ?? "";
    this.painter.nodes.get(this.looked)?.setAttribute("tabindex", "0");
    this.surround(this.painter.focusedId());
    if (this.left && !this.pointed && !this.painter.focusedId()) this.focus(this.current);
    if (this.painter.focusedId() || document.activeElement !== document.body) this.left = undefined;
  }

  /** @param {string} id */
  focus(id) {
    const node = this.painter.nodes.get(id);
    node?.focus({ preventScroll: true });
    const item = this.painter.items.get(id);
    const shown = item && this.painter.field.has(item) ? this.painter.field.sheet : node; // the field slides to its items by itself
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const id = idOf(event.target);
    if (!id) return;
    this.painter.field.reveal([id]);
    this.surround(id);
    this.goOnFrom(this.aside().some((stop) => stop.id === id) ? "looked" : "current", id);
  }

  /** Have the Tab key go to an item. @param {"current" | "looked"} which @param {string} id */
  goOnFrom(which, id) {
    if (id === this[which]) return;
    this.painter.nodes.get(this[which])?.setAttribute("tabindex", "-1");
    this[which] = id;
    this.painter.nodes.get(id)?.setAttribute("tabindex", "0");
  }

  /** Draw the ring around the item with the focus, above all items. @param {string} id empty for no item */
  surround(id) {
    const item = this.item(id);
    const seen = this.painter.nodes.get(id)?.matches(":focus-visible") ?? false;
    this.ring.classList.toggle("seen", seen);
    if (!item) return;
    const [w, h] = [item.w * RING, item.h * RING];
    const box = { x: -w / 2, y: -h / 2, width: w, height: h, transform: placed(item) };
    for (const [name, value] of Object.entries(box)) this.ring.setAttribute(name, String(value));
    this.painter.air.prepend(this.ring);
  }

  /** @param {MouseEvent} event */
  click(event) {
    this.pointed = true;
    const id = this.at(event.clientX, event.clientY);
    if (id && !this.dragging.ended) this.press(id);
  }

  /**
   * Return the item for a place on the screen: the uppermost lit or touched item, else the uppermost item with a name.
   *
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    const lit = this.touching.lit();
    const meant = this.among(x, y, new Set([...lit, ...this.touching.touched]), lit);
    return meant || idsAt(x, y).find((id) => this.item(id)?.label !== "");
  }

  /**
   * Return the uppermost of some items at a place on the screen. A finger also reaches items next to that place.
   *
   * @param {number} x
   * @param {number} y
   * @param {Set<string>} ids
   * @param {Set<string>} [close] the items that a finger reaches from next to them
   */
  among(x, y, ids, close = ids) {
    return idsAt(x, y).find((id) => ids.has(id)) ?? (COARSE.matches ? this.near(x, y, close) : "");
  }

  /** @param {number} x @param {number} y @param {Set<string>} ids */
  near(x, y, ids) {
    let [best, least] = ["", NEARBY];
    for (const id of ids) {
      const box = this.painter.nodes.get(id)?.getBoundingClientRect();
      if (!box) continue;
      const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      if (away < least) [best, least] = [id, away];
    }
    return best;
  }

  /**
   * Touch an item. A click does the same.
   *
   * @param {string} id
   * @param {boolean} [turned] true if a thing was dragged there as it is turned
   * @returns {boolean} true if a choice was sent
   */
  press(id, turned = false) {
    if (this.touching.touched.has(id) && this.preview.pinned() && this.preview.turn(1)) return this.chose(false);
    if (!this.touching.sets.length) this.handlers.ahead(id);
    const tried = [...this.touching.touched, id];
    if (!this.touching.toggle(id)) {
      this.turnTo(id);
      if (this.touching.sets.length && !ownersAmong(this.painter.items.values()).has(id)) this.handlers.why(tried);
    }
    this.mark();
    if (this.touching.touched.size) this.painter.field.reveal([...this.touching.lit()]);
    return this.chose(this.atOnce && (this.touching.isFinal() || (turned && this.chosen() !== undefined)));
  }

  /** Send the touched items after they were dropped. @param {boolean} all true if the player adds no more items */
  sendChosen(all) {
    return this.chose(all ? this.chosen() !== undefined : this.touching.isFinal());
  }

  /** Update the page after a touch. @param {boolean} send true if the touch makes a move @returns {boolean} true if it was sent */
  chose(send) {
    if (send && !confirmsMoves()) this.send();
    else this.handlers.changed();
    return send && !confirmsMoves();
  }

  /**
   * Begin another choice with an item. The touched items stay if a choice has both them and the item.
   *
   * @param {string} id
   */
  turnTo(id) {
    const { sets, touched } = this.touching;
    const begins = sets.some((choice) => choice.touches.includes(id));
    if (!begins || (touched.size !== 1 && !this.atOnce)) return;
    const kept = [...touched].filter((one) => sets.some(({ touches }) => touches.includes(one) && touches.includes(id)));
    this.touching.clear();
    for (const one of [...kept, id]) this.touching.toggle(one);
  }

  /** Leave the arrow keys to the replay after the end of the game, unless the player uses them on the board. */
  release() {
    if (this.pointed && this.painter.focusedId()) /** @type {HTMLElement} */ (document.activeElement).blur();
  }

  /** Return the complete choice, or the choice whose thing is shown turned. */
  chosen() {
    return this.touching.whole() ?? this.preview.pinned();
  }

  /** Send the complete choice, if there is one. */
  send() {
    const whole = this.chosen();
    if (whole) this.handlers.play(whole);
  }

  /** Send the choice of a pressed button, or show it first. @param {Choice} choice */
  pick(choice) {
    if (!confirmsMoves() || this.touching.picked === choice) return this.handlers.play(choice);
    this.touching.pick(choice);
    this.mark();
    this.handlers.changed();
  }

  /** Take back all touches. */
  clear() {
    if (this.touching.isEmpty()) return;
    this.touching.clear();
    this.mark();
    this.handlers.changed();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const from = this.item(this.painter.focusedId());
    if (!from || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.shiftKey || !LOOKING.includes(event.key)) this.pointed = false;
    const aside = this.aside();
    const to = this.goal(event.key, from, aside.some(({ id }) => id === from.id) && !event.shiftKey ? aside : this.stops(event.shiftKey));
    if (to) this.focus(to.id);
    if (to || this.act(event.key, from.id)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** @param {string} key @param {Item} from @param {Item[]} stops @returns {{id: string} | undefined} */
  goal(key, from, stops) {
    if (this.pointed && LOOKING.includes(key)) return undefined;
    if (key in DIRECTIONS) return nearest(from, stops, key) ?? from;
    if (key === "Home") return stops[0];
    if (key === "End") return stops.at(-1);
    if (key === "PageDown") return further(from.id, stops, 1);
    if (key === "PageUp") return further(from.id, stops, -1);
    return undefined;
  }

  /** @param {string} key @param {string} id @returns {boolean} true if the key has a meaning here */
  act(key, id) {
    if (key === "Enter" && this.touching.touched.has(id) && this.chosen()) this.send();
    else if (key === "Enter" || key === " ") this.press(id);
    else return false;
    return true;
  }

  /** @param {readonly string[]} ids of the items of a choice that was sent and is not played yet */
  expect(ids) {
    for (const [id, node] of this.painter.nodes) node.classList.toggle("pending", ids.includes(id));
  }

  /** Mark the items of the move that was played and of the better one, or remove these marks. @param {import("./graph.js").MoveValue} [move] */
  compare(move) {
    this.comparison.show(move?.played.touches ?? [], move?.best?.touches ?? []);
    this.describe();
  }

  /** Mark the items of a hint. The Tab key goes to the first of them. @param {readonly string[]} ids */
  hint(ids) {
    for (const [id, node] of this.painter.nodes) node.classList.toggle("hinted", ids.includes(id));
    this.describe();
    this.painter.field.reveal([...ids]);
    const first = this.stops().find(({ id }) => ids.includes(id));
    if (first && !this.painter.focusedId()) this.goOnFrom("current", first.id);
  }

  /** Put the meaning of each item's mark into its description. */
  describe() {
    for (const node of this.painter.nodes.values()) {
      const [, mark] = MARKS.find(([name]) => node.classList.contains(name)) ?? [];
      if (mark) say(node, [mark], "", "aria-description");
      else unsay(node, "aria-description");
    }
  }
}

/** Return the items at a place on the screen, the uppermost first. @param {number} x @param {number} y */
function idsAt(x, y) {
  return document.elementsFromPoint(x, y).map(idOf).filter(Boolean);
}

/** @param {EventTarget | null} target */
function idOf(target) {
  return target instanceof Element ? target.closest("[data-id]")?.getAttribute("data-id") ?? "" : "";
}

/** @param {Item} from @param {Item[]} stops */
function closest(from, stops) {
  const away = (/** @type {Item} */ stop) => Math.hypot(stop.x - from.x, stop.y - from.y);
  return stops.reduce((best, stop) => (away(stop) < away(best) ? stop : best), stops[0] ?? from);
}
