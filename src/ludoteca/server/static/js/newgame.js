/** The dialog for a new game: its players, parameters and clock. */

import { RefusedError, post } from "./api.js";
import { url } from "./assets.js";
import { openDialog } from "./dialogs.js";
import { enable, h } from "./dom.js";
import { PLAYERS, findGame, fitted, gameText, isFixed, narrowed, playerRange } from "./games.js";
import { knownNote } from "./invite.js";
import { keepKey, keepName, keepSeat, keepSettings, keptName, keptSettings, seatAddress } from "./keep.js";
import { fieldFor } from "./parameters.js";
import { SeatRows, friendsSeats, usualAgent } from "./seats.js";
import { lookFor } from "./strangers.js";
import { clockField } from "./timing.js";
import { loadWords, say } from "./words.js";

/**
 * @typedef {import("./games.js").Game} Game
 * @typedef {import("./games.js").Parameter} Parameter
 * @typedef {{room: string, ply: number, parameters: Record<string, any>}} From a position of a game, to play on from
 */

/**
 * @typedef {object} Opening
 * @property {From} [from]
 * @property {import("./frames.js").Message} [trouble]  the reason why the settings of last time are refused
 * @property {boolean} [friends]  true if the other seats are for friends
 */

/** @param {string} name of the game @param {Opening} [opening] */
export async function openNewGame(name, opening = {}) {
  const game = await findGame(name);
  await loadWords(name);
  new NewGame(game, opening);
}

/**
 * Return the default values. The game has a second seat if the rules permit it.
 *
 * @param {Game} game
 * @param {boolean} [small] true for the smallest of the boards that are offered
 */
function usualValues(game, small = false) {
  const smallest = (/** @type {Record<string, string>} */ presets) => Object.values(presets).sort((a, b) => a.length - b.length)[0];
  const usual = Object.fromEntries(game.parameters.map(({ name, presets, default: value }) => [name, (small && presets && smallest(presets)) || value]));
  const [, most] = playerRange(game);
  return usual[PLAYERS] === 1 && most > 1 ? fitted(game, { ...usual, [PLAYERS]: 2 }, PLAYERS) : usual;
}

/**
 * Start a game against programs with the settings that were used last, or the usual ones.
 *
 * @param {Game} game
 * @param {string} [level] of the programs, on a small board, in place of the settings that were used last
 */
export async function playNow(game, level) {
  const usual = usualValues(game, level !== undefined);
  const kept = level === undefined ? keptSettings(game.name) : undefined;
  const seats = friendsSeats(Number(usual[PLAYERS] ?? playerRange(game)[0]));
  const settings = kept ?? { parameters: usual, seats, clock: null, listed: false };
  const agent = level ?? agentOf(kept) ?? agentOf(keptSettings(game.name, true)) ?? usualAgent(Object.keys(game.agents));
  const named = settings.seats.map((seat) => {
    if (seat.kind === "person") return { ...seat, name: keptName() };
    return seat.kind === "open" && agent !== undefined ? { kind: "agent", agent } : seat;
  });
  try {
    await start(game.name, { game: game.name, ...settings, seats: named });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    await openNewGame(game.name, { trouble: error.told });
  }
}

/** Return the agent of the first seat that has one. @param {import("./keep.js").Settings | undefined} settings */
function agentOf(settings) {
  return settings?.seats.find((seat) => seat.kind === "agent")?.agent;
}

/** Look for an opponent in a game with the usual settings. @param {Game} game */
export async function findOpponent(game) {
  try {
    await lookFor(game.name);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    await openNewGame(game.name, { trouble: error.told });
  }
}

/** Make a room and go there. @param {string} game @param {object} wish */
async function start(game, wish) {
  const { room, seat, token, key } = await post("/api/rooms", wish);
  if (token) keepSeat({ room, token, seat, game });
  else keepKey(room, key);
  location.assign(token ? seatAddress(room, token) : url(`/room/${room}`));
}

/** True for screens on which the focus in a field would open a keyboard over the dialog. */
const COARSE = window.matchMedia("(pointer: coarse)");

