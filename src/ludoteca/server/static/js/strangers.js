/** Games with strangers: the rooms in which names are hidden, and the muted seats. */

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
/** The secret by which the server recognises a player who looks for an opponent. */
const KEY = "ludoteca.key";
/** Muted seats, the latest first. */
const MUTED = "ludoteca.muted";
/** The time at which the player began to look for an opponent, by room, in this tab. */
const LOOKING = "ludoteca.looking.";
const MOST = 200;
/** The most muted seats that a request may name. */
const MOST_MUTED = 20;
const KEY_BYTES = 24;
/** Milliseconds until the page offers a program instead. */
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

/** Return the seats without the names of strangers. @param {Seat[]} seats @param {number} you @returns {Seat[]} */
export function withoutNames(seats, you) {
  return showsNames() ? seats : seats.map((seat, player) => (seat.kind === "person" && player !== you ? { ...seat, name: "" } : seat));
}

/** Hide the names of strangers in a frame. @param {any} frame of a room with strangers @param {number} you */
export function hideNames(frame, you) {
  if (frame.seats) frame.seats = withoutNames(frame.seats, you);
  if (frame.over?.rematch) keepStrangers(frame.over.rematch);
}

/** Return the muted seats of all rooms. @returns {Muted[]} */
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
 * Take a seat next to an opponent, or in a new room that waits for one, and open the room. Rejects with a RefusedError.
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

/** Take a seat of an open game and open the room. If the seat is refused, the room's page gives the reason. @param {string} room @param {string} game */
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

/** Return the milliseconds since the player began to look for an opponent in this room, or null. @param {Whole} room */
export function lookingFor(room) {
  const since = session.get(LOOKING + room.room);
  return since === null || room.you < 0 ? null : Date.now() - Number(since);
}
