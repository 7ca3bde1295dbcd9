/**
 * What the browser remembers: the secrets of one's seats, and one's name. No address of a page has a secret in it, unless the
 * browser keeps nothing. A value of another shape, which is damaged, counts as none.
 */

import { url } from "./assets.js";
import { local, session } from "./store.js";

const SEATS = "ludoteca.seats";
/** The secrets that this tab has come with, by room: two tabs may have two seats of one room. */
const TAB = "ludoteca.tab.";
/** Seats that were asked for, by room, until the answer comes. */
const WISH = "ludoteca.wish.";
const NAME = "ludoteca.name";
/** The secrets with which rooms are deleted that this browser has made without sitting in them, by room. */
const KEYS = "ludoteca.keys";
/** The settings with which games were started last, by game. */
const SETTINGS = "ludoteca.settings";
/** Rooms; older ones are forgotten. */
const MOST = 500;

/**
 * @typedef {{room: string, token: string, seat: number, game: string, since: number, seen?: Seen}} Kept
 * @typedef {{others: import("./frames.js").Message[], state: "turn" | "waiting" | "won" | "lost" | "over"}} Seen
 * as the page has last shown it
 * @typedef {{parameters: Record<string, any>, seats: import("./seats.js").Wish[], clock: any, listed: boolean}} Settings
 * @typedef {{name: string, token: string, invitation: string}} SeatWish
 */

/** @param {any} value @returns {value is Record<string, any>} */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {any} value @param {...string} names */
function hasTexts(value, ...names) {
  return isRecord(value) && names.every((name) => typeof value[name] === "string");
}

/** @param {any} value @returns {value is Seen | undefined} */
function isSeen(value) {
  return value === undefined || (hasTexts(value, "state") && Array.isArray(value.others));
}

/** @param {any} value @returns {value is Kept} */
function isKept(value) {
  return hasTexts(value, "room", "token", "game") && isSeen(value.seen);
}

/** @param {any} value @returns {value is Settings} */
function isSettings(value) {
  const isSeated = isRecord(value) && Array.isArray(value.seats) && value.seats.every((seat) => hasTexts(seat, "kind"));
  return isSeated && isRecord(value.parameters) && (value.clock === null || isRecord(value.clock));
}

/** @returns {Kept[]} the latest first */
export function keptSeats() {
  const kept = local.read(SEATS);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

/** @param {string} room @returns {Kept | undefined} */
export function keptSeat(room) {
  return keptSeats().find((kept) => kept.room === room);
}

/** The secret of this tab's seat in a room, or of this browser's. @param {string} room */
export function keptToken(room) {
  return session.get(TAB + room) ?? keptSeat(room)?.token ?? null;
}

/** @param {string} room @param {string} token @returns {boolean} whether this tab still has it after the page is left */
export function keepToken(room, token) {
  return session.set(TAB + room, token);
}

/** @param {Omit<Kept, "since">} seat @returns {boolean} whether the browser keeps it */
export function keepSeat(seat) {
  keepToken(seat.room, seat.token);
  const before = keptSeat(seat.room);
  const since = before?.since ?? Date.now();
  const others = keptSeats().filter((kept) => kept.room !== seat.room);
  return local.write(SEATS, [{ seen: before?.seen, ...seat, since }, ...others].slice(0, MOST));
}

/** The address of a room, with the secret of the seat if this tab forgets it on the way. @param {string} room @param {string} token */
export function seatAddress(room, token) {
  return url(`/room/${room}`) + (keepToken(room, token) ? "" : `#${token}`);
}

/** @param {string} room @param {string | null} [token] where another one is kept, that one stays */
export function forgetSeat(room, token = null) {
  session.remove(TAB + room);
  if (token && keptSeat(room)?.token !== token) return;
  local.write(SEATS, keptSeats().filter((kept) => kept.room !== room));
}

/** How many of the games that this browser has seen end were won, and how many there were. @param {string} game */
export function tally(game) {
  const ended = keptSeats().filter((kept) => kept.game === game && ["won", "lost", "over"].includes(kept.seen?.state ?? ""));
  return { won: ended.filter((kept) => kept.seen?.state === "won").length, games: ended.length };
}

/** @param {string} key @returns {Record<string, any>} */
function keptRecord(key) {
  const kept = local.read(key);
  return isRecord(kept) ? kept : {};
}

/** @param {string} game @returns {Settings | undefined} */
export function keptSettings(game) {
  const settings = keptRecord(SETTINGS)[game];
  return isSettings(settings) ? settings : undefined;
}

/** @param {string} game @param {Settings} settings */
export function keepSettings(game, settings) {
  local.write(SETTINGS, { ...keptRecord(SETTINGS), [game]: settings });
}

/** @param {string} room @returns {string | undefined} */
export function keptKey(room) {
  const key = keptRecord(KEYS)[room];
  return typeof key === "string" ? key : undefined;
}

/** @param {string} room @param {string} key */
export function keepKey(room, key) {
  const others = Object.entries(keptRecord(KEYS)).filter(([name]) => name !== room);
  local.write(KEYS, Object.fromEntries([[room, key], ...others].slice(0, MOST)));
}

/** @param {string} room @returns {SeatWish | null} */
export function keptWish(room) {
  const wish = session.read(WISH + room);
  return hasTexts(wish, "name", "token", "invitation") ? wish : null;
}

/** @param {string} room @param {SeatWish | null} wish */
export function keepWish(room, wish) {
  if (wish) session.write(WISH + room, wish);
  else session.remove(WISH + room);
}

/** One's name, as last typed. */
export function keptName() {
  return local.get(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  local.set(NAME, name);
}
