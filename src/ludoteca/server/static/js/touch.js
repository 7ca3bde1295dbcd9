/** Choosing an action by touching items: the choices are sets of items, and what is lit next follows from them. */

/** @typedef {import("./frames.js").Choice} Choice */

export class Touching {
  /**
   * @param {Choice[]} choices
   * @param {string} giveUp the action among them that gives up: it has its own button
   */
  constructor(choices = [], giveUp = "") {
    /** Those with something to touch. */
    this.sets = choices.filter((choice) => choice.touches.length);
    /** Those that are buttons. */
    this.buttons = choices.filter((choice) => !choice.touches.length && choice.action !== giveUp);
    /** @type {Choice | undefined} */
    this.giveUp = choices.find((choice) => giveUp !== "" && choice.action === giveUp);
    /** @type {Set<string>} */
    this.touched = new Set();
    /** @type {Choice | undefined} The button that was pressed, and is not sent yet. */
    this.picked = undefined;
  }

  /** The choices that have all that is touched. */
  open() {
    return this.sets.filter((choice) => [...this.touched].every((id) => choice.touches.includes(id)));
  }

  /** The items that can be touched next. */
  lit() {
    const lit = new Set(this.open().flatMap((choice) => choice.touches));
    for (const id of this.touched) lit.delete(id);
    return lit;
  }

  /** True when nothing is chosen, not in part either. */
  isEmpty() {
    return !this.touched.size && !this.picked;
  }

  /** The choice that is touched whole, or picked, if there is one. */
  whole() {
    return this.picked ?? this.open().find((choice) => choice.touches.length === this.touched.size);
  }

  /** True when the touched choice is whole and no other has more: it can be sent at once. */
  isFinal() {
    return this.whole() !== undefined && this.open().length === 1;
  }

  /**
   * Touch an item, or take back its touch.
   *
   * @param {string} id
   * @returns {boolean} false when the item is neither lit nor touched, and nothing has changed
   */
  toggle(id) {
    this.picked = undefined;
    if (this.touched.delete(id)) return true;
    if (!this.lit().has(id)) return false;
    this.touched.add(id);
    return true;
  }

  /** Choose a button, in place of what is touched. @param {Choice} choice */
  pick(choice) {
    this.clear();
    this.picked = choice;
  }

  /** Take all touches back. */
  clear() {
    this.touched.clear();
    this.picked = undefined;
  }
}
