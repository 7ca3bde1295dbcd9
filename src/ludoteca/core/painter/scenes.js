/**
 * The types of scenes: `core/scene.py` in JSDoc. A test checks that both have the same names in the same order. The server sends
 * these types as arrays.
 *
 * @typedef {string | number | MessageParts} Message
 * @typedef {[string, ...Array<any>]} MessageParts  a key and its arguments, which are messages
 *
 * @typedef {object} Item
 * @property {string} id
 * @property {string} sprite
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} angle
 * @property {string} classes
 * @property {Message} label
 * @property {Message} text
 * @property {string} start
 * @property {Message} zone
 *
 * @typedef {object} Standing
 * @property {number} player
 * @property {Array<[Message, Message]>} facts
 * @property {string} sprite
 * @property {boolean} out
 *
 * @typedef {object} Scene
 * @property {number} width
 * @property {number} height
 * @property {Item[]} items
 * @property {Standing[]} standings
 * @property {Message} task
 * @property {[number, number] | null} field  the top and the height of the window over the items of the class `field`
 *
 * @typedef {{items?: string[], starts?: Record<string, string>}} Placed
 */

/** @param {any[]} parts @returns {Item} */
export function readItem(parts) {
  const [id, sprite, x, y, w = 1, h = 1, angle = 0, classes = "", label = "", text = "", start = "", zone = ""] = parts;
  return { id, sprite, x, y, w, h, angle, classes, label, text, start, zone };
}

/** @param {any[]} parts @returns {Standing} */
export function readStanding([player, facts, sprite = "", out = false]) {
  return { player, facts, sprite, out };
}

/** @param {any[]} parts @returns {Scene} */
export function readScene([width, height, items, standings, task, field = null]) {
  return { width, height, items: items.map(readItem), standings: standings.map(readStanding), task, field };
}

/**
 * Return the scene with the classes `last` and `by-PLAYER` on the items that moves have put on the board, and with their starts.
 *
 * @param {Scene} scene
 * @param {Array<{player: number, placed: Placed}>} moves from the newest
 * @returns {Scene}
 */
export function marked(scene, moves) {
  const marks = new Map([...moves].reverse().flatMap(({ player, placed }) => (placed.items ?? []).map((id) => [id, ` last by-${player}`])));
  const starts = new Map(moves.flatMap(({ placed }) => Object.entries(placed.starts ?? {})));
  const items = scene.items.map((item) => {
    const classes = (item.classes + (marks.get(item.id) ?? "")).trim();
    return { ...item, classes, start: starts.get(item.id) ?? item.start };
  });
  return { ...scene, items };
}
