/** The state of the room, which events update. */

import { NOBODY, OVER } from "./frames.js";
import { marked } from "./scenes.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").RoomEvent} RoomEvent
 * @typedef {import("./frames.js").Yours} Yours
 * @typedef {import("./frames.js").Scene} Scene
 * @typedef {import("./frames.js").Change} Change
 * @typedef {import("./frames.js").Line} Line
 */

/**
 * Return a scene after a change.
 *
 * @param {Scene} scene
 * @param {Change} change
 * @returns {Scene}
 */
export function changedScene(scene, change) {
  const items = new Map(scene.items.map((item) => [item.id, item]));
  for (const id of change.gone) items.delete(id);
  for (const item of change.changed) items.set(item.id, item);
  const order = change.order?.flatMap((part) =>
    typeof part === "string" ? [part] : scene.items.slice(part[0], part[0] + part[1]).map((item) => item.id));
  const sorted = (order ?? [...items.keys()]).map((id) => items.get(id)).filter((item) => item !== undefined);
  const [width, height, field] = change.size ?? [scene.width, scene.height, scene.field];
  return { width, height, items: sorted, standings: change.standings, task: change.task, field };
}

/**
 * Return the room after an event.
 *
 * @param {Whole} room
 * @param {RoomEvent} event
 * @param {Yours | null} [yours] the last frame `yours`
 * @returns {Whole | null} null if an event before it is missing, so that the page has to ask for the whole room
 */
export function after(room, event, yours) {
  if (event.n <= room.n) return room;
  if (event.n > room.n + 1) return null;
  return {
    ...room,
    ...(event.position_n === event.n ? { choices: [], give_up: "" } : {}),
    ...(yours?.n === event.n ? yours : {}),
    n: event.n,
    ply: event.ply,
    position_n: event.position_n,
    mover: event.mover,
    seats: event.seats ?? room.seats,
    log: event.line ? [...room.log, event.line] : room.log,
    scene: event.change ? changedScene(room.scene, event.change) : room.scene,
    clocks: event.clocks ?? room.clocks,
    over: event.over ?? room.over,
    asked: event.asked ?? room.asked,
    declined: event.declined ?? {},
  };
}

/**
 * Return the moves since a seat's last one: at most one turn of each other player. If no other player has moved since, return the
 * seat's own turn. A spectator gets the last turn, and a player alone the last move.
 *
 * @param {Line[]} log
 * @param {number} seat
 * @param {number} players
 * @returns {Line[]} the last one first
 */
function newMoves(log, seat, players) {
  const last = log.at(-1)?.player;
  let [turns, mover] = [seat === NOBODY || seat === last ? 1 : players - 1, NOBODY];
  /** @type {Line[]} */
  const found = [];
  for (const line of [...log].reverse()) {
    if (line.player !== mover && (turns === 0 || (found.length > 0 && line.player === seat))) break;
    if (line.player !== mover) [turns, mover] = [turns - 1, line.player];
    found.push(line);
  }
  return players === 1 ? found.slice(0, 1) : found;
}

/** The scenes with marks, by the scenes without. @type {WeakMap<Scene, Scene>} */
const LIT = new WeakMap();

/**
 * Return the scene after `ply` moves, with the moves marked that are new to a seat. The same scene gives the same object again,
 * so that the painter does not draw it twice.
 *
 * @param {Whole} room
 * @param {Scene} scene
 * @param {number} ply
 * @param {number} seat
 */
export function markedScene(room, scene, ply, seat) {
  const known = LIT.get(scene);
  if (known) return known;
  const moves = newMoves(room.log.slice(0, ply), seat, room.seats.length);
  const found = marked(scene, moves);
  LIT.set(scene, found);
  return found;
}

/** @param {Whole} room */
export function isOver(room) {
  return room.mover === OVER;
}

/** @param {Whole} room */
export function isWaiting(room) {
  return room.mover === NOBODY;
}

/** True if it is the player's turn. @param {Whole} room */
export function isMine(room) {
  return room.you >= 0 && room.mover === room.you;
}

/** True if the player may ask for a hint now. @param {Whole} room */
export function mayAsk(room) {
  return isMine(room) && room.hints;
}

/** Return the seat of another player, who is there and has declined a question in this position, or null. @param {Whole} room @param {string} what */
export function declinedBy(room, what) {
  const by = room.declined[what];
  return by === undefined || by === room.you || !room.seats[by]?.present ? null : by;
}
