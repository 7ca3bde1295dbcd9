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
 * @property {number} players  0 if the game has a parameter of that name
 * @property {Record<string, import("./scenes.js").Message>} agents the descriptions of the agents, by name
 * @property {boolean} all_see_the_same  true if every player sees the same as a spectator
 * @property {boolean} lesson  true if the game has a guided first game
 * @property {boolean} sends_at_once  true if the touch that completes a choice also sends it
 * @property {boolean} plans  true if players can choose in advance, while others move
 * @property {{names: string[], combinations: any[][]} | null} together  the values that go together, or null if all do
 * @property {Parameter[]} parameters
 * @property {boolean} matchmaking  true if the server finds opponents
 * @property {boolean} friends  true if friends can join by a link
 * @property {boolean} phrases  true if players can say phrases
 * @property {boolean} animated_pictures  true if the server draws finished games as animated pictures
 */

/** The parameter with the number of players. */
export const PLAYERS = "players";

/** @type {Promise<Game[]> | null} */
let asked = null;

/** @type {Game[]} the games, when the server has answered */
let listed = [];

/** Return all games. The page asks the server once. @returns {Promise<Game[]>} */
export function listGames() {
  asked ??= get("/api/games").then(
    (games) => (listed = games),
    (error) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** Return the names of a game's agents, when the server has answered. @param {string} name @returns {string[]} */
export function agentsOf(name) {
  return Object.keys(listed.find((game) => game.name === name)?.agents ?? {});
}

/** True if the page is of a server, through which people play together. */
export function isForPeople() {
  return listed.every(({ friends }) => friends);
}

/** @param {string} name @returns {Promise<Game>} */
export async function findGame(name) {
  const game = (await listGames()).find((game) => game.name === name);
  if (!game) throw new Error(`there is no game ${name}`);
  return game;
}

/**
 * Return a parameter with the values that go together with a number of players.
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
 * Return the values if they go together. Otherwise return the nearest values that do, with one value unchanged.
 *
 * @param {Game} game
 * @param {Record<string, any>} values
 * @param {string} name of the value that stays
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

/** @param {Game} game @returns {[number, number]} the smallest and the largest number of players */
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
