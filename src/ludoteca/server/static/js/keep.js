/**
 * The data that the browser keeps: the secrets of the player's seats, the player's name, and the settings of games. No address
 * of a page has a secret, unless the browser keeps nothing. A damaged value is ignored.
 */

import { url } from "./assets.js";
import { local, session } from "./store.js";

const SEATS = "ludoteca.seats";
/** The secrets with which pages were opened in this tab, by room. Two tabs may have two seats of one room. */
const TAB = "ludoteca.tab.";
/** Requests for seats, by room, until the answer comes. */
const WISH = "ludoteca.wish.";
const NAME = "ludoteca.name";
/** The secrets that delete the rooms which this browser has made without taking a seat, by room. */
const KEYS = "ludoteca.keys";
/** The settings that were used last, by game: of games with programs, and of games with open seats. */
const SETTINGS = "ludoteca.settings";
const FRIENDS = "ludoteca.friends";
/** The most rooms that are kept. Older ones are removed. */
const MOST = 500;

/**
 * @typedef {{room: string, token: string, seat: number, game: string, since: number, seen?: Seen}} Kept
 * @typedef {{others: import("./frames.js").Message[], state: "turn" | "waiting" | "won" | "lost" | "over"}} Seen
 * the state that the page has shown last
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

/** Return the secret of this tab's seat in a room, or of this browser's seat. @param {string} room */
export function keptToken(room) {
  return session.get(TAB + room) ?? keptSeat(room)?.token ?? null;
}

/** @param {string} room @param {string} token @returns {boolean} true if this tab keeps it after the page is left */
export function keepToken(room, token) {
  return session.set(TAB + room, token);
}

/** @param {Omit<Kept, "since">} seat @returns {boolean} true if the browser keeps it */
export function keepSeat(seat) {
  keepToken(seat.room, seat.token);
  const before = keptSeat(seat.room);
  const since = before?.since ?? Date.now();
  const others = keptSeats().filter((kept) => kept.room !== seat.room);
  return local.write(SEATS, [{ seen: before?.seen, ...seat, since }, ...others].slice(0, MOST));
}

/** Return the address of a room, with the secret if the tab does not keep it. @param {string} room @param {string} token */
export function seatAddress(room, token) {
  return url(`/room/${room}`) + (keepToken(room, token) ? "" : `#${token}`);
}

/** @param {string} room @param {string | null} [token] forget the seat only if this is its secret */
export function forgetSeat(room, token = null) {
  session.remove(TAB + room);
  if (token && keptSeat(room)?.token !== token) return;
  local.write(SEATS, keptSeats().filter((kept) => kept.room !== room));
}

/** Count the games won and all games, of those whose end this browser has shown. @param {string} game */
export function tally(game) {
  const ended = keptSeats().filter((kept) => kept.game === game && ["won", "lost", "over"].includes(kept.seen?.state ?? ""));
  return { won: ended.filter((kept) => kept.seen?.state === "won").length, games: ended.length };
}

/** @param {string} key @returns {Record<string, any>} */
function keptRecord(key) {
  const kept = local.read(key);
  return isRecord(kept) ? kept : {};
}

/** @param {string} game @param {boolean} [friends] true for those of the last game with open seats @returns {Settings | undefined} */
export function keptSettings(game, friends = false) {
  const settings = keptRecord(friends ? FRIENDS : SETTINGS)[game];
  return isSettings(settings) ? settings : undefined;
}

/** @param {string} game @param {Settings} settings */
export function keepSettings(game, settings) {
  const key = settings.seats.some(({ kind }) => kind === "open") ? FRIENDS : SETTINGS;
  local.write(key, { ...keptRecord(key), [game]: settings });
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

/** Return the name that the player typed last. */
export function keptName() {
  return local.get(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  local.set(NAME, name);
}
