/** The replay: a slider over the moves, a button on each side, and after the end the view of each seat. */

import { button, enable, h, icon } from "./dom.js";
import { isOver } from "./model.js";
import { paceOfMotion } from "./settings.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").Whole} Whole */

/** Milliseconds for which the replay shows a position, at the usual pace. */
const STEP = 1000;

export class Replay {
  /**
   * @param {HTMLElement} place
   * @param {(ply: number, player: number) => void} look asks for a position; ply -1 is now
   * @param {() => boolean} [isComing] true until that position is shown and its pieces have landed
   */
  constructor(place, look, isComing = () => false) {
    this.place = place;
    this.look = look;
    this.isComing = isComing;
    /** The timer for the next step while the replay runs by itself, or 0. */
    this.timer = 0;
    /** The shown position; -1 is now. */
    this.ply = -1;
    this.last = 0;
    /** The seat whose view is shown; -1 for a spectator's. */
    this.eyes = -1;
    this.over = false;
    /** True in a game in which every player sees the same. */
    this.alike = false;
    const slide = () => this.go(Number(slider.value));
    const slider = h("input", { label: ["replay.slider"], set: { type: "range", min: 0, max: 0, id: "slider" }, on: { input: slide } });
    this.slider = slider;
    this.count = h("span", { class: "count" });
    this.first = button({ icon: "first", kind: "quiet", label: ["replay.first"], press: () => this.go(0) });
    this.back = button({ icon: "back", kind: "quiet", label: ["replay.back"], press: () => this.step(-1) });
    this.on = button({ icon: "on", kind: "quiet", label: ["replay.on"], press: () => this.step(1) });
    this.now = button({ icon: "last", kind: "quiet", label: ["replay.last"], press: () => this.live() });
    this.runner = button({ kind: "quiet", label: ["replay.run"], press: () => (this.timer ? this.pause() : this.run()) });
    this.seats = h("select", { label: ["replay.eyes"], on: { change: () => this.changeEyes() } });
    this.place.append(this.runner, this.first, this.back, this.slider, this.on, this.now, this.count, this.seats);
    this.pause();
  }

  changeEyes() {
    this.eyes = Number(this.seats.value);
    this.look(this.shown(), this.eyes);
  }

  /** Return the shown position. */
  shown() {
    return this.ply < 0 ? this.last : this.ply;
  }

  isLive() {
    return this.ply < 0;
  }

  /** Run through the positions to the end. If the end is shown, begin at the start. */
  run() {
    if (this.shown() === this.last) this.show(0);
    this.next();
    this.dress();
  }

  /** Wait for the next step of the replay. */
  next() {
    this.timer = window.setTimeout(() => {
      if (!this.isComing()) this.show(this.shown() + 1);
      if (this.shown() === this.last) this.pause();
      else this.next();
    }, STEP * paceOfMotion());
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.dress();
  }

  /** Show the present effect of the button on it. */
  dress() {
    const does = this.timer ? "pause" : "run";
    this.runner.replaceChildren(icon(does));
    for (const attribute of ["aria-label", "title"]) say(this.runner, [`replay.${does}`], "", attribute);
  }

  /** Go to a position that the player chooses. @param {number} ply */
  go(ply) {
    this.pause();
    this.show(ply);
  }

  /** @param {number} ply */
  show(ply) {
    const to = Math.max(0, Math.min(ply, this.last));
    if (to === this.shown()) return;
    this.ply = to === this.last && !this.over ? -1 : to;
    this.draw();
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
    this.draw();
  }

  /** @param {Whole} room */
  offerEyes(room) {
    this.eyes = room.you;
    const watching = h("option", { say: ["replay.watching"], set: { value: -1 } });
    const seats = room.seats.map((_, player) => h("option", { say: ["@seat", player], set: { value: player } }));
    this.seats.replaceChildren(watching, ...seats);
    this.seats.value = String(this.eyes);
  }

  draw() {
    const { slider, count, first, back, on, now, seats } = this;
    const shown = this.shown();
    slider.max = String(this.last);
    slider.value = String(shown);
    count.textContent = `${shown} / ${this.last}`;
    for (const earlier of [first, back]) enable(earlier, shown > 0);
    for (const later of [on, now]) enable(later, shown < this.last);
    seats.hidden = !this.over || this.alike;
    this.place.classList.toggle("past", !this.isLive() && shown < this.last);
  }
}
