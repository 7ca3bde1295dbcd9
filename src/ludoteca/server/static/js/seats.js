/** The seats of a new game: for oneself, a friend by link, or an agent. */

import { h } from "./dom.js";
import { agentName } from "./table.js";
import { say } from "./words.js";

/** @typedef {{kind: "person", name: string} | {kind: "open"} | {kind: "agent", agent: string}} Wish */

const ME = "me";
const FRIEND = "open";
/** The agent that is suggested. */
const USUAL = "3";

export class SeatRows {
  /** @param {string[]} agents @param {number} players */
  constructor(agents, players) {
    this.agents = agents;
    /** @type {HTMLSelectElement[]} */
    this.choices = [];
    this.list = h("div", { class: "seat-rows" });
    this.element = h("fieldset", { class: "field" }, h("legend", { class: "field-name", say: ["seats.title"] }), this.list);
    this.resize(players);
  }

  /** @param {number} players */
  resize(players) {
    const kept = this.choices.map((choice) => choice.value);
    const values = Array.from({ length: players }, (_, player) => kept[player] ?? (player ? this.usual() : ME));
    this.choices = values.map((value, player) => this.choice(value, player));
    this.list.replaceChildren(...this.choices.map((choice, player) => this.row(choice, player)));
  }

  usual() {
    return this.agents.includes(USUAL) ? USUAL : this.agents[0] ?? FRIEND;
  }

  /** @param {HTMLSelectElement} choice @param {number} player */
  row(choice, player) {
    const sign = h("span", { class: `sign dot player-${player}`, set: { "aria-hidden": "true" } });
    return h("div", { class: "seat-row" }, sign, choice);
  }

  /** @param {string} value @param {number} player */
  choice(value, player) {
    const people = [h("option", { say: ["seats.me"], set: { value: ME } }), h("option", { say: ["seats.friend"], set: { value: FRIEND } })];
    const agents = this.agents.map((agent) => h("option", { say: agentName(agent), set: { value: agent } }));
    const group = say(h("optgroup", {}, ...agents), ["seats.agents"], "", "label");
    const made = h("select", { label: ["seats.who", player + 1] }, ...people, group);
    made.value = value;
    made.addEventListener("change", () => made.value === ME && this.onlyMe(made));
    return made;
  }

  /** Only one seat may be one's own: make the others what they usually are. @param {HTMLSelectElement} mine */
  onlyMe(mine) {
    for (const other of this.choices) if (other !== mine && other.value === ME) other.value = this.usual();
  }

  /** @param {string} name mine @returns {Wish[]} */
  wishes(name) {
    return this.choices.map(({ value }) => {
      if (value === ME) return { kind: "person", name };
      return value === FRIEND ? { kind: "open" } : { kind: "agent", agent: value };
    });
  }
}
