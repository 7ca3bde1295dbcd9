/** The rules of a game, with pictures. */

import { get } from "./api.js";
import { byId, h, set, svgElement } from "./dom.js";
import { findGame } from "./games.js";
import { readScene } from "./scenes.js";
import { loadLook } from "./look.js";
import { Painter } from "./painter.js";
import { fillBar } from "./prefs.js";
import { loadWords, say } from "./words.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");

async function start() {
  const coming = Promise.all([findGame(name), get(`/games/${name}/guide.json`), loadLook(name)]);
  await loadWords(name);
  fillBar();
  const [{ title, lesson }, guide] = await coming;
  byId("learn").hidden = !lesson;
  set(byId("learn"), "href", `/learn/${name}`);
  document.title = `${title} · Ludoteca`;
  byId("title").textContent = title;
  byId("paragraphs").replaceChildren(...guide.map(paragraph));
}

/** @param {{text: import("./frames.js").Message, scene: any}} part */
function paragraph({ text, scene }) {
  const words = h("p", { say: text, scope: name });
  return h("section", { class: scene ? "shown" : "told" }, words, scene ? picture(scene) : null);
}

/** @param {any} parts */
function picture(parts) {
  const scene = readScene(parts);
  const svg = svgElement("svg", { class: "scene", role: "group" });
  say(svg, scene.task, name, "aria-label");
  svg.style.setProperty("--board-w", String(scene.width));
  svg.style.setProperty("--board-h", String(scene.height));
  new Painter(svg, name).paint(scene, false);
  return svg;
}

await start();
