/**
 * Items in motion: a copy flies above all other items, and the item itself appears when the copy lands. The motions of one
 * change of scenes have stages, one after the other. By default an item has stage 0. An item whose style has `--stage: 1` waits
 * until the items of stage 0 have landed. With `--share: 1.5`, its stage takes 1.5 times the usual time.
 */

/**
 * @typedef {import("./scenes.js").Item} Item
 *
 * @typedef {{delay: number, duration: number}} Span  in milliseconds
 *
 * @typedef {object} Motion
 * @property {number} stage
 * @property {number} share
 * @property {(span: Span, end: number) => void} begin  called with the time of its stage, and the end of the last stage
 */

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
/** The milliseconds of a stage with a share of 1, at the usual pace. */
const DURATION = 320;
/** The milliseconds after the last stage for which items that are shown for a moment stay. */
const LINGER = 500;
const EASING = "cubic-bezier(0.3, 0.7, 0.3, 1)";
/** The classes for the state of an item. They are no part of its look. */
export const STATES = ["lit", "touched", "hinted", "marked", "pending", "dragged", "followed"];

let pace = 1;

/** Set the length of motions. @param {number} times in parts of the usual length, 0 for no motion */
export function setPace(times) {
  pace = times;
}

/** True if there are no motions. */
export function isStill() {
  return CALM.matches || pace === 0;
}

/**
 * @param {Item} item
 * @returns {string} the `transform` attribute for the item's place
 */
export function placed(item) {
  return `translate(${item.x} ${item.y})${item.angle ? ` rotate(${item.angle})` : ""}`;
}

/** @param {{x: number, y: number}} at @param {number} angle @param {number} [wide] @param {number} [high] in parts of its size */
function transform({ x, y }, angle, wide = 1, high = 1) {
  return `translate(${x}px, ${y}px) rotate(${angle}deg) scale(${wide}, ${high})`;
}

/** @param {SVGElement} node on the page @returns {{stage: number, share: number}} from its style */
export function stageOf(node) {
  const style = getComputedStyle(node);
  return { stage: Number(style.getPropertyValue("--stage")), share: Number(style.getPropertyValue("--share") || 1) };
}

/**
 * Return the delay and the duration of each stage. Stages without motions take no time.
 *
 * @param {Array<{stage: number, share: number}>} motions
 * @returns {Map<number, Span>}
 */
export function spans(motions) {
  /** @type {Map<number, number>} */
  const shares = new Map();
  for (const { stage, share } of motions) shares.set(stage, Math.max(share, shares.get(stage) ?? 0));
  let delay = 0;
  return new Map(
    [...shares].sort(([a], [b]) => a - b).map(([stage, share]) => {
      const span = { delay, duration: DURATION * pace * share };
      delay += span.duration;
      return [stage, span];
    }),
  );
}

export class Flights {
  /** @param {SVGElement} air the group of the copies in flight */
  constructor(air) {
    this.air = air;
    /** @type {Set<() => void>} The functions that end each running motion. */
    this.landings = new Set();
    /** True until the last stage ends. */
    this.moving = false;
    /** Called when the last stage ends by itself, and not because a new scene is shown. */
    this.landed = () => {};
  }

  /** Run the motions of one change of scenes, stage after stage. @param {Motion[]} motions */
  begin(motions) {
    const times = spans(motions);
    const end = Math.max(0, ...[...times.values()].map(({ delay, duration }) => delay + duration));
    for (const { stage, begin } of motions) begin(/** @type {Span} */ (times.get(stage)), end);
    if (!motions.length) return;
    this.moving = true;
    this.watch(this.air.animate({}, { duration: end }), () => {
      if (!this.moving) return;
      this.moving = false;
      this.landed();
    });
  }

  /** End all motions at once. */
  land() {
    this.moving = false;
    for (const landing of [...this.landings]) landing();
  }

  /**
   * @param {SVGElement} node
   * @param {Item} from
   * @param {Item} to
   * @param {number} width of the drawn item, which the scene shows as wide as `to`
   * @param {Span} span
   */
  fly(node, from, to, width, span) {
    const copy = this.copyOf(node);
    node.classList.add("flying");
    const turn = ((((to.angle - from.angle) % 360) + 540) % 360) - 180;
    const scale = to.w / width;
    const [wide, high] = from.id === to.id ? [from.w / to.w, from.h / to.h] : [1, 1]; // another item gives no size
    const frames = [transform(from, to.angle - turn, wide * scale, high * scale), transform(to, to.angle, scale, scale)];
    this.watch(copy.animate({ transform: frames }, { ...span, easing: EASING, fill: "both" }), () => {
      copy.remove();
      node.classList.remove("flying");
    });
  }

  /** @param {SVGElement} node @param {Span} span */
  appear(node, span) {
    this.watch(node.animate({ opacity: [0, 1] }, { ...span, fill: "backwards" }), () => {});
  }

  /** @param {SVGElement} copy of an item that was removed @param {Span} span */
  fade(copy, span) {
    this.air.append(copy);
    this.watch(copy.animate({ opacity: [1, 0] }, { ...span, fill: "both" }), () => copy.remove());
  }

  /**
   * Show a node above the scene, from its stage until `LINGER` after the last one.
   *
   * @param {SVGElement} node
   * @param {Span} span
   * @param {number} end
   */
  linger(node, { delay, duration }, end) {
    this.air.append(node); // above the copies in flight
    const whole = end - delay + LINGER * pace;
    const shown = duration / 2 / whole;
    const frames = { opacity: [0, 1, 1, 0], offset: [0, shown, 1 - shown, 1] };
    this.watch(node.animate(frames, { delay, duration: whole, fill: "both" }), () => node.remove());
  }

  /** Call a function when the stage begins. @param {SVGElement} node @param {Span} span @param {() => void} act */
  wait(node, { delay }, act) {
    if (delay === 0) act();
    else this.watch(node.animate({}, { duration: delay }), act);
  }

  /** @param {Animation} animation @param {() => void} landed called when it ends, by itself or because a new scene comes */
  watch(animation, landed) {
    const landing = () => {
      if (!this.landings.delete(landing)) return;
      animation.cancel();
      landed();
    };
    this.landings.add(landing);
    animation.onfinish = landing;
  }

  /** @param {SVGElement} node @returns {SVGElement} a copy for a flight, which cannot be touched */
  copyOf(node) {
    const copy = /** @type {SVGElement} */ (node.cloneNode(true));
    for (const name of ["data-id", "data-said", "tabindex", "role", "aria-label", "aria-pressed"]) copy.removeAttribute(name);
    copy.classList.remove("flying", ...STATES);
    this.air.append(copy);
    return copy;
  }
}
