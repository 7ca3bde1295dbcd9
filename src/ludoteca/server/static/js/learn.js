/** A guided first game: positions in which one is told what to do, and does it with one's own hands. */

import { get } from "./api.js";
import { Board } from "./board.js";
import { button, byId, h } from "./dom.js";
import { findGame } from "./games.js";
import { loadLook } from "./look.js";
import { fillBar } from "./prefs.js";
import { playNow } from "./newgame.js";
import { readScene } from "./scenes.js";
import { Touching } from "./touch.js";
import { loadWords, nameSeats, say } from "./words.js";

/**
 * @typedef {import("./frames.js").Message} Message
 * @typedef {import("./frames.js").Choice} Choice
 * @typedef {{told: Message, scene: any, asked: Message, choices: [string, string[], Message][], after: Record<string, any>, then: Message, marked: string[]}} Step
 */

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
/** Where the browser keeps how far one is. */
const KEPT = `ludoteca.lesson.${name}`;

/** The level of the programs in the game after it. */
const EASIEST = "1";

class Lesson {
  /** @param {Step[]} steps @param {import("./games.js").Game} game */
  constructor(steps, game) {
    this.steps = steps;
    this.game = game;
    /** The step that is shown; the number of steps when all are done. */
    this.at = Math.min(Number(localStorage.getItem(KEPT)) || 0, steps.length - 1);
    /** @type {Message} What is said besides, when something was played. */
    this.heard = "";
    this.done = false;
    this.board = new Board(/** @type {any} */ (byId("board")), name, {
      play: (choice) => this.play(choice),
      why: () => {},
      changed: () => this.changed(),
      ahead: () => {},
      preview: () => {},
      foretell: () => {},
    });
    this.board.atOnce = game.sends_at_once;
  }

  get step() {
    return /** @type {Step} */ (this.steps[this.at]);
  }

  /** @param {number} at */
  go(at) {
    this.at = at;
    this.done = at < this.steps.length && !this.step.asked;
    this.heard = "";
    localStorage.setItem(KEPT, String(at % this.steps.length));
    this.show();
  }

  show() {
    if (this.at === this.steps.length) return this.end();
    say(byId("step"), ["learn.step", this.at + 1, this.steps.length]);
    this.draw(this.step.scene, this.done ? [] : this.step.choices);
    this.says();
    this.controls();
  }

  /** @param {any} parts @param {[string, string[], Message][]} choices */
  draw(parts, choices) {
    const scene = readScene(parts);
    say(this.board.svg, scene.task, name, "aria-label");
    this.board.show(scene, new Touching(choices.map(([action, touches, label]) => ({ action, touches, label }))));
    this.point();
  }

  /** Mark what is to be touched next, unless the player is to find it. */
  point() {
    const { touching } = this.board;
    const wanted = touching.open().filter(({ action }) => this.step.marked.includes(action));
    this.board.hint(wanted.flatMap(({ touches }) => touches).filter((id) => !touching.touched.has(id)));
  }

  changed() {
    this.point();
    this.controls();
  }

  says() {
    const { told, asked, then } = this.step;
    byId("says").replaceChildren(
      h("p", { say: told, scope: name }),
      ...(asked ? [h("p", { class: "asked", say: asked, scope: name })] : []),
      ...(this.done && then ? [h("p", { class: "then", say: then, scope: name })] : []),
      ...(this.heard ? [h("p", { class: "then", say: this.heard })] : []),
    );
  }

  controls() {
    const { touching } = this.board;
    const open = this.done ? [] : touching.buttons;
    byId("steps").replaceChildren(
      ...open.map((choice) => h("button", { class: `button choice ${this.step.marked.includes(choice.action) ? "primary" : ""}`, say: choice.label, scope: name, set: { type: "button" }, on: { click: () => this.play(choice) } })),
      ...(!this.done && this.board.chosen() ? [button({ icon: "check", say: ["play"], kind: "primary", press: () => this.board.send() })] : []),
      ...(this.at ? [button({ icon: "back", say: ["learn.back"], press: () => this.go(this.at - 1) })] : []),
      ...(this.done ? [button({ icon: "on", say: ["learn.next"], kind: "primary", press: () => this.go(this.at + 1) })] : []),
    );
  }

  /** @param {Choice} choice */
  play(choice) {
    const after = this.step.after[choice.action];
    this.done = after !== undefined;
    this.heard = after ? "" : ["learn.other"];
    this.draw(after ?? this.step.scene, after ? [] : this.step.choices);
    this.says();
    this.controls();
    if (this.done) /** @type {HTMLElement | null} */ (byId("steps").querySelector(".primary"))?.focus({ preventScroll: true });
  }

  end() {
    say(byId("step"), ["learn.done"]);
    byId("says").replaceChildren(h("p", { say: ["learn.more"] }));
    byId("steps").replaceChildren(
      button({ say: ["learn.play"], kind: "primary", press: () => playNow(this.game, EASIEST) }),
      h("a", { class: "button", say: ["learn.rules"], set: { href: `/guide/${name}` } }),
      button({ icon: "back", say: ["learn.back"], press: () => this.go(this.at - 1) }),
    );
  }
}

async function start() {
  const coming = Promise.all([findGame(name), get(`/games/${name}/lesson.json`), loadLook(name)]);
  await loadWords(name);
  fillBar();
  const [game, steps] = await coming;
  document.title = `${game.title} · Ludoteca`;
  byId("title").textContent = game.title;
  byId("learn").hidden = false;
  nameSeats([]);
  const lesson = new Lesson(steps, game);
  lesson.go(lesson.at);
}

await start();
