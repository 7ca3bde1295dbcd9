/**
 * The types of a room's frames and requests: `server/frames.py` in JSDoc. A test checks that both have the same names in the same
 * order. The server sends scenes (`scenes.js`) and choices as arrays.
 *
 * @typedef {import("./scenes.js").Message} Message
 * @typedef {import("./scenes.js").Item} Item
 * @typedef {import("./scenes.js").Standing} Standing
 * @typedef {import("./scenes.js").Scene} Scene
 * @typedef {import("./scenes.js").Placed} Placed
 *
 * @typedef {object} Choice
 * @property {string} action
 * @property {string[]} touches
 * @property {Message} label
 *
 * @typedef {{kind: "open" | "person" | "agent", name: string, agent: string, present: boolean, resigned: boolean, timed_out: boolean, kept: number, awaited: boolean}} Seat
 * @typedef {{player: number, text: string, told: Message, placed: Placed}} Line
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
 * @property {string} known  why a player may know hidden things: `position`, `computable`, or empty for no reason
 * @property {string} invitation  the secret of the invitation, for the players of a listed room
 * @property {boolean} may_delete  true if the room can be deleted, with the secret of the seat or as a spectator with a key
 * @property {string} commitment
 * @property {Line[]} log
 * @property {Scene} scene
 * @property {Choice[]} choices
 * @property {string} give_up
 * @property {Clock | null} clocks
 * @property {Over | null} over
 * @property {Record<string, number[]>} asked
 * @property {Record<string, number>} declined  the questions declined in this position, with the seat that declined each
 * @property {boolean} undo  true if the player's last action can be taken back
 * @property {boolean} hints  true if the player may ask for hints
 * @property {number} spectators
 *
 * @typedef {object} Change
 * @property {Item[]} changed
 * @property {string[]} gone
 * @property {([number, number] | string)[] | null} order
 * @property {[number, number, [number, number] | null] | null} size
 * @property {Standing[]} standings
 * @property {Message} task
 * @property {Item[]} meanwhile  items that are shown for a moment
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
 * @property {Clock} [clocks]
 * @property {Over} [over]
 * @property {Record<string, number[]>} [asked]
 * @property {Record<string, number>} [declined]
 *
 * @typedef {{n: number, choices: Choice[], give_up: string, undo: boolean, hints: boolean, may_delete: boolean}} Yours
 *
 * @typedef {{kind: string, seats?: Seat[], player?: number, percent?: number, number?: number, clocks?: Clock}} Note
 * @typedef {{id: number, n: number}} Done
 * @typedef {{id: number}} Pong
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
 * @property {Line[]} line  the action, and actions that may follow
 * @property {Message} worth
 * @property {[Line, Message][]} others  the next best actions, and their values
 * @property {boolean} is_guess  true if the search was short, or if there was none
 *
 * @typedef {{id: number, ply: number, player: number, scene: Scene}} Past
 * @typedef {{id: number, n: number, ply: number, position: string, moves: string[], give_up: string}} Text
 * @typedef {{id: number, code: string, message: Message}} Refused
 *
 * The requests. `talk.js` adds an `id` to each, and `socket.js` to pings.
 *
 * @typedef {{t: "hello", token?: string | null}} Hello
 * @typedef {{t: "ping"}} Ping
 * @typedef {{t: "play", n: number, action: string}} Play
 * @typedef {{t: "write", n: number, text: string}} Write
 * @typedef {{t: "why", n: number, touched: string[]}} Why
 * @typedef {{t: "preview", n: number, action: string}} Preview
 * @typedef {{t: "plan", n: number}} Plan
 * @typedef {{t: "hint", n: number}} Hint
 * @typedef {{t: "undo", n: number}} Undo
 * @typedef {{t: "resign", n: number}} Resign
 * @typedef {{t: "replace", seat: number}} Replace
 * @typedef {{t: "agree", what: string}} Agree
 * @typedef {{t: "decline", what: string}} Decline
 * @typedef {{t: "rematch"}} Rematch
 * @typedef {{t: "give"}} Give
 * @typedef {{t: "say", phrase: number}} Say
 * @typedef {{t: "look", ply: number, player?: number}} Look
 * @typedef {{t: "read"}} Read
 * @typedef {Play | Write | Why | Preview | Plan | Hint | Undo | Resign | Replace | Agree | Decline | Rematch | Give | Say | Look | Read} Request
 */

import { readItem, readScene, readStanding } from "./scenes.js";

/** The value of `mover` when the game is over. */
export const OVER = -4;

/** The value of `mover` while seats are open, and the seat of a spectator. */
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
 * Return a frame, with objects in place of arrays.
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
