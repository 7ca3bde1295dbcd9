/** The sources and the language of the page's texts. `texts.js` puts them into words. */

import { asset } from "./assets.js";
import { local } from "./store.js";
import { PAGE, currentLanguage, firstOf, isLearnt, learn, speak, wordAll } from "./texts.js";

export { LANGUAGES, currentLanguage, hasWords, inWords, nameSeats, say, unsay } from "./texts.js";

const KEPT = "ludoteca.language";

/** @type {Map<string, string>} The folders of each scope's catalogue. */
const folders = new Map([[PAGE, "/static/messages/"]]);

// the chosen language, or the first available one of the browser's languages
speak(firstOf([local.get(KEPT) ?? "", ...navigator.languages]));

/**
 * Load the texts of the page and of games.
 *
 * @param {...string} games
 */
export async function loadWords(...games) {
  for (const game of games) folders.set(game, `/games/${game}/messages/`);
  await fetchCatalogues();
  wordAll();
}

/** @param {string} wished one of LANGUAGES */
export async function changeLanguage(wished) {
  speak(wished);
  local.set(KEPT, wished);
  await loadWords();
}

async function fetchCatalogues() {
  const wanted = [...folders].filter(([scope]) => !isLearnt(scope));
  await Promise.all(wanted.map(([scope, folder]) => fetchCatalogue(scope, asset(`${folder}${currentLanguage()}.json`))));
}

/** @type {Map<string, Promise<void>>} The requests without an answer, by address. */
const underWay = new Map();

/** @param {string} scope @param {string} address */
function fetchCatalogue(scope, address) {
  const asked = underWay.get(address) ?? receive(scope, address).finally(() => underWay.delete(address));
  underWay.set(address, asked);
  return asked;
}

/** @param {string} scope @param {string} address */
async function receive(scope, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no texts at ${address}: ${answer.status}`);
  learn(scope, await answer.json(), answer.headers.get("content-language") ?? currentLanguage());
}
