/**
 * Texts in the language of the page. A text is a message: a key with arguments. If the language changes, `wordAll` updates the
 * texts that were put on the page with `say`. The page loads the catalogues and passes them to `learn`.
 *
 * @typedef {import("./scenes.js").Message} Message
 */

/** The languages, with their own names. */
export const LANGUAGES = Object.freeze({
  ca: "Català",
  pt: "Português",
  ro: "Română",
  es: "Español",
  en: "English",
});

/** The scope of the page's own texts. The scope of a game's texts is its name. */
export const PAGE = "";
const SVG = "http://www.w3.org/2000/svg";
const SEAT = "@seat";
const LIST = "@list";
const ROW = "@row";
const PICTURE = "@picture";

/** @type {Map<string, Record<string, string>>} The templates, by scope. */
const templates = new Map();
/** @type {Map<string, string>} The language of each scope's texts: English if a game has no texts in the page's language. */
const languages = new Map();
/** @type {WeakMap<Element, Map<string, {message: Message, scope: string}>>} */
const said = new WeakMap();
let language = "en";
/** @type {Message[]} */
let names = [];

/** Return the language of the page. */
export function currentLanguage() {
  return language;
}

/** @param {string[]} wishes languages, the preferred one first @returns {string} the first available one, or English */
export function firstOf(wishes) {
  return wishes.map((wish) => wish.slice(0, 2).toLowerCase()).find((wish) => wish in LANGUAGES) ?? "en";
}

/**
 * Change the language of the page. The catalogues have to be passed to `learn` again.
 *
 * @param {string} chosen one of LANGUAGES
 */
export function speak(chosen) {
  language = chosen;
  templates.clear();
}

/**
 * Add the catalogue of a scope, in the language of the page, or in another one if the scope has none.
 *
 * @param {string} scope
 * @param {Record<string, string>} catalogue
 * @param {string} [spoken] the catalogue's language
 */
export function learn(scope, catalogue, spoken = language) {
  templates.set(scope, catalogue);
  languages.set(scope, spoken);
}

/** @param {string} scope @returns {boolean} true if its catalogue is loaded */
export function isLearnt(scope) {
  return templates.has(scope);
}

/** @param {Message[]} seats the players' names for `@seat` in messages */
export function nameSeats(seats) {
  if (JSON.stringify(seats) === JSON.stringify(names)) return;
  names = seats;
  wordAll();
}

/**
 * Return a message in words.
 *
 * @param {Message} message
 * @param {string} [scope] the game whose catalogue is used first
 * @returns {string}
 */
export function inWords(message, scope = PAGE) {
  if (!Array.isArray(message)) return String(message);
  const [key, ...parts] = message;
  if (key === SEAT) return inWords(names[Number(parts[0])] ?? ["player", Number(parts[0]) + 1], scope);
  if (key === LIST) return listFormat().format(parts.map((part) => inWords(part, scope)));
  if (key === ROW) return parts.map((part) => inWords(part, scope)).join(" ");
  if (key === PICTURE) return inWords(parts[0], scope);
  return templateOf(key, scope).replace(/\{(\d+)\}/g, (_, place) => inWords(parts[Number(place)] ?? "", scope));
}

/** @param {string} key @param {string} scope */
function templateOf(key, scope) {
  return templates.get(scope)?.[key] ?? templates.get(PAGE)?.[key] ?? missing(key, scope);
}

/**
 * Return a message in words and pictures.
 *
 * @param {Message} message
 * @param {string} scope
 * @returns {Array<string | Node>}
 */
function inPictures(message, scope) {
  if (!hasPictures(message)) return [inWords(message, scope)];
  const [key, ...parts] = /** @type {import("./scenes.js").MessageParts} */ (message);
  if (key === PICTURE) return [pictured(inWords(parts[0], scope), parts[1], parts[2], parts[3])];
  if (key === ROW) return parts.flatMap((part, at) => [...(at ? [" "] : []), ...inPictures(part, scope)]);
  if (key === LIST) {
    const pieces = listFormat().formatToParts(parts.map((_, at) => String(at)));
    return pieces.flatMap(({ type, value }) => (type === "element" ? inPictures(parts[Number(value)], scope) : [value]));
  }
  const pieces = templateOf(key, scope).split(/\{(\d+)\}/);
  return pieces.flatMap((piece, at) => (at % 2 ? inPictures(parts[Number(piece)] ?? "", scope) : [piece]));
}

/** @param {Message} message @returns {boolean} */
function hasPictures(message) {
  return Array.isArray(message) && (message[0] === PICTURE || message.slice(1).some(hasPictures));
}

/**
 * Return a small picture of the thing that a text names, and the text for players who want codes.
 *
 * @param {string} text
 * @param {string} sprite empty for the text alone
 * @param {number} angle
 * @param {string} classes
 */
function pictured(text, sprite, angle, classes) {
  const found = document.createElement("span");
  found.className = "pictured";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `scene ${classes}`.trim());
  const box = document.getElementById(sprite)?.getAttribute("viewBox") ?? "0 0 1 1";
  const [x = 0, y = 0, width = 1, height = 1] = box.split(" ").map(Number);
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${sprite}`);
  if (angle) use.setAttribute("transform", `rotate(${angle} ${x + width / 2} ${y + height / 2})`);
  svg.append(use);
  const words = document.createElement("span");
  words.className = "code";
  words.textContent = text;
  found.append(...(sprite ? [svg] : []), words);
  return found;
}

/** Return the list format of the language: "a, b and c", without the American comma before "and". */
function listFormat() {
  return new Intl.ListFormat(language === "en" ? "en-GB" : language);
}

/**
 * True if a catalogue has a text for the key.
 *
 * @param {string} key
 * @param {string} [scope]
 */
export function hasWords(key, scope = PAGE) {
  return templates.get(scope)?.[key] !== undefined;
}

/**
 * Return the key. Report it if the catalogues are loaded. Otherwise `wordAll` puts the message into words later.
 *
 * @param {string} key @param {string} scope
 */
function missing(key, scope) {
  if (isLearnt(PAGE) && isLearnt(scope)) console.error(`there is no text for ${key} in ${language}`);
  return key;
}

/**
 * Put a message on an element, as its text or as an attribute. If the language changes, `wordAll` updates it.
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
 * Remove a message that was put into an attribute.
 *
 * @param {Element} element
 * @param {string} attribute
 */
export function unsay(element, attribute) {
  said.get(element)?.delete(attribute);
  element.removeAttribute(attribute);
}

/**
 * Write a message on an element in words. If they are not in the page's language, set the element's language.
 *
 * @param {Element} element @param {string} attribute @param {Message} message @param {string} scope
 */
function word(element, attribute, message, scope) {
  const text = inWords(message, scope);
  if (attribute) element.setAttribute(attribute, text);
  else if (element instanceof HTMLElement && hasPictures(message)) element.replaceChildren(...inPictures(message, scope));
  else if (element.textContent !== text) element.textContent = text;
  const spoken = languages.get(scope) ?? language;
  if (spoken !== language) element.setAttribute("lang", spoken);
  else if (element.hasAttribute("lang")) element.removeAttribute("lang");
}

/** Write all messages of the page again, in the language of the page. */
export function wordAll() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-words]")) say(element, [element.getAttribute("data-words") ?? ""]);
  for (const element of document.querySelectorAll("[data-words-label]"))
    say(element, [element.getAttribute("data-words-label") ?? ""], PAGE, "aria-label");
  for (const element of document.querySelectorAll("[data-said]"))
    for (const [attribute, { message, scope }] of said.get(element) ?? []) word(element, attribute, message, scope);
}
