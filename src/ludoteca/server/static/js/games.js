/** The games of the server: `GET /api/games`. */

import { get } from "./api.js";
import { hasWords } from "./words.js";

/**
 * @typedef {import("./frames.js").Message} Message
 *
 * @typedef {object} Parameter
 * @property {"integer" | "choice" | "text"} kind
 * @property {string} name
 * @property {any} default
 * @property {string} help
 * @property {number} [low]
 * @property {number} [high]
 * @property {number} [step]
 * @property {string[]} [options]
 * @property {string} [form]
 * @property {{symbols: string[], low: number, high: number} | null} [grid]
 * @property {Record<string, string>} [presets]
 *
 * @typedef {object} Game
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {number} players  0 when a parameter of that name says how many
 * @property {Record<string, import("./scenes.js").Message>} agents what each of them does, by name
 * @property {boolean} sends_at_once  true where the touch that makes a choice whole sends it
 * @property {Parameter[]} parameters
 */

/** @returns {Promise<Game[]>} */
export function listGames() {
  return get("/api/games");
}

/** @param {string} name @returns {Promise<Game>} */
export async function findGame(name) {
  const game = (await listGames()).find((listed) => listed.name === name);
  if (!game) throw new Error(`there is no game ${name}`);
  return game;
}

/** @param {Game} game @returns {[number, number]} the fewest and the most who play */
export function playerRange(game) {
  const players = game.parameters.find((parameter) => parameter.name === "players");
  return players ? [players.low ?? 1, players.high ?? 1] : [game.players, game.players];
}

/**
 * A text of the game's own, in its catalogue or, where it has none there, as its specification says it in English.
 *
 * @param {Game} game
 * @param {string} key
 * @param {string} english
 * @returns {Message}
 */
export function gameText(game, key, english) {
  return hasWords(key, game.name) ? [key] : english;
}
