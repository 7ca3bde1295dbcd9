/** The end of a game: the verdict is shown over the board for some seconds, and the points count up. The task keeps the verdict. */

import { celebrate } from "./celebrate.js";
import { isStill } from "./flights.js";
import { button, h } from "./dom.js";
import { sign } from "./plates.js";
import { isCutShort, reasonOf, verdict, winnersOf } from "./verdict.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").Whole} Whole */

/** Milliseconds until the verdict is put away, and those in which the points count up. */
const SHOWN = 7_000;
const COUNTING = 900;

export class Result {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    // screen readers need these elements on the page before they have texts
    this.said = h("p", { class: "said sentence", set: { role: "status" } });
    this.why = h("p", { class: "why sentence", set: { role: "status" } });
    this.points = h("ol", { class: "points" });
    this.place.append(this.said, this.why, this.points);
  }

  /** Show the verdict over the board. @param {Whole} room */
  show(room) {
    const { over, scene } = room;
    const text = verdict(room);
    if (!over || !text) return;
    say(this.said, text, room.game);
    if (over.reason !== "unplayed") say(this.why, isCutShort(over) ? reasonOf(over) : scene.task, room.game); // else the verdict is the reason
    if (over.by_rules && room.seats.length > 1) this.count(room, over);
    this.place.append(button({ icon: "close", kind: "quiet away", label: ["close"], press: () => this.putAway() }));
    this.place.classList.add("shown");
    this.place.scrollIntoView({ block: "nearest" });
    setTimeout(() => this.putAway(), SHOWN);
    if (room.seats.length > 1 && winnersOf(over).includes(room.you)) celebrate(this.place);
  }

  /** Show the points of all players, the winner first, and count them up from 0. @param {Whole} room @param {import("./frames.js").Over} over */
  count({ scene, you }, { returns, scores }) {
    const best = [...scene.standings].sort((a, b) => (returns[b.player] ?? 0) - (returns[a.player] ?? 0));
    const faces = best.map(({ player }) => ({ face: h("b"), score: scores[player] ?? 0 }));
    const name = (/** @type {number} */ player) => h("span", { class: "name", say: ["@seat", player] });
    this.points.replaceChildren(...best.map(({ player, sprite }, at) => h("li", { class: player === you ? "me" : "" }, sign(player, sprite), name(player), faces[at]?.face)));
    const begun = performance.now();
    const draw = () => {
      const share = isStill() ? 1 : Math.min(1, (performance.now() - begun) / COUNTING);
      for (const { face, score } of faces) face.textContent = String(Math.round(score * share));
      if (share < 1) requestAnimationFrame(draw);
    };
    draw();
  }

  putAway() {
    this.place.classList.remove("shown");
  }
}
