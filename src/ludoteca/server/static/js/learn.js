/** A guided first game: positions with tasks that the player does on the board. */

import { named } from "./answers.js";
import { get } from "./api.js";
import { url } from "./assets.js";
import { Board } from "./board.js";
import { button, byId, h, keyOf, refill } from "./dom.js";
import { findGame } from "./games.js";
import { loadLook } from "./look.js";
import { fillBar } from "./prefs.js";
import { playNow } from "./newgame.js";
import { readItem, readScene } from "./scenes.js";
import { local } from "./store.js";
import { Touching } from "./touch.js";
import { loadWords, nameSeats, say } from "./words.js";

/**
 * @typedef {import("./frames.js").Message} Message
 * @typedef {import("./frames.js").Choice} Choice
 * @typedef {import("./frames.js").Previewed} Previewed
 *
 * @typedef {object} Step
 * @property {Message} told
 * @property {any} scene
 * @property {Message} asked  empty if there is nothing to do
 * @property {[string, string[], Message][]} choices
 * @property {any[]} previews  the effects of each choice
 * @property {[string[], Message][]} refused  touched items that are no choice, and the reason
 * @property {Record<string, any>} after  the scene after each right answer, by action
 * @property {Message} then
 * @property {Message} otherwise  the answer to another choice, or empty for the usual answer
 * @property {string[]} marked  the answers that are marked on the board
 */

const name = named();
/** The key under which the browser keeps the step that the player has reached. */
const KEPT = `ludoteca.lesson.${name}`;

/** The level of the programs in the game after the lesson. */
const EASIEST = "1";

class Lesson {
  /** @param {Step[]} steps @param {import("./games.js").Game} game */
  constructor(steps, game) {
    this.steps = steps;
    this.game = game;
    const kept = Number(local.get(KEPT));
    /** The shown step, or the number of steps after the last one. */
    this.at = kept in steps ? kept : 0;
    this.done = false;
    this.board = new Board(/** @type {any} */ (byId("board")), name, {
      play: (choice) => this.play(choice),
      why: (touched) => this.why(touched),
      changed: () => this.changed(),
      ahead: () => {},
      preview: (choice, answered) => this.preview(choice, answered),
      foretell: (shown) => this.foretell(shown),
    });
    this.board.atOnce = game.sends_at_once;
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.board.clear());
  }

  get step() {
    return /** @type {Step} */ (this.steps[this.at]);
  }

  /** @param {number} at @param {MouseEvent} [event] the press of a button that leads there */
  go(at, event) {
    this.at = at;
    this.done = at < this.steps.length && !this.step.asked;
    local.set(KEPT, String(at % this.steps.length));
    this.show();
    if (event?.detail === 0) this.focus();
  }

  show() {
    if (this.at === this.steps.length) return this.end();
    const { told, asked, scene, choices } = this.step;
    say(byId("step"), ["learn.step", this.at + 1, this.steps.length]);
    tell("told", told);
    tell("asked", asked);
    this.draw(scene, this.done ? [] : choices);
    this.answer("");
  }

  /** Give the focus to "Next" if the step is done, or else to the text, after which comes the board. */
  focus() {
    const on = this.done && byId("steps").querySelector(".primary");
    (on instanceof HTMLElement ? on : byId("says")).focus({ preventScroll: true });
  }

  /** @param {any} parts @param {[string, string[], Message][]} choices */
  draw(parts, choices) {
    const scene = readScene(parts);
    say(this.board.svg, scene.task, name, "aria-label");
    this.board.show(scene, new Touching(choices.map(([action, touches, label]) => ({ action, touches, label }))));
    this.board.svg.classList.toggle("mine", choices.length > 0);
  }

  /** Show the answer to a choice, or to touched items that are none. @param {Message} heard @param {string} [scope] */
  answer(heard, scope = name) {
    const says = byId("says");
    says.classList.toggle("done", this.done);
    says.classList.toggle("answered", heard !== "");
    const judged = h("span", { class: "unseen", say: [this.done ? "learn.right" : "learn.wrong"] });
    byId("heard").replaceChildren(...(heard === "" ? [] : [judged, " ", h("span", { say: heard, scope })]));
    this.changed();
  }

  /** Mark the items to touch next after each touch, unless the player has to find them. */
  changed() {
    const { touching } = this.board;
    const wanted = touching.open().filter(({ action }) => this.step.marked.includes(action));
    this.board.hint(wanted.flatMap(({ touches }) => touches).filter((id) => !touching.touched.has(id)));
    this.controls();
  }

  controls() {
    const { board, at, done } = this;
    const parts = [
      ...(done ? [] : board.touching.buttons.map((choice) => this.choice(choice))),
      ...(!done && board.chosen() ? [button({ icon: "check", say: ["play"], kind: "primary", press: () => board.send() })] : []),
      ...(at ? [button({ icon: "back", say: ["learn.back"], press: (event) => this.go(at - 1, event) })] : []),
      ...(done ? [button({ icon: "on", say: ["learn.next"], kind: "primary", press: (event) => this.go(at + 1, event) })] : []),
    ];
    refill(byId("steps"), parts, () => byId("says"));
  }

  /** @param {Choice} choice that is a button */
  choice(choice) {
    const set = { type: "button", "data-key": keyOf(choice.label), "aria-pressed": this.board.touching.picked === choice && "true" };
    const kind = this.step.marked.includes(choice.action) ? "primary" : "";
    return h("button", { class: `button choice ${kind}`, say: choice.label, scope: name, set, on: { click: () => this.board.pick(choice) } });
  }

  /** @param {Choice} choice */
  play(choice) {
    const { scene, choices, after, then, otherwise } = this.step;
    const right = after[choice.action];
    this.done = right !== undefined;
    this.draw(right ?? scene, right ? [] : choices);
    if (right) this.answer(then);
    else if (otherwise) this.answer(otherwise);
    else this.answer(["learn.other"], "");
    if (this.done) this.focus();
  }

  /** @param {string[]} touched that are no choice together */
  why(touched) {
    const found = this.step.refused.find(([ids]) => ids.length === touched.length && ids.every((id) => touched.includes(id)));
    if (found) this.answer(found[1]);
  }

  /** @param {Choice} choice @param {(shown: Previewed) => void} answered */
  preview(choice, answered) {
    const shown = this.step.previews.find(({ action }) => action === choice.action);
    answered({ ...shown, items: shown.items.map(readItem) });
  }

  /** Show the effects of a choice in place of the task. @param {Previewed | null} shown */
  foretell(shown) {
    byId("says").classList.toggle("foretelling", shown !== null);
    tell("foretold", shown?.told ?? "");
  }

  end() {
    say(byId("step"), ["learn.done"]);
    tell("told", ["learn.more"], "");
    for (const place of ["asked", "foretold", "heard"]) tell(place, "");
    byId("says").className = "says";
    refill(byId("steps"), [
      button({ say: ["learn.play"], kind: "primary", press: () => playNow(this.game, EASIEST) }),
      h("a", { class: "button", say: ["learn.rules"], set: { href: url(`/guide/${name}`) } }),
      button({ icon: "back", say: ["learn.back"], press: (event) => this.go(this.at - 1, event) }),
    ]);
  }
}

/** Show a text in a place. A screen reader reads out the change. @param {string} id @param {Message} message @param {string} [scope] */
function tell(id, message, scope = name) {
  byId(id).replaceChildren(...(message === "" ? [] : [h("span", { say: message, scope })]));
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
