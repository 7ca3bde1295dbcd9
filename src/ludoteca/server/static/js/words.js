/**
 * Texts in the reader's language. A text is a message, a key with arguments; what is put on the page with `say` is put
 * into words again when the language changes.
 *
 * @typedef {import("./frames.js").Message} Message
 */

/** Each by its own name. */
export const LANGUAGES = Object.freeze({
  ca: "Català",
  pt: "Português",
  ro: "Română",
  es: "Español",
  en: "English",
});

const PAGE = "";
const SEAT = "@seat";
const LIST = "@list";
const KEPT = "ludoteca.language";

/** @type {Map<string, string>} The folders of each scope's catalogue. */
const folders = new Map([[PAGE, "/static/messages/"]]);
/** @type {Map<string, Record<string, string>>} Templates by scope. */
const templates = new Map();
/** @type {Map<string, string>} The language of each scope's texts: English, for a game that has none in the reader's. */
const languages = new Map();
/** @type {WeakMap<Element, Map<string, {message: Message, scope: string}>>} */
const said = new WeakMap();
let language = chosen();
/** @type {Message[]} */
let names = [];

/** @returns {string} the language that was chosen here, or the first of the browser's that there is */
function chosen() {
  const wishes = [localStorage.getItem(KEPT) ?? "", ...navigator.languages].map((wish) => wish.slice(0, 2).toLowerCase());
  return wishes.find((wish) => wish in LANGUAGES) ?? "en";
}

/** The language now. */
export function currentLanguage() {
  return language;
}

/**
 * Load the texts of the page, and of a game where one is named.
 *
 * @param {...string} games
 */
export async function loadWords(...games) {
  for (const game of games) folders.set(game, `/games/${game}/messages/`);
  await fetchCatalogues();
  document.documentElement.lang = language;
  wordAll();
}

/** @param {string} wished one of LANGUAGES */
export async function changeLanguage(wished) {
  language = wished;
  localStorage.setItem(KEPT, wished);
  templates.clear();
  await loadWords();
}

async function fetchCatalogues() {
  const wanted = [...folders].filter(([scope]) => !templates.has(scope));
  await Promise.all(wanted.map(([scope, folder]) => fetchCatalogue(scope, `${folder}${language}.json`)));
}

/** @param {string} scope @param {string} address */
async function fetchCatalogue(scope, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no texts at ${address}: ${answer.status}`);
  templates.set(scope, await answer.json());
  languages.set(scope, answer.headers.get("content-language") ?? language);
}

/** @param {Message[]} seats the players' names, which `@seat` stands for */
export function nameSeats(seats) {
  if (JSON.stringify(seats) === JSON.stringify(names)) return;
  names = seats;
  wordAll();
}

/**
 * A message in words.
 *
 * @param {Message} message
 * @param {string} [scope] the game whose texts come first
 * @returns {string}
 */
export function inWords(message, scope = PAGE) {
  if (!Array.isArray(message)) return String(message);
  const [key, ...parts] = message;
  if (key === SEAT) return inWords(names[Number(parts[0])] ?? ["player", Number(parts[0]) + 1], scope);
  if (key === LIST) return listFormat().format(parts.map((part) => inWords(part, scope)));
  const template = templates.get(scope)?.[key] ?? templates.get(PAGE)?.[key];
  if (template === undefined) return missing(key);
  return template.replace(/\{(\d+)\}/g, (_, place) => inWords(parts[Number(place)] ?? "", scope));
}

/** How this language lists things: "a, b and c", without the comma that American English has before "and". */
function listFormat() {
  return new Intl.ListFormat(language === "en" ? "en-GB" : language);
}

/**
 * True if there is a text for the key.
 *
 * @param {string} key
 * @param {string} [scope]
 */
export function hasWords(key, scope = PAGE) {
  return templates.get(scope)?.[key] !== undefined;
}

/** @param {string} key */
function missing(key) {
  if (templates.size) console.error(`there is no text for ${key} in ${language}`);
  return key;
}

/**
 * Put a message on an element, as its text or as an attribute, in this language and in those to come.
 *
 * @template {Element} E
 * @param {E} element
 * @param {Message} message
 * @param {string} [scope]
 * @param {string} [attribute]
 * @returns {E}
 */
export function say(element, message, scope = PAGE, attribute = "") {
  const all = said.get(element) ?? new Map();
  said.set(element, all.set(attribute, { message, scope }));
  element.setAttribute("data-said", "");
  word(element, attribute, message, scope);
  return element;
}

/**
 * Take back what was said in an attribute.
 *
 * @param {Element} element
 * @param {string} attribute
 */
export function unsay(element, attribute) {
  said.get(element)?.delete(attribute);
  element.removeAttribute(attribute);
}

/**
 * Puts a message into words on an element, and says which language they are in where that is not the page's.
 *
 * @param {Element} element @param {string} attribute @param {Message} message @param {string} scope
 */
function word(element, attribute, message, scope) {
  const text = inWords(message, scope);
  if (attribute) element.setAttribute(attribute, text);
  else if (element.textContent !== text) element.textContent = text;
  const spoken = languages.get(scope) ?? language;
  if (spoken !== language) element.setAttribute("lang", spoken);
  else if (element.hasAttribute("lang")) element.removeAttribute("lang");
}

/** Put all that was said into words again, and what the page's own HTML asks for. */
function wordAll() {
  for (const element of document.querySelectorAll("[data-words]")) say(element, [element.getAttribute("data-words") ?? ""]);
  for (const element of document.querySelectorAll("[data-words-label]"))
    say(element, [element.getAttribute("data-words-label") ?? ""], PAGE, "aria-label");
  for (const element of document.querySelectorAll("[data-said]"))
    for (const [attribute, { message, scope }] of said.get(element) ?? []) word(element, attribute, message, scope);
}
