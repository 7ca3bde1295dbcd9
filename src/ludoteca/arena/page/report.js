/** The page with the results of a tournament: its language, its theme, and its games move by move. */

import { LANGUAGES, PAGE, currentLanguage, firstOf, inWords, learn, nameSeats, say, speak, wordAll } from "./texts.js";
import { byId, h, svgElement } from "./elements.js";
import { readSymbols } from "./symbols.js";
import { Painter } from "./painter.js";
import { canUnpack, sceneAt, unpack } from "./replay.js";

/**
 * @typedef {import("./scenes.js").Message} Message
 * @typedef {import("./scenes.js").Scene} Scene
 * @typedef {import("./replay.js").Replay} Replay
 *
 * @typedef {{bot: string, score: number, won: number, fault: string, detail: string}} Seat
 * @typedef {{key: string, game: string, seats: Seat[], eyes: number[], over: boolean, opening: number, times: number[], packed: string}} Played
 * @typedef {Record<string, Record<string, string>>} Catalogues  by language
 * @typedef {{title: string, sprites: string, texts: Catalogues, spoken: Record<string, string>}} Game
 * @typedef {{texts: Catalogues, games: Record<string, Game>, played: Played[]}} Data
 */

/** @type {Data} */
const data = JSON.parse(byId("data").textContent ?? "");

/** The game that the page shows. */
class Viewer {
  /** @param {Played} played @param {Replay} replay */
  constructor(played, replay) {
    this.played = played;
    this.replay = replay;
    this.last = replay.moves.length;
    this.ply = 0;
    /** The index of the viewer: a player if the game has views of players. */
    this.eye = played.eyes.length > 1 ? 1 : 0;
    this.board = svgElement("svg", { class: "scene board", role: "group" });
    say(this.board, ["report.board"], PAGE, "aria-label");
    this.painter = new Painter(this.board, played.game);
    this.position = h("pre", { class: "position" });
    this.task = h("p", { class: "task" });
    this.standing = h("div", { class: "scroll", set: { tabindex: 0, role: "group" }, label: ["report.players"] });
    this.voice = h("p", { class: "unseen", set: { "aria-live": "polite" } });
    this.count = h("output", { set: { for: "slider" } });
    this.slider = h("input", {
      label: ["report.slider"],
      set: { type: "range", id: "slider", min: 0, max: this.last },
      on: { input: () => this.go(Number(this.slider.value)) },
    });
    this.first = stepper("\u00ab", "report.first", () => this.go(0));
    this.back = stepper("\u2039", "report.back", () => this.go(this.ply - 1));
    this.on = stepper("\u203a", "report.on", () => this.go(this.ply + 1));
    this.end = stepper("\u00bb", "report.last", () => this.go(this.last));
    this.moves = h("ol", { class: "moves", label: ["report.moves"], set: { tabindex: 0 } }, ...replay.moves.map((move, i) => this.line(move, i + 1)));
  }

  /** @param {[number, string, Message]} move @param {number} ply */
  line([player, text, told], ply) {
    const words = told === "" ? null : h("span", { say: told, scope: this.played.game });
    const time = this.played.times[ply - 1];
    /** @type {Message} */
    const took = ply <= this.played.opening ? ["report.drawn"] : time === undefined ? "" : ["report.took", time.toFixed(3)];
    const parts = [h("b", { say: ["@seat", player] }), " ", words, " ", h("code", {}, text), " ", h("small", { say: took })];
    const press = { click: () => this.go(ply) };
    return h("li", {}, h("button", { set: { type: "button", tabindex: -1 }, class: `player-${player}`, on: press }, ...parts));
  }

  /** The viewer's elements. */
  parts() {
    const { played } = this;
    const title = h("h2", { say: ["report.shown", played.key], set: { id: "replay-title", tabindex: -1 } });
    const steps = h("div", { class: "steps" }, this.first, this.back, this.slider, this.on, this.end, this.count);
    const shown = played.eyes.length ? this.board : this.position;
    const stage = h("div", { class: "stage" }, shown, steps, played.eyes.length > 1 && this.eyes());
    const side = h("div", { class: "side" }, this.task, this.standing, ...this.faults(), this.moves);
    return [title, h("div", { class: "viewer" }, stage, side), this.seats(), this.voice];
  }

