/** Looking back: a slider over the moves, a button to either side, and the eyes of each seat after the end. */

import { button, h } from "./dom.js";
import { isOver } from "./model.js";

/** @typedef {import("./frames.js").Whole} Whole */

export class Replay {
  /**
   * @param {HTMLElement} place
   * @param {(ply: number, player: number) => void} look asks for a position; ply -1 is now
   */
  constructor(place, look) {
    this.place = place;
    this.look = look;
    /** The position that is shown; -1 is now. */
    this.ply = -1;
    this.last = 0;
    /** Whose eyes are used. */
    this.eyes = -1;
    this.over = false;
    const slide = () => this.go(Number(slider.value));
    const slider = h("input", { label: ["replay.slider"], set: { type: "range", min: 0, max: 0, id: "slider" }, on: { input: slide } });
    this.slider = slider;
    this.count = h("output", { class: "count", set: { for: "slider" } });
    this.first = button({ icon: "first", kind: "quiet", label: ["replay.first"], press: () => this.go(0) });
    this.back = button({ icon: "back", kind: "quiet", label: ["replay.back"], press: () => this.step(-1) });
    this.on = button({ icon: "on", kind: "quiet", label: ["replay.on"], press: () => this.step(1) });
    this.now = button({ icon: "last", kind: "quiet", label: ["replay.last"], press: () => this.live() });
    this.seats = h("select", { label: ["replay.eyes"], on: { change: () => this.changeEyes() } });
    this.place.append(this.first, this.back, this.slider, this.on, this.now, this.count, this.seats);
  }

  changeEyes() {
    this.eyes = Number(this.seats.value);
    this.look(this.shown(), this.eyes);
  }

  /** The position that is shown. */
  shown() {
    return this.ply < 0 ? this.last : this.ply;
  }

  isLive() {
    return this.ply < 0;
  }

  /** @param {number} ply */
  go(ply) {
    const to = Math.max(0, Math.min(ply, this.last));
    if (to === this.shown()) return;
    this.ply = to === this.last && !this.over ? -1 : to;
    this.show();
    this.look(this.ply, this.eyes);
  }

  /** Show a position as a seat saw it. @param {number} ply @param {number} player */
  goAs(ply, player) {
    this.eyes = player;
    this.seats.value = String(player);
    if (ply === this.shown()) this.look(ply, player);
    else this.go(ply);
  }

  /** @param {number} by */
  step(by) {
    this.go(this.shown() + by);
  }

  live() {
    this.go(this.last);
  }

  /** @param {Whole} room */
  update(room) {
    const ended = isOver(room) && !this.over;
    this.over = isOver(room);
    if (ended) this.offerEyes(room);
    this.last = room.ply;
    if (this.ply > this.last) this.ply = -1;
    this.place.hidden = this.last === 0;
    this.show();
  }

  /** @param {Whole} room */
  offerEyes(room) {
    this.eyes = room.you;
    const watching = h("option", { say: ["replay.watching"], set: { value: -1 } });
    const seats = room.seats.map((_, player) => h("option", { say: ["@seat", player], set: { value: player } }));
    this.seats.replaceChildren(watching, ...seats);
    this.seats.value = String(this.eyes);
  }

  show() {
    const { slider, count, first, back, on, now, seats } = this;
    const shown = this.shown();
    slider.max = String(this.last);
    slider.value = String(shown);
    count.textContent = `${shown} / ${this.last}`;
    first.disabled = back.disabled = shown === 0;
    on.disabled = now.disabled = shown === this.last;
    seats.hidden = !this.over;
    this.place.classList.toggle("past", !this.isLive() && shown < this.last);
  }
}
