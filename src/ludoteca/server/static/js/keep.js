/** The browser's memory: the secrets of one's seats, and one's name. No address of a page has a secret in it. */

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

/** @returns {Kept[]} the latest first */
export function keptSeats() {
  return JSON.parse(localStorage.getItem(SEATS) ?? "[]");
}

/** @param {string} room @returns {Kept | undefined} */
export function keptSeat(room) {
  return keptSeats().find((kept) => kept.room === room);
}

/** The secret of this tab's seat in a room, or of this browser's. @param {string} room */
export function keptToken(room) {
  return sessionStorage.getItem(TAB + room) ?? keptSeat(room)?.token ?? null;
}

/** @param {string} room @param {string} token */
export function keepToken(room, token) {
  sessionStorage.setItem(TAB + room, token);
}

/** @param {Omit<Kept, "since">} seat */
export function keepSeat(seat) {
  keepToken(seat.room, seat.token);
  const before = keptSeat(seat.room);
  const since = before?.since ?? Date.now();
  const others = keptSeats().filter((kept) => kept.room !== seat.room);
  localStorage.setItem(SEATS, JSON.stringify([{ seen: before?.seen, ...seat, since }, ...others].slice(0, MOST)));
}

/** @param {string} room @param {string | null} [token] where another one is kept, that one stays */
export function forgetSeat(room, token = null) {
  sessionStorage.removeItem(TAB + room);
  if (token && keptSeat(room)?.token !== token) return;
  localStorage.setItem(SEATS, JSON.stringify(keptSeats().filter((kept) => kept.room !== room)));
}

/** How many of the games that this browser has seen end were won, and how many there were. @param {string} game */
export function tally(game) {
  const ended = keptSeats().filter((kept) => kept.game === game && ["won", "lost", "over"].includes(kept.seen?.state ?? ""));
  return { won: ended.filter((kept) => kept.seen?.state === "won").length, games: ended.length };
}

/** @param {string} game @returns {Settings | undefined} */
export function keptSettings(game) {
  return JSON.parse(localStorage.getItem(SETTINGS) ?? "{}")[game];
}

/** @param {string} game @param {Settings} settings */
export function keepSettings(game, settings) {
  const all = JSON.parse(localStorage.getItem(SETTINGS) ?? "{}");
  localStorage.setItem(SETTINGS, JSON.stringify({ ...all, [game]: settings }));
}

/** @returns {Record<string, string>} */
function keptKeys() {
  return JSON.parse(localStorage.getItem(KEYS) ?? "{}");
}

/** @param {string} room @returns {string | undefined} */
export function keptKey(room) {
  return keptKeys()[room];
}

/** @param {string} room @param {string} key */
export function keepKey(room, key) {
  const others = Object.entries(keptKeys()).filter(([name]) => name !== room);
  localStorage.setItem(KEYS, JSON.stringify(Object.fromEntries([[room, key], ...others].slice(0, MOST))));
}

/** @param {string} room @returns {SeatWish | null} */
export function keptWish(room) {
  return JSON.parse(sessionStorage.getItem(WISH + room) ?? "null");
}

/** @param {string} room @param {SeatWish | null} wish */
export function keepWish(room, wish) {
  if (wish) sessionStorage.setItem(WISH + room, JSON.stringify(wish));
  else sessionStorage.removeItem(WISH + room);
}

/** One's name, as last typed. */
export function keptName() {
  return localStorage.getItem(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name);
}
