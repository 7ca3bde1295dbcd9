/** The result: a line above the board with the winner and the next actions, until the player puts it away. */

import { celebrate } from "./celebrate.js";
import { button, h } from "./dom.js";
import { session } from "./store.js";
import { reasonOf, verdict, winnersOf } from "./verdict.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").Whole} Whole */

/** The prefix of the keys for rooms whose results were put away in this window. */
const KEPT = "ludoteca.put-away.";

export class Result {
  /** @param {HTMLElement} place @param {() => void} gone called after it was put away */
  constructor(place, gone) {
    this.place = place;
    this.gone = gone;
    this.room = "";
    // screen readers need these elements on the page before they have texts
    this.said = h("p", { class: "said sentence", set: { role: "status" } });
    this.why = h("p", { class: "why sentence", set: { role: "status" } });
    this.most = h("p", { class: "most" });
    this.tools = h("div", { class: "row next" });
    this.place.append(h("div", { class: "words" }, this.said, this.why, this.most));
  }

  /** @param {Whole} room @param {boolean} fresh true if the page has shown the game before its end */
  show(room, fresh) {
    this.room = room.room;
    const { over } = room;
    const text = verdict(room);
    if (!over || !text || session.get(KEPT + room.room)) return;
    const away = button({ icon: "close", kind: "quiet away", label: ["result.away"], press: () => this.putAway() });
    this.place.append(this.tools, away);
    this.place.classList.add("shown");
    say(this.said, text, room.game);
    if (over.loser >= 0) say(this.why, reasonOf(over));
    const won = room.seats.length > 1 && winnersOf(over).includes(room.you);
    this.place.classList.toggle("mine", won);
    if (won && fresh) celebrate(this.place);
  }

  /** Show the move that decided the game. @param {import("./frames.js").Message} told @param {string} game @param {() => void} look */
  decide(told, game, look) {
    this.most.replaceChildren(h("button", { class: "bare decided", set: { type: "button" }, say: told, scope: game, on: { click: look } }));
  }

  isShown() {
    return this.place.classList.contains("shown");
  }

  putAway() {
    session.set(KEPT + this.room, "yes");
    this.place.classList.remove("shown");
    this.place.replaceChildren();
    this.gone();
  }
}
