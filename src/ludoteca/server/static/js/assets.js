/** The files that pages are made of: the page says the version of each, with which a browser may keep it for good. */

/** @type {{games?: string[], grounds?: Record<string, string>, versions?: Record<string, string>}} */
const told = JSON.parse(document.getElementById("assets")?.textContent ?? "{}");

/** The games that the page is about, as far as the server knew: what they need is asked for before anything has answered. */
export const GAMES = told.games ?? [];

/** The colour of a game's table. @param {string} game */
export function groundOf(game) {
  return told.grounds?.[game] ?? "";
}

/** The address of a file, with its version. @param {string} address */
export function asset(address) {
  const version = told.versions?.[address];
  return version ? `${address}?v=${version}` : address;
}