  /** Return the choice of the viewer. */
  eyes() {
    const options = this.played.eyes.map((player, place) =>
      h("option", { say: player < 0 ? ["report.spectator"] : ["@seat", player], set: { value: place, selected: place === this.eye } }),
    );
    const choose = h("select", { set: { id: "eyes" } }, ...options);
    choose.addEventListener("change", () => {
      this.eye = Number(choose.value);
      this.show(false);
    });
    return h("label", {}, h("span", { say: ["report.eyes"] }), choose);
  }

  /** Return the notes on bots' faults, and on a game that did not end. */
  faults() {
    const told = this.played.seats.flatMap((seat, player) =>
      seat.fault ? [h("p", { class: "bad" }, h("b", { say: ["@seat", player] }), ` ${seat.fault}: ${seat.detail}`)] : [],
    );
    return this.played.over ? told : [h("p", { class: "bad", say: ["report.broken"] }), ...told];
  }

  /** Return the result of each seat, and the text that its program wrote to standard error. */
  seats() {
    const { seats } = this.played;
    const titles = ["report.player", "report.points", "report.result", "report.errors"];
    const head = h("tr", {}, ...titles.map((key) => h("th", { say: [key], set: { scope: "col" } })));
    const rows = seats.map((seat, player) =>
      h(
        "tr",
        {},
        h("th", { set: { scope: "row" } }, sign(player, ""), h("span", { say: ["@seat", player] })),
        h("td", { class: "figure" }, String(seat.score)),
        h("td", {}, seat.fault || (seat.won ? "\u2713" : "")),
        h("td", {}, this.replay.errors[player] && h("pre", {}, this.replay.errors[player])),
      ),
    );
    const table = h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
    return h("div", { class: "scroll", set: { tabindex: 0, role: "group" }, label: ["report.players"] }, table);
  }

  /** @param {number} ply */
  go(ply) {
    const to = Math.max(0, Math.min(ply, this.last));
    if (to === this.ply) return;
    this.ply = to;
    this.show(true);
    const [player, , told = ""] = this.replay.moves[to - 1] ?? [0, "", ""];
    const move = to && told !== "" ? ` ${inWords(["@seat", player])} ${inWords(told, this.played.game)}` : "";
    this.voice.textContent = `${this.count.textContent}.${move}`;
  }

  /** @param {boolean} moving false for no motions */
  show(moving) {
    const { ply, last } = this;
    this.slider.value = String(ply);
    say(this.count, ["report.move", ply, last]);
    say(this.slider, ["report.move", ply, last], PAGE, "aria-valuetext");
    this.first.disabled = this.back.disabled = ply === 0;
    this.on.disabled = this.end.disabled = ply === last;
    [...this.moves.children].forEach((line, i) => line.classList.toggle("here", i + 1 === ply));
    showIn(this.moves, /** @type {HTMLElement | undefined} */ (this.moves.children[ply - 1]));
    if (this.played.eyes.length) this.paint(sceneAt(this.replay, ply, this.eye), moving);
    else this.position.textContent = this.replay.positions[ply] ?? "";
  }

  /** @param {Scene} scene @param {boolean} moving */
  paint(scene, moving) {
    this.board.style.setProperty("--board-w", String(scene.width));
    this.board.style.setProperty("--board-h", String(scene.height));
    this.painter.paint(scene, moving);
    say(this.task, scene.task, this.played.game);
    const headings = scene.standings[0]?.facts.map(([heading]) => heading) ?? [];
    const scope = this.played.game;
    const head = h("tr", {}, h("th", { say: ["report.player"], set: { scope: "col" } }), ...headings.map((say) => h("th", { say, scope, set: { scope: "col" } })));
    const rows = scene.standings.map(({ player, facts, sprite, out }) =>
      h(
        "tr",
        { class: out ? "out" : "" },
        h("th", { set: { scope: "row" } }, sign(player, sprite), h("span", { say: ["@seat", player] })),
        ...facts.map(([, say]) => h("td", { class: "figure", say, scope })),
      ),
    );
    this.standing.replaceChildren(h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.last }[event.key];
    const list = { ArrowUp: this.ply - 1, ArrowDown: this.ply + 1 }[event.key];
    const chosen = event.target === this.moves ? list ?? to : to;
    if (chosen === undefined) return;
    event.preventDefault();
    this.go(chosen);
  }
}

