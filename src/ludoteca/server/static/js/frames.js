/**
 * The shapes of what a room says and is told: `server/frames.py` in JSDoc, with the same names in the same order, which a test
 * compares. Scenes (`scenes.js`) and choices travel as arrays.
 *
 * @typedef {import("./scenes.js").Message} Message
 * @typedef {import("./scenes.js").Item} Item
 * @typedef {import("./scenes.js").Standing} Standing
 * @typedef {import("./scenes.js").Scene} Scene
 *
 * @typedef {object} Choice
 * @property {string} action
 * @property {string[]} touches
 * @property {Message} label
 *
 * @typedef {{kind: "open" | "person" | "agent", name: string, agent: string, present: boolean, resigned: boolean, timed_out: boolean}} Seat
 * @typedef {{player: number, text: string, told: Message}} Line
 * @typedef {{left: number[], running: boolean}} Clock
 * @typedef {{move?: number, bank?: number, increment?: number}} ClockChoice
 * @typedef {{reason: string, by_rules: boolean, loser: number, returns: number[], scores: number[], seed: string, nonce: string, lead: Message, rematch: string}} Over
 *
 * @typedef {object} Whole
 * @property {number} n
 * @property {string} room
 * @property {string} game
 * @property {Record<string, any>} parameters
 * @property {ClockChoice | null} clock
 * @property {Seat[]} seats
 * @property {number} you
 * @property {number} ply
 * @property {number} position_n  the number of the last event that changed the position
 * @property {number} mover
 * @property {string} known  why somebody may know what is hidden: `position`, `computable`; empty where neither is so
 * @property {string} invitation  of a listed room where one has a seat
 * @property {boolean} may_delete  whether the maker may delete the room: with the secret of the seat, or as a spectator with a key
 * @property {string} commitment
 * @property {Line[]} log
 * @property {Scene} scene
 * @property {Choice[]} choices
 * @property {string} give_up
 * @property {Clock | null} clocks
 * @property {Over | null} over
 * @property {Record<string, number[]>} asked
 * @property {Record<string, number>} declined  in this position, each with the seat that did
 * @property {boolean} undo  whether one's last action can be taken back
 * @property {boolean} hints  whether one may ask for hints
 * @property {number} spectators
 *
 * @typedef {object} Change
 * @property {Item[]} changed
 * @property {string[]} gone
 * @property {([number, number] | string)[] | null} order
 * @property {[number, number] | null} size
 * @property {Standing[]} standings
 * @property {Message} task
 * @property {Item[]} meanwhile  what is shown for a moment
 *
 * @typedef {object} RoomEvent
 * @property {number} n
 * @property {string} kind
 * @property {number} ply
 * @property {number} position_n
 * @property {number} mover
 * @property {Seat[]} [seats]
 * @property {Line} [line]
 * @property {Change} [change]
 * @property {Choice[]} [choices]
 * @property {string} [give_up]
 * @property {Clock} [clocks]
 * @property {Over} [over]
 * @property {Record<string, number[]>} [asked]
 * @property {Record<string, number>} [declined]
 * @property {boolean} [undo]
 * @property {boolean} [hints]
 * @property {boolean} [may_delete]
 *
 * @typedef {{kind: string, seats?: Seat[], player?: number, percent?: number, number?: number, clocks?: Clock}} Note
 * @typedef {{id: number, n: number}} Done
 * @typedef {{id: number, n: number, action: string, items: Item[], marked: string[], told: Message, deed: Message}} Previewed
 *
 * @typedef {{id: number, n: number, scene: Scene, choices: Choice[]}} Planned
 *
 * @typedef {object} Hinted
 * @property {number} id
 * @property {number} n
 * @property {string} action
 * @property {string[]} touches
 * @property {number} value
 * @property {Line[]} line  the action, and how the game may go on after it
 * @property {Message} worth
 * @property {[Line, Message][]} others  the next best actions, and what they are worth
 * @property {boolean} is_guess  whether little or nothing was searched
 *
 * @typedef {{id: number, ply: number, player: number, scene: Scene}} Past
 * @typedef {{id: number, n: number, ply: number, position: string, moves: string[], give_up: string}} Text
 * @typedef {{id: number, code: string, message: Message}} Refused
 *
 * Requests; `talk.js` gives each its `id`.
 *
 * @typedef {{t: "hello", token?: string | null}} Hello
 * @typedef {{t: "play", n: number, action: string}} Play
 * @typedef {{t: "write", n: number, text: string}} Write
 * @typedef {{t: "why", n: number, touched: string[]}} Why
 * @typedef {{t: "preview", n: number, action: string}} Preview
 * @typedef {{t: "plan", n: number}} Plan
 * @typedef {{t: "hint", n: number}} Hint
 * @typedef {{t: "undo", n: number}} Undo
 * @typedef {{t: "resign", n: number}} Resign
 * @typedef {{t: "replace", seat: number}} Replace
 * @typedef {{t: "decline", what: string}} Decline
 * @typedef {{t: "rematch"}} Rematch
 * @typedef {{t: "give"}} Give
 * @typedef {{t: "say", phrase: number}} Say
 * @typedef {{t: "look", ply: number, player?: number}} Look
 * @typedef {{t: "read"}} Read
 * @typedef {Play | Write | Why | Preview | Plan | Hint | Undo | Resign | Replace | Decline | Rematch | Give | Say | Look | Read} Request
 */

import { readItem, readScene, readStanding } from "./scenes.js";

/** In place of the player to move when the game is over. */
export const OVER = -4;

/** In place of the player to move while seats are open, and the seat of a spectator. */
export const NOBODY = -1;

/** @param {any[]} parts @returns {Choice} */
function readChoice([action, touches, label = ""]) {
  return { action, touches, label };
}

/** @param {any} change @returns {Change} */
function readChange(change) {
  const { changed, standings, meanwhile } = change;
  return { ...change, changed: changed.map(readItem), standings: standings.map(readStanding), meanwhile: meanwhile.map(readItem) };
}

/**
 * A frame with its arrays read.
 *
 * @param {string} text
 * @returns {any}
 */
export function readFrame(text) {
  const frame = JSON.parse(text);
  if (frame.scene) frame.scene = readScene(frame.scene);
  if (frame.choices) frame.choices = frame.choices.map(readChoice);
  if (frame.items) frame.items = frame.items.map(readItem);
  if (frame.change) frame.change = readChange(frame.change);
  return frame;
}
