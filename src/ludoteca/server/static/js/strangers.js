/** Games with strangers: the rooms that a person came to as a stranger, where names are hidden, and whose players are muted. */

import { RefusedError, post } from "./api.js";
import { url } from "./assets.js";
import { keepSeat, keptName, seatAddress } from "./keep.js";
import { showsNames } from "./settings.js";
import { local, session } from "./store.js";

/**
 * @typedef {import("./frames.js").Seat} Seat
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {{room: string, seat: number}} Muted
 */

/** Rooms with strangers, the latest first. */
const ROOMS = "ludoteca.strangers";
/** The secret by which the server knows the player again who looks for an opponent. */
const KEY = "ludoteca.key";
/** Muted seats, the latest first. */
const MUTED = "ludoteca.muted";
/** When the person began to look for an opponent, by room, in this tab. */
const LOOKING = "ludoteca.looking.";
const MOST = 200;
/** Muted seats that the server takes. */
const MOST_MUTED = 20;
const KEY_BYTES = 24;
/** Milliseconds after which a program is offered instead. */
export const PATIENCE = 20_000;

/** @returns {string[]} */
function strangersRooms() {
  const kept = local.read(ROOMS);
  return Array.isArray(kept) ? kept : [];
}

/** @param {string} room */
export function isWithStrangers(room) {
  return strangersRooms().includes(room);
}

/** @param {string} room */
export function keepStrangers(room) {
  if (isWithStrangers(room)) return;
  local.write(ROOMS, [room, ...strangersRooms()].slice(0, MOST));
}

/** These seats without the names of strangers, who are guests then. @param {Seat[]} seats @param {number} you @returns {Seat[]} */
export function withoutNames(seats, you) {
  return showsNames() ? seats : seats.map((seat, player) => (seat.kind === "person" && player !== you ? { ...seat, name: "" } : seat));
}

/** Hide what a room says of strangers. @param {any} frame of a room with strangers @param {number} you */
export function hideNames(frame, you) {
  if (frame.seats) frame.seats = withoutNames(frame.seats, you);
  if (frame.over?.rematch) keepStrangers(frame.over.rematch);
}

/** Seats that are muted, in all rooms. @returns {Muted[]} */
export function mutedSeats() {
  const kept = local.read(MUTED);
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.room === "string" && Number.isInteger(each.seat)) : [];
}

/** @param {string} room @param {number} seat @param {boolean} muted */
export function setMuted(room, seat, muted) {
  const others = mutedSeats().filter((each) => each.room !== room || each.seat !== seat);
  local.write(MUTED, [...(muted ? [{ room, seat }] : []), ...others].slice(0, MOST));
}

/**
 * Take a seat with an opponent, or where the person waits for one, and go there. Rejects with a RefusedError.
 *
 * @param {string} game
 */
export async function lookFor(game) {
  const wish = { name: keptName(), key: ownKey(), muted: mutedSeats().slice(0, MOST_MUTED) };
  const { room, seat, token } = await post(`/api/games/${game}/opponent`, wish);
  session.set(LOOKING + room, String(Date.now()));
  goTo({ room, seat, token, game });
}

function ownKey() {
  const kept = local.get(KEY);
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  local.set(KEY, made);
  return made;
}

/** Take a seat of an open game and go there; where it is refused, the room's page says more. @param {string} room @param {string} game */
export async function join(room, game) {
  keepStrangers(room);
  try {
    goTo({ room, game, ...(await post(`/api/rooms/${room}/seats`, { name: keptName() })) });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    location.assign(url(`/room/${room}`));
  }
}

/** @param {{room: string, seat: number, token: string, game: string}} found */
function goTo(found) {
  keepStrangers(found.room);
  keepSeat(found);
  location.assign(seatAddress(found.room, found.token));
}

/** Milliseconds since the person began to look for an opponent in this room; null where that is not so. @param {Whole} room */
export function lookingFor(room) {
  const since = session.get(LOOKING + room.room);
  return since === null || room.you < 0 ? null : Date.now() - Number(since);
}