/** @param {string} text @param {string} key @param {() => void} press */
function stepper(text, key, press) {
  return h("button", { label: [key], title: [key], set: { type: "button" }, on: { click: press } }, text);
}

/** Return the sign of a player: the game's sprite, or a dot in the player's colour. @param {number} player @param {string} sprite */
function sign(player, sprite) {
  if (!sprite) return h("span", { class: `sign dot player-${player}`, set: { "aria-hidden": "true" } });
  const svg = svgElement("svg", { class: `sign player-${player}`, viewBox: "0 0 1 1", "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `#${sprite}`, width: 1, height: 1 }));
  return svg;
}

/** Scroll the list, but not the page. @param {HTMLElement} list @param {HTMLElement | undefined} item */
function showIn(list, item) {
  if (!item) list.scrollTop = 0;
  else if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
  else if (item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = item.offsetTop + item.offsetHeight - list.clientHeight;
}

/** Return the names of the seats. A bot in several seats gets numbers. @param {Seat[]} seats @returns {string[]} */
function namesOf(seats) {
  const times = (/** @type {string} */ bot) => seats.filter((seat) => seat.bot === bot).length;
  return seats.map(({ bot }, player) => (times(bot) > 1 ? `${bot} (${player + 1})` : bot));
}

/** @type {Viewer | undefined} */
let viewer;

/** Show the game that the address names, if it names one. */
async function open() {
  const played = data.played[Number(/^#game-(\d+)$/.exec(location.hash)?.[1] ?? -1)];
  if (!played || viewer?.played === played) return;
  const place = byId("replay");
  place.hidden = false;
  if (!canUnpack()) {
    place.replaceChildren(h("h2", { say: ["report.shown", played.key], set: { id: "replay-title" } }), h("p", { class: "notice", say: ["report.unread"] }));
    return;
  }
  const replay = await unpack(played.packed);
  const sprites = data.games[played.game]?.sprites;
  byId("sprites").replaceChildren(...(sprites ? [readSymbols(sprites)] : []));
  nameSeats(namesOf(played.seats));
  viewer = new Viewer(played, replay);
  place.replaceChildren(...viewer.parts());
  viewer.show(false);
  const title = byId("replay-title");
  title.focus({ preventScroll: true });
  title.scrollIntoView({ block: "start" });
}

/** @param {string} language one of LANGUAGES */
function use(language) {
  speak(language);
  learn(PAGE, data.texts[language] ?? {});
  for (const [name, game] of Object.entries(data.games)) learn(name, game.texts[language] ?? {}, game.spoken[language]);
  wordAll();
}

function fillBar() {
  const language = /** @type {HTMLSelectElement} */ (byId("language"));
  language.append(...Object.entries(LANGUAGES).map(([code, name]) => h("option", { set: { value: code, lang: code } }, name)));
  language.value = currentLanguage();
  language.addEventListener("change", () => use(language.value));
  const theme = /** @type {HTMLSelectElement} */ (byId("theme"));
  theme.addEventListener("change", () => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}

/** List the games of the chosen bot only. */
function filter() {
  const only = /** @type {HTMLSelectElement} */ (byId("only"));
  only.addEventListener("change", () => {
    byId("list").querySelectorAll("tbody tr").forEach((row, number) => {
      const plays = data.played[number]?.seats.some((seat) => seat.bot === only.value);
      /** @type {HTMLElement} */ (row).hidden = only.value !== "" && !plays;
    });
  });
}

/** Step through the shown game with the arrow keys, unless the focused element uses them. @param {KeyboardEvent} event */
function key(event) {
  const there = event.target instanceof Element ? event.target : document.body;
  const busy = there.closest("input, select, summary, .scroll");
  if (viewer && !busy && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey) viewer.key(event);
}

speak(firstOf([...navigator.languages]));
for (const element of document.querySelectorAll("[data-message]")) say(element, JSON.parse(element.getAttribute("data-message") ?? ""));
use(currentLanguage());
fillBar();
filter();
window.addEventListener("hashchange", open);
document.addEventListener("keydown", key);
open();
