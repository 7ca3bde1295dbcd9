/** The look of a game: its symbols and its style. Each game is loaded once. */

import { asset } from "./assets.js";
import { readSymbols } from "./symbols.js";

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/** @param {string} game */
export function loadLook(game) {
  const known = loaded.get(game) ?? fetchLook(game);
  loaded.set(game, known);
  return known;
}

/** @param {string} game */
async function fetchLook(game) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = asset(`/games/${game}/style.css`);
  document.head.append(sheet);
  const answer = await fetch(asset(`/games/${game}/sprites.svg`));
  if (!answer.ok) throw new Error(`no symbols of ${game}: ${answer.status}`);
  document.getElementById("sprites")?.append(readSymbols(await answer.text()));
}
