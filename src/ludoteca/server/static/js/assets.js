/** The files of pages. The page has the version of each file. An address with a version can be cached forever. */

import { addressOf } from "./answers.js";

/** @type {{root?: string, games?: string[], grounds?: Record<string, string>, versions?: Record<string, string>}} */
const told = JSON.parse(document.getElementById("assets")?.textContent ?? "{}");

/** The games of the page, if the server knew them. Their files are requested before the room has answered. */
export const GAMES = told.games ?? [];

/** Return the colour of a game's table. @param {string} game */
export function groundOf(game) {
  return told.grounds?.[game] ?? "";
}

/** Return the address of a page or a file, below the path of the server. @param {string} path */
export function url(path) {
  return (told.root ?? "") + addressOf(path);
}

/** Return the address of a file, with its version. @param {string} address */
export function asset(address) {
  const version = told.versions?.[address];
  return url(version ? `${address}?v=${version}` : address);
}