class NewGame {
  /** @param {Game} game @param {Opening} opening */
  constructor(game, { from, trouble, friends = false }) {
    this.game = game;
    this.from = from;
    this.isSending = false;
    const last = from ? undefined : keptSettings(game.name, friends);
    /** @type {Record<string, any>} */
    this.values = { ...usualValues(game), ...(from?.parameters ?? last?.parameters) };
    if (friends && this.players() < 2) this.values = fitted(game, { ...this.values, [PLAYERS]: 2 }, PLAYERS);
    this.others = h("div", { class: "others" });
    this.seats = new SeatRows(game, this.players(), last?.seats ?? (friends ? friendsSeats(this.players()) : undefined));
    this.clock = clockField(last?.clock);
    this.name = h("input", { set: { id: "my-name", autofocus: !COARSE.matches, maxlength: 40, autocomplete: "nickname", value: keptName() } });
    say(this.name, ["name.placeholder"], "", "placeholder");
    this.listed = h("input", { set: { type: "checkbox", id: "listed", checked: last?.listed ?? false } });
    this.trouble = h("p", { class: "notice", set: { role: "alert", hidden: true } });
    this.create = h("button", { class: "button primary large", say: [from ? "new.on" : friends ? "new.invite" : "new.create"], set: { type: "submit" } });
    this.form = h("form", { class: "new-game" }, ...this.parts());
    this.form.addEventListener("submit", (event) => this.submit(event));
    this.dialog = openDialog(from ? ["new.from", game.title, from.ply] : [friends ? "new.title.friends" : "new.title", game.title], this.form);
    if (trouble) this.refuse(trouble);
  }

  parts() {
    const name = h("div", { class: "field" }, h("label", { class: "field-name sentence", say: ["name.yours"], set: { for: "my-name" } }), this.name);
    const listed = this.game.friends && h("label", { class: "check" }, this.listed, h("span", { say: ["new.listed"] }));
    const summary = h("span", { say: gameText(this.game, "summary", this.game.summary), scope: this.game.name });
    const lesson = this.game.lesson && h("a", { say: ["learn"], set: { href: url(`/learn/${this.game.name}`) } });
    const intro = this.from ? null : h("p", { class: "intro sentence" }, summary, " ", lesson);
    const shown = this.from ? [] : this.game.parameters;
    const players = shown.filter((parameter) => parameter.name === PLAYERS).map((parameter) => this.field(parameter));
    this.fillOthers();
    const known = this.from ? knownNote("position") : null;
    return [intro, name, ...players, this.seats.element, this.others, this.clock.element, listed, known, h("div", { class: "row dialog-foot" }, this.trouble, this.create)];
  }

  /** The fields for all but the number of players, with the values that this number may have. */
  fillOthers() {
    const others = this.from ? [] : this.game.parameters.filter(({ name }) => name !== PLAYERS);
    const offered = others.map((parameter) => narrowed(this.game, parameter, this.players()));
    this.others.replaceChildren(...offered.filter((parameter) => !isFixed(parameter)).map((parameter) => this.field(parameter)));
  }

  /** @param {Parameter} parameter */
  field(parameter) {
    const changed = (/** @type {any} */ value) => this.change(parameter.name, value);
    return fieldFor(this.game, parameter, this.values[parameter.name], changed).element;
  }

  players() {
    return Number(this.values[PLAYERS] ?? playerRange(this.game)[0]);
  }

  /** @param {string} name @param {any} value */
  change(name, value) {
    this.values = fitted(this.game, { ...this.values, [name]: value }, name);
    if (name !== PLAYERS) return;
    this.seats.resize(this.players());
    if (this.game.together) this.fillOthers();
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    if (this.isSending) return;
    this.isSending = true;
    enable(this.create, false);
    try {
      await this.make();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.refuse(error.told);
    } finally {
      this.isSending = false;
      enable(this.create, true);
    }
  }

  /** Show the reason of a refusal. @param {import("./frames.js").Message} told */
  refuse(told) {
    this.trouble.hidden = false;
    say(this.trouble, told, this.game.name);
  }

  async make() {
    const name = this.name.value.trim();
    if (name) keepName(name);
    const what = this.from ? { from: { room: this.from.room, ply: this.from.ply } } : { game: this.game.name, parameters: this.values };
    const who = { seats: this.seats.wishes(name), clock: this.clock.value(), listed: this.listed.checked };
    await start(this.game.name, { ...what, ...who });
    if (!this.from) keepSettings(this.game.name, { parameters: this.values, ...who });
  }
}
