/** The dialog for a new game: who plays, with which parameters, against which clock. */

import { RefusedError, post } from "./api.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { PLAYERS, findGame, fitted, gameText, isFixed, narrowed, playerRange } from "./games.js";
import { knownNote } from "./invite.js";
import { keepKey, keepName, keepSeat, keptName } from "./keep.js";
import { fieldFor } from "./parameters.js";
import { SeatRows } from "./seats.js";
import { clockField } from "./timing.js";
import { loadWords, say } from "./words.js";

/**
 * @typedef {import("./games.js").Game} Game
 * @typedef {import("./games.js").Parameter} Parameter
 * @typedef {{room: string, ply: number, parameters: Record<string, any>}} From a position of a game, to play on from
 */

/**
 * @param {string} name of the game
 * @param {From} [from]
 */
export async function openNewGame(name, from) {
  const game = await findGame(name);
  await loadWords(name);
  new NewGame(game, from);
}

class NewGame {
  /** @param {Game} game @param {From | undefined} from */
  constructor(game, from) {
    this.game = game;
    this.from = from;
    const chosen = from?.parameters ?? {};
    /** @type {Record<string, any>} */
    this.values = Object.fromEntries(game.parameters.map(({ name, default: usual }) => [name, chosen[name] ?? usual]));
    this.others = h("div", { class: "others" });
    this.seats = new SeatRows(game.agents, this.players());
    this.clock = clockField();
    this.name = h("input", { set: { id: "my-name", autofocus: true, maxlength: 40, autocomplete: "nickname", value: keptName() } });
    say(this.name, ["name.placeholder"], "", "placeholder");
    this.listed = h("input", { set: { type: "checkbox", id: "listed", checked: false } });
    this.trouble = h("p", { class: "notice", set: { role: "alert", hidden: true } });
    this.create = h("button", { class: "button primary large", say: [from ? "new.on" : "new.create"], set: { type: "submit" } });
    this.form = h("form", { class: "new-game" }, ...this.parts());
    this.form.addEventListener("submit", (event) => this.submit(event));
    this.dialog = openDialog(from ? ["new.from", game.title, from.ply] : ["new.title", game.title], this.form);
  }

  parts() {
    const name = h("div", { class: "field" }, h("label", { class: "field-name", say: ["name.yours"], set: { for: "my-name" } }), this.name);
    const listed = h("label", { class: "check" }, this.listed, h("span", { say: ["new.listed"] }));
    const intro = this.from ? null : h("p", { class: "intro", say: gameText(this.game, "summary", this.game.summary), scope: this.game.name });
    const shown = this.from ? [] : this.game.parameters;
    const players = shown.filter((parameter) => parameter.name === PLAYERS).map((parameter) => this.field(parameter));
    this.fillOthers();
    const known = this.from ? knownNote("position") : null;
    return [intro, name, ...players, this.seats.element, this.others, this.clock.element, listed, known, h("div", { class: "dialog-foot" }, this.trouble, this.create)];
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
    this.create.disabled = true;
    try {
      await this.make();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.trouble.hidden = false;
      say(this.trouble, error.told, this.game.name);
    } finally {
      this.create.disabled = false;
    }
  }

  async make() {
    const name = this.name.value.trim();
    if (name) keepName(name);
    const what = this.from ? { from: { room: this.from.room, ply: this.from.ply } } : { game: this.game.name, parameters: this.values };
    const wish = { ...what, seats: this.seats.wishes(name), clock: this.clock.value(), listed: this.listed.checked };
    const { room, seat, token, key } = await post("/api/rooms", wish);
    if (token) keepSeat({ room, token, seat, game: this.game.name });
    else keepKey(room, key);
    location.assign(`/room/${room}`);
  }
}
