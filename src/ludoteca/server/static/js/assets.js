/** The files that pages are made of: the page says the version of each, with which a browser may keep it for good. */

/** @type {{root?: string, games?: string[], grounds?: Record<string, string>, versions?: Record<string, string>}} */
const told = JSON.parse(document.getElementById("assets")?.textContent ?? "{}");

/** The games that the page is about, as far as the server knew: what they need is asked for before anything has answered. */
export const GAMES = told.games ?? [];

/** The colour of a game's table. @param {string} game */
export function groundOf(game) {
  return told.grounds?.[game] ?? "";
}

/** The address of a page or of a file of the server, which may have a path of its own. @param {string} path */
export function url(path) {
  return (told.root ?? "") + path;
}

/** The address of a file, with its version. @param {string} address */
export function asset(address) {
  const version = told.versions?.[address];
  return url(version ? `${address}?v=${version}` : address);
}
