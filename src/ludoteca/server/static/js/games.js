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
 * @property {boolean} all_see_the_same  true if every player sees the same as a spectator
 * @property {boolean} lesson  whether there is a guided first game
 * @property {boolean} sends_at_once  true if the touch that completes a choice also sends it
 * @property {boolean} plans  true if players can choose in advance, while others move
 * @property {{names: string[], combinations: any[][]} | null} together  the values that go together, or null if all do
 * @property {Parameter[]} parameters
 * @property {boolean} matchmaking  true if the server finds opponents
 * @property {boolean} phrases  true where players can say phrases
 */

/** The parameter that says how many play. */
export const PLAYERS = "players";

/** @type {Promise<Game[]> | null} */
let asked = null;

/** All games; asked for once a page. @returns {Promise<Game[]>} */
export function listGames() {
  asked ??= get("/api/games").catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** @param {string} name @returns {Promise<Game>} */
export async function findGame(name) {
  const game = (await listGames()).find((listed) => listed.name === name);
  if (!game) throw new Error(`there is no game ${name}`);
  return game;
}

/**
 * A parameter with those of its values that go together with this number of players.
 *
 * @param {Game} game
 * @param {Parameter} parameter
 * @param {number} players
 * @returns {Parameter}
 */
export function narrowed({ together }, parameter, players) {
  const at = together?.names.indexOf(parameter.name) ?? -1;
  if (!together || at < 0) return parameter;
  const mine = together.combinations.filter((combination) => combination[together.names.indexOf(PLAYERS)] === players);
  const fitting = new Set(mine.map((combination) => combination[at]));
  if (parameter.options) return { ...parameter, options: parameter.options.filter((option) => fitting.has(option)) };
  return { ...parameter, low: Math.min(...fitting), high: Math.max(...fitting) };
}

/** True if the parameter has one possible value. @param {Parameter} parameter */
export function isFixed({ kind, low, high, options }) {
  return kind === "integer" ? low === high : options?.length === 1;
}

/**
 * These values, or the ones nearest to them that go together and leave one of them as it is.
 *
 * @param {Game} game
 * @param {Record<string, any>} values
 * @param {string} name of the one that stays
 * @returns {Record<string, any>}
 */
export function fitted({ together }, values, name) {
  if (!together?.names.includes(name)) return values;
  const { names, combinations } = together;
  const equal = (/** @type {any[]} */ combination) => names.filter((each, at) => values[each] === combination[at]).length;
  const staying = combinations.filter((combination) => combination[names.indexOf(name)] === values[name]);
  const best = staying.reduce((nearest, each) => (equal(each) > equal(nearest) ? each : nearest), staying[0] ?? []);
  return { ...values, ...Object.fromEntries(best.map((value, at) => [names[at], value])) };
}

/** @param {Game} game @returns {[number, number]} the fewest and the most who play */
export function playerRange(game) {
  const players = game.parameters.find((parameter) => parameter.name === "players");
  return players ? [players.low ?? 1, players.high ?? 1] : [game.players, game.players];
}

/**
 * Return a text of the game from its catalogue. If the catalogue has none, return the English text of the specification.
 *
 * @param {Game} game
 * @param {string} key
 * @param {string} english
 * @returns {Message}
 */
export function gameText(game, key, english) {
  return hasWords(key, game.name) ? [key] : english;
}
