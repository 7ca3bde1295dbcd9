/** Items on their way: a copy flies above all others, and the item itself is shown when it lands. */

/** @typedef {import("./scenes.js").Item} Item */

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
const DURATION = 320;
const EASING = "cubic-bezier(0.3, 0.7, 0.3, 1)";

/**
 * @param {Item} item
 * @returns {string} the `transform` attribute that puts it in its place
 */
export function placed(item) {
  return `translate(${item.x} ${item.y})${item.angle ? ` rotate(${item.angle})` : ""}`;
}

/** @param {number} x @param {number} y @param {number} angle */
function transform(x, y, angle) {
  return `translate(${x}px, ${y}px) rotate(${angle}deg)`;
}

export class Flights {
  /** @param {SVGElement} air where copies fly */
  constructor(air) {
    this.air = air;
    /** @type {Map<string, () => void>} What ends each flight. */
    this.landings = new Map();
  }

  /**
   * @param {string} id
   * @param {SVGElement} node
   * @param {Item} from
   * @param {Item} to
   */
  fly(id, node, from, to) {
    this.land(id);
    if (CALM.matches) return;
    const copy = this.copyOf(node);
    node.classList.add("flying");
    const turn = ((((to.angle - from.angle) % 360) + 540) % 360) - 180;
    const frames = [transform(from.x, from.y, to.angle - turn), transform(to.x, to.y, to.angle)];
    const flight = copy.animate({ transform: frames }, { duration: DURATION, easing: EASING, fill: "both" });
    const landing = () => this.end(id, node, copy);
    this.landings.set(id, landing);
    flight.onfinish = landing;
  }

  /** @param {string} id @param {SVGElement} node @param {SVGElement} copy */
  end(id, node, copy) {
    copy.remove();
    node.classList.remove("flying");
    this.landings.delete(id);
  }

  /** @param {string} id of an item whose flight ends now */
  land(id) {
    this.landings.get(id)?.();
  }

  /** @param {SVGElement} node */
  appear(node) {
    if (!CALM.matches) node.animate({ opacity: [0, 1] }, { duration: DURATION });
  }

  /** @param {SVGElement} node of an item that is gone */
  fade(node) {
    if (CALM.matches) return;
    const copy = this.copyOf(node);
    this.air.append(copy);
    copy.animate({ opacity: [1, 0] }, { duration: DURATION }).onfinish = () => copy.remove();
  }

  /** @param {SVGElement} node */
  copyOf(node) {
    const copy = /** @type {SVGElement} */ (node.cloneNode(true));
    for (const name of ["data-id", "data-said", "tabindex", "role", "aria-label", "aria-pressed"]) copy.removeAttribute(name);
    copy.classList.remove("lit", "touched", "flying", "hinted", "marked", "pending");
    this.air.append(copy);
    return copy;
  }
}
