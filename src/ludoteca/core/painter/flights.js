/**
 * Items on their way: a copy flies above all others, and the item itself is shown when it lands. What moves at the same change
 * of scenes moves in stages, one after the other: a style says `--stage: 1` of items that wait until those of stage 0, which
 * all others are, have landed, and `--share: 1.5` of those whose stage takes half as long again.
 */

/**
 * @typedef {import("./scenes.js").Item} Item
 *
 * @typedef {{delay: number, duration: number}} Span  in milliseconds
 *
 * @typedef {object} Motion
 * @property {number} stage
 * @property {number} share
 * @property {(span: Span, end: number) => void} begin  told when its stage is, and when the last one ends
 */

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds of a stage with a share of 1, at the usual pace. */
const DURATION = 320;
/** Milliseconds after all else for which is seen what is only shown for a moment. */
const LINGER = 500;
const EASING = "cubic-bezier(0.3, 0.7, 0.3, 1)";
/** How it stands with an item at the moment: not a part of its look. */
export const STATES = ["lit", "touched", "hinted", "marked", "pending", "dragged", "followed"];

let pace = 1;

/** @param {number} times how long motion takes from now on, in parts of what is usual; 0 for none */
export function setPace(times) {
  pace = times;
}

/** True where everything is put in its place at once. */
export function isStill() {
  return CALM.matches || pace === 0;
}

/**
 * @param {Item} item
 * @returns {string} the `transform` attribute that puts it in its place
 */
export function placed(item) {
  return `translate(${item.x} ${item.y})${item.angle ? ` rotate(${item.angle})` : ""}`;
}

/** @param {{x: number, y: number}} at @param {number} angle @param {number} [wide] @param {number} [high] in parts of its size */
function transform({ x, y }, angle, wide = 1, high = 1) {
  return `translate(${x}px, ${y}px) rotate(${angle}deg) scale(${wide}, ${high})`;
}

/** @param {SVGElement} node on the page @returns {{stage: number, share: number}} what its style says */
export function stageOf(node) {
  const style = getComputedStyle(node);
  return { stage: Number(style.getPropertyValue("--stage")), share: Number(style.getPropertyValue("--share") || 1) };
}

/**
 * When each stage begins, and how long it takes. Stages in which nothing moves take no time.
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
  /** @param {SVGElement} air where copies fly */
  constructor(air) {
    this.air = air;
    /** @type {Set<() => void>} What brings each motion under way to its end. */
    this.landings = new Set();
    /** True until the last stage has ended. */
    this.moving = false;
    /** Called when it has ended by itself, and not because something new is shown. */
    this.landed = () => {};
  }

  /** Begin what moves at one change of scenes, stage after stage. @param {Motion[]} motions */
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

  /** Bring all that moves to its end, at once: nobody waits for it. */
  land() {
    this.moving = false;
    for (const landing of [...this.landings]) landing();
  }

  /**
   * @param {SVGElement} node
   * @param {Item} from
   * @param {Item} to
   * @param {Span} span
   */
  fly(node, from, to, span) {
    const copy = this.copyOf(node);
    node.classList.add("flying");
    const turn = ((((to.angle - from.angle) % 360) + 540) % 360) - 180;
    const [wide, high] = from.id === to.id ? [from.w / to.w, from.h / to.h] : [1, 1]; // another item is only where it comes from
    const frames = [transform(from, to.angle - turn, wide, high), transform(to, to.angle)];
    this.watch(copy.animate({ transform: frames }, { ...span, easing: EASING, fill: "both" }), () => {
      copy.remove();
      node.classList.remove("flying");
    });
  }

  /** @param {SVGElement} node @param {Span} span */
  appear(node, span) {
    this.watch(node.animate({ opacity: [0, 1] }, { ...span, fill: "backwards" }), () => {});
  }

  /** @param {SVGElement} node of an item that is gone @param {Span} span */
  fade(node, span) {
    const copy = this.copyOf(node);
    this.watch(copy.animate({ opacity: [1, 0] }, { ...span, fill: "both" }), () => copy.remove());
  }

  /**
   * Show something in the air from its stage on until a while after the last one.
   *
   * @param {SVGElement} node
   * @param {Span} span
   * @param {number} end
   */
  linger(node, { delay, duration }, end) {
    this.air.append(node); // above what flies
    const whole = end - delay + LINGER * pace;
    const shown = duration / 2 / whole;
    const frames = { opacity: [0, 1, 1, 0], offset: [0, shown, 1 - shown, 1] };
    this.watch(node.animate(frames, { delay, duration: whole, fill: "both" }), () => node.remove());
  }

  /** Do something when its stage begins. @param {SVGElement} node @param {Span} span @param {() => void} act */
  wait(node, { delay }, act) {
    if (delay === 0) act();
    else this.watch(node.animate({}, { duration: delay }), act);
  }

  /** @param {Animation} animation @param {() => void} landed what is done when it ends, by itself or because something new comes */
  watch(animation, landed) {
    const landing = () => {
      if (!this.landings.delete(landing)) return;
      animation.cancel();
      landed();
    };
    this.landings.add(landing);
    animation.onfinish = landing;
  }

  /** @param {SVGElement} node @returns {SVGElement} that nobody touches, in the air */
  copyOf(node) {
    const copy = /** @type {SVGElement} */ (node.cloneNode(true));
    for (const name of ["data-id", "data-said", "tabindex", "role", "aria-label", "aria-pressed"]) copy.removeAttribute(name);
    copy.classList.remove("flying", ...STATES);
    this.air.append(copy);
    return copy;
  }
}
