/** The rules of a game: the aim, sections with addresses, and pictures of positions. */

import { named } from "./answers.js";
import { get } from "./api.js";
import { url } from "./assets.js";
import { byId, h, set, svgElement } from "./dom.js";
import { findGame } from "./games.js";
import { readScene } from "./scenes.js";
import { loadLook } from "./look.js";
import { Painter } from "./painter.js";
import { fillBar } from "./prefs.js";
import { loadWords, say } from "./words.js";

/**
 * @typedef {import("./frames.js").Message} Message
 * @typedef {{scene: any, caption: Message, shows: Message}} Picture
 * @typedef {{told: Message, points: Message[], picture: Picture | null}} Part
 * @typedef {{id: string, title: Message, parts: Part[]}} Section
 */

const name = named();
/** True if the contents are next to the text, as in `guide.css`. */
const WIDE = window.matchMedia("(width >= 900px)");
/** The distance from the screen at which a picture is painted, before the reader sees it. */
const NEAR = "800px";

/** @type {Map<Element, () => void>} The functions that paint the pictures which the reader has not come near. */
const waiting = new Map();
const nearing = new IntersectionObserver((seen) => seen.filter((one) => one.isIntersecting).forEach((one) => paint(one.target)), { rootMargin: NEAR });

async function start() {
  const coming = Promise.all([findGame(name), get(`/games/${name}/guide.json`), loadLook(name)]);
  await loadWords(name);
  fillBar();
  const [{ title, lesson }, guide] = await coming;
  byId("learn").hidden = !lesson;
  set(byId("learn"), "href", url(`/learn/${name}`));
  set(byId("play"), "href", url(`/#new=${encodeURIComponent(name)}`));
  document.title = `${title} · Ludoteca`;
  byId("title").textContent = title;
  say(byId("aim"), guide.aim, name);
  byId("sections").replaceChildren(...guide.sections.map(sectioned));
  byId("links").replaceChildren(h("ul", {}, ...guide.sections.map(linked)));
  WIDE.addEventListener("change", openContents);
  openContents();
  follow();
  window.addEventListener("beforeprint", () => [...waiting.keys()].forEach(paint));
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

function openContents() {
  set(byId("contents"), "open", WIDE.matches);
}

/** Mark the visible section in the contents. */
function follow() {
  const links = new Map([...byId("links").querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const reading = new IntersectionObserver(
    (seen) => {
      const read = seen.find((one) => one.isIntersecting);
      if (!read) return;
      for (const [id, link] of links) set(link, "aria-current", id === read.target.id && "true");
    },
    { rootMargin: "-20% 0px -75% 0px" },
  );
  for (const section of byId("sections").children) reading.observe(section);
}

/** @param {Section} section */
function linked({ id, title }) {
  return h("li", {}, h("a", { say: title, scope: name, set: { href: `#${id}` } }));
}

/** @param {Section} section */
function sectioned({ id, title, parts }) {
  return h("section", { set: { id } }, h("h2", { say: title, scope: name }), ...parts.map(toldPart));
}

/** @param {Part} part */
function toldPart({ told, points, picture }) {
  const words = told ? h("p", { say: told, scope: name }) : null;
  const list = points.length ? h("ul", {}, ...points.map((point) => h("li", { say: point, scope: name }))) : null;
  const text = words || list ? h("div", { class: "text" }, words, list) : null;
  return h("div", { class: picture ? "part shown" : "part" }, text, picture && figure(picture));
}

/** @param {Picture} picture */
function figure({ scene: parts, caption, shows }) {
  const scene = readScene(parts);
  const svg = svgElement("svg", { class: "scene", role: "img" });
  say(svg, shows, name, "aria-label");
  svg.style.setProperty("--board-w", String(scene.width));
  svg.style.setProperty("--board-h", String(scene.height));
  waiting.set(svg, () => new Painter(svg, name).paint({ ...scene, items: scene.items.map((item) => ({ ...item, label: "", zone: "" })) }, false));
  nearing.observe(svg);
  return h("figure", {}, /** @type {any} */ (svg), h("figcaption", { say: caption, scope: name }));
}

/** @param {Element} picture */
function paint(picture) {
  nearing.unobserve(picture);
  waiting.get(picture)?.();
  waiting.delete(picture);
}

await start();
