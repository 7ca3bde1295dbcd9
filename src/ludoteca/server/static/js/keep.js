/** What this browser keeps: the links to one's seats, and one's name. */

const SEATS = "ludoteca.seats";
const NAME = "ludoteca.name";
/** Rooms; older ones are forgotten. */
const MOST = 60;

/** @typedef {{room: string, token: string, seat: number, game: string, since: number}} Kept */

/** @returns {Kept[]} the latest first */
export function keptSeats() {
  return JSON.parse(localStorage.getItem(SEATS) ?? "[]");
}

/** @param {string} room @returns {Kept | undefined} */
export function keptSeat(room) {
  return keptSeats().find((kept) => kept.room === room);
}

/** @param {Omit<Kept, "since">} seat */
export function keepSeat(seat) {
  const since = keptSeat(seat.room)?.since ?? Date.now();
  const others = keptSeats().filter((kept) => kept.room !== seat.room);
  localStorage.setItem(SEATS, JSON.stringify([{ ...seat, since }, ...others].slice(0, MOST)));
}

/** @param {string} room */
export function forgetSeat(room) {
  localStorage.setItem(SEATS, JSON.stringify(keptSeats().filter((kept) => kept.room !== room)));
}

/** One's name, as last typed. */
export function keptName() {
  return localStorage.getItem(NAME) ?? "";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem(NAME, name);
}
