/** A game as `replays.py` packs it: JSON, compressed with deflate, in base64. */

import { readItem, readScene } from "./scenes.js";

/**
 * @typedef {import("./scenes.js").Message} Message
 * @typedef {import("./scenes.js").Item} Item
 * @typedef {import("./scenes.js").Scene} Scene
 *
 * @typedef {object} Replay
 * @property {Array<[number, string, Message]>} moves  player, notation, words
 * @property {any[][]} items
 * @property {any[][]} settings  width, height, standings, task
 * @property {number[][][]} scenes  for each position and each viewer: the index of the setting, then the indices of the items
 * @property {string[]} positions  in notation, if the game has no scenes
 * @property {string[]} errors  the standard error of each seat's program
 */

/** Whether this browser can unpack games. */
export function canUnpack() {
  return "DecompressionStream" in window;
}

/** @param {string} packed @returns {Promise<Replay>} */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const content = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(content).text());
}

/** @param {Replay} replay @param {number} ply @param {number} eye the index of the viewer @returns {Scene} */
export function sceneAt(replay, ply, eye) {
  const [setting = 0, ...numbers] = replay.scenes[ply]?.[eye] ?? [];
  const [width, height, standings, task] = replay.settings[setting] ?? [];
  const scene = readScene([width, height, [], standings, task]);
  return { ...scene, items: numbers.map((number) => readItem(replay.items[number] ?? [])) };
}
