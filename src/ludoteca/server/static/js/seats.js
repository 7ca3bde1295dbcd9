/** The seats of a new game: for the player, a friend by link, or an agent. */

import { characterOf, presented } from "./characters.js";
import { h, icon } from "./dom.js";
import { agentName } from "./plates.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").Message} Message */
/** @typedef {{kind: "person", name: string} | {kind: "open"} | {kind: "agent", agent: string}} Wish */

const ME = "me";
const FRIEND = "open";
/** The agent that is suggested. */
const USUAL = "3";

/** Return the name of an agent in the choice. Levels also have a word. @param {string} agent @returns {Message} */
function longName(agent) {
  return /^\d+$/.test(agent) ? ["agent.named", agent, [`level.${agent}`]] : agentName(agent);
}

/** Return the value of the choice for a wish. @param {Wish} wish */
function valueOf(wish) {
  if (wish.kind === "agent") return wish.agent;
  return wish.kind === "person" ? ME : FRIEND;
}

/** Return the suggested agent. @param {string[]} agents */
export function usualAgent(agents) {
  return agents.includes(USUAL) ? USUAL : agents[0];
}

/** Return a seat for the player and the others for friends. @param {number} players @returns {Wish[]} */
export function friendsSeats(players) {
  return [{ kind: "person", name: "" }, ...Array.from({ length: players - 1 }, () => /** @type {Wish} */ ({ kind: "open" }))];
}

export class SeatRows {
  /** @param {import("./games.js").Game} game @param {number} players @param {Wish[]} [wishes] at first */
  constructor({ agents: deeds, friends }, players, wishes = []) {
    this.deeds = deeds;
    this.friends = friends;
    this.agents = Object.keys(deeds);
    /** @type {HTMLSelectElement[]} */
    this.choices = [];
    this.list = h("div", { class: "seat-rows" });
    this.about = h("p", { class: "deed", set: { "aria-live": "polite" } });
    const title = h("legend", { class: "field-name sentence", say: ["seats.title"] });
    this.element = h("fieldset", { class: "field" }, title, this.list, this.about);
    this.resize(players, wishes.map(valueOf));
  }

  /** @param {number} players @param {string[]} [kept] the values of the choices */
  resize(players, kept = this.choices.map((choice) => choice.value)) {
    const values = Array.from({ length: players }, (_, player) => kept[player] ?? (player ? this.usual() : ME));
    this.choices = values.map((value, player) => this.choice(value, player));
    this.list.replaceChildren(...this.choices.map((choice, player) => this.row(choice, player)));
    this.tell(this.choices.find(({ value }) => value in this.deeds)?.value ?? "");
  }

  /** Show the character of an agent. A person has none. @param {string} value */
  tell(value) {
    const deed = this.deeds[value];
    this.about.hidden = !deed;
    if (deed) this.about.replaceChildren(...presented(characterOf(value, this.agents), deed));
    this.showFaces();
  }

  /** Show next to each choice who it is: the face of an agent, or people. */
  showFaces() {
    for (const { value, previousElementSibling: place } of this.choices) {
      const character = characterOf(value, this.agents);
      place?.replaceChildren(character ? icon(character, "face") : icon("people"));
    }
  }

  usual() {
    return usualAgent(this.agents) ?? FRIEND;
  }

  /** @param {HTMLSelectElement} choice @param {number} player */
  row(choice, player) {
    const sign = h("span", { class: `sign dot player-${player}`, set: { "aria-hidden": "true" } });
    return h("div", { class: "seat-row" }, sign, h("span", { class: "seat-face" }), choice);
  }

  /** @param {string} value @param {number} player */
  choice(value, player) {
    const friend = this.friends && h("option", { say: ["seats.friend"], set: { value: FRIEND } });
    const agents = this.agents.map((agent) => h("option", { say: longName(agent), set: { value: agent } }));
    const group = say(h("optgroup", {}, ...agents), ["seats.agents"], "", "label");
    const made = h("select", { label: ["seats.who", player + 1] }, h("option", { say: ["seats.me"], set: { value: ME } }), friend, group);
    made.value = value;
    made.addEventListener("change", () => {
      if (made.value === ME) this.onlyMe(made);
      this.tell(made.value);
    });
    return made;
  }

  /** Give the other seats their usual values, because the player has one seat only. @param {HTMLSelectElement} mine */
  onlyMe(mine) {
    for (const other of this.choices) if (other !== mine && other.value === ME) other.value = this.usual();
  }

  /** @param {string} name of the player @returns {Wish[]} */
  wishes(name) {
    return this.choices.map(({ value }) => {
      if (value === ME) return { kind: "person", name };
      return value === FRIEND ? { kind: "open" } : { kind: "agent", agent: value };
    });
  }
}
