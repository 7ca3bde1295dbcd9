/** A game as `replays.py` packs it: JSON, deflated, in base 64. */

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
 * @property {number[][][]} scenes  for each position and each of the eyes: the number of the setting, then those of the items
 * @property {string[]} positions  in notation, where the game has no scenes
 * @property {string[]} errors  what the program of each seat wrote to standard error
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

/** @param {Replay} replay @param {number} ply @param {number} eye its place among the eyes @returns {Scene} */
export function sceneAt(replay, ply, eye) {
  const [setting = 0, ...numbers] = replay.scenes[ply]?.[eye] ?? [];
  const [width, height, standings, task] = replay.settings[setting] ?? [];
  const scene = readScene([width, height, [], standings, task]);
  return { ...scene, items: numbers.map((number) => readItem(replay.items[number] ?? [])) };
}
