/** Moves from item to item with the arrow keys. */

/** @typedef {{id: string, x: number, y: number}} Place */

/** @type {Record<string, [number, number]>} */
export const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The cost of a distance aside, in costs of the same distance along the direction. */
const ASIDE = 2.5;
const NEAR = 1e-6;

/**
 * Return the nearest place in a direction.
 *
 * @param {Place} from
 * @param {Iterable<Place>} places
 * @param {string} key one of DIRECTIONS
 * @returns {Place | undefined}
 */
export function nearest(from, places, key) {
  const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
  /** @type {Place | undefined} */
  let best;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    const cost = along + ASIDE * aside;
    if (along > NEAR && place.id !== from.id && cost < least) [best, least] = [place, cost];
  }
  return best;
}

/**
 * Return the places in reading order, line by line.
 *
 * @template {Place} P
 * @param {Iterable<P>} places
 * @returns {P[]}
 */
export function inReadingOrder(places) {
  return [...places].sort((a, b) => a.y - b.y || a.x - b.x);
}

/**
 * Return the place that is `step` places further in reading order. After the last place comes the first.
 *
 * @param {string} from
 * @param {Place[]} places in reading order
 * @param {number} step
 * @returns {Place | undefined}
 */
export function further(from, places, step) {
  const at = places.findIndex((place) => place.id === from);
  if (at < 0) return step > 0 ? places[0] : places.at(-1);
  return places[(at + step + places.length) % places.length];
}
