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

  /** The choice that is touched whole, if there is one. */
  whole() {
    return this.open().find((choice) => choice.touches.length === this.touched.size);
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
    if (this.touched.delete(id)) return true;
    if (!this.lit().has(id)) return false;
    this.touched.add(id);
    return true;
  }

  /** Take all touches back. */
  clear() {
    this.touched.clear();
  }
}
