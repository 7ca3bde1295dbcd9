/** The choice of an action by touching items. The choices are sets of items. The lit items follow from them. */

/** @typedef {import("./frames.js").Choice} Choice */

export class Touching {
  /**
   * @param {Choice[]} choices
   * @param {string} giveUp the action among them that gives up, which has its own button
   */
  constructor(choices = [], giveUp = "") {
    /** The choices with items to touch. */
    this.sets = choices.filter((choice) => choice.touches.length);
    /** The choices that are buttons. */
    this.buttons = choices.filter((choice) => !choice.touches.length && choice.action !== giveUp);
    /** @type {Choice | undefined} */
    this.giveUp = choices.find((choice) => giveUp !== "" && choice.action === giveUp);
    /** @type {Set<string>} */
    this.touched = new Set();
    /** @type {Choice | undefined} The choice of a pressed button, until it is sent. */
    this.picked = undefined;
  }

  /** Return the choices that have all touched items. */
  open() {
    return this.sets.filter((choice) => [...this.touched].every((id) => choice.touches.includes(id)));
  }

  /** Return the items that can be touched next. */
  lit() {
    const lit = new Set(this.open().flatMap((choice) => choice.touches));
    for (const id of this.touched) lit.delete(id);
    return lit;
  }

  /** True if no item is touched and no button is picked. */
  isEmpty() {
    return !this.touched.size && !this.picked;
  }

  /** Return the complete choice: the picked button, or the choice whose items are all touched. */
  whole() {
    return this.picked ?? this.open().find((choice) => choice.touches.length === this.touched.size);
  }

  /** True if the choice is complete and no other choice has more items. It can be sent at once. */
  isFinal() {
    return this.whole() !== undefined && this.open().length === 1;
  }

  /**
   * Touch an item, or take back its touch.
   *
   * @param {string} id
   * @returns {boolean} false if the item is neither lit nor touched, so that nothing has changed
   */
  toggle(id) {
    this.picked = undefined;
    if (this.touched.delete(id)) return true;
    if (!this.lit().has(id)) return false;
    this.touched.add(id);
    return true;
  }

  /** Choose a button in place of the touched items. @param {Choice} choice */
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
