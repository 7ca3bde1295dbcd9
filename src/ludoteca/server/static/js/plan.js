/**
 * Choices in advance: the page asks the room for the choices that the player would have now. The chosen move waits for the
 * player's turn. Then the page sends it if it is legal, or drops it with a message. The room does not know it before.
 */

import { button } from "./dom.js";
import { isMine, isOver, isWaiting } from "./model.js";
import { Touching } from "./touch.js";

/**
 * @typedef {import("./frames.js").Choice} Choice
 * @typedef {import("./frames.js").Message} Message
 * @typedef {import("./frames.js").Planned} Planned
 * @typedef {import("./frames.js").Scene} Scene
 */

export class Planning {
  /** @param {import("./room.js").page} page */
  constructor(page) {
    this.page = page;
    /** True if the game offers choices in advance. */
    this.known = false;
    /** @type {{n: number, scene: Scene, touching: Touching} | null} the choices, while the player chooses */
    this.open = null;
    /** @type {{choice: Choice, words: Message} | null} the choice that waits for the turn */
    this.kept = null;
  }

  /** True if the player may choose in advance now. */
  mayBegin() {
    const { room, talk } = this.page;
    if (!room || room.you < 0 || isMine(room) || isOver(room) || isWaiting(room)) return false;
    return this.known && this.page.isLive() && !talk.isMoving() && room.seats[room.you]?.kind === "person";
  }

  /** Take back the waiting choice, or begin one with a touched item. @param {string} [id] of the item */
  begin(id = "") {
    if (this.kept) return this.stop();
    if (!this.mayBegin()) return;
    this.ask((planned) => {
      const isKnown = planned.choices.some(({ touches }) => touches.includes(id));
      if (id && !isKnown) return;
      this.choose(planned, []);
      if (id) this.page.board?.press(id);
    });
  }

  /** @param {(planned: Planned) => void} done */
  ask(done) {
    const { page } = this;
    const answered = (/** @type {Planned} */ planned) => planned.n === page.room?.position_n && this.mayBegin() && done(planned);
    const refused = () => this.stop();
    page.talk.ask({ t: "plan", n: page.room?.position_n ?? 0 }, { answered, refused, late: refused });
  }

  /** @param {Planned} planned @param {Iterable<string>} touched the items to touch again, if they can be touched */
  choose({ n, scene, choices }, touched) {
    const touching = new Touching(choices);
    for (const id of touched) touching.toggle(id);
    this.open = { n, scene, touching };
    this.page.showPosition(true);
  }

  /** Let a choice wait for the turn. @param {Choice} choice */
  keep(choice) {
    const kept = { choice, words: choice.label };
    [this.open, this.kept] = [null, kept];
    this.page.preview(choice, ({ deed }) => {
      kept.words = deed;
      this.page.showPosition(false);
    });
    this.page.showPosition(true);
  }

  /** Forget the choice in advance. */
  stop() {
    if (!this.open && !this.kept) return;
    this.open = this.kept = null;
    this.page.board?.expect([]);
    this.page.showPosition(true);
  }

  /** Ask again for the choices after a change of the room. If it is the player's turn, send the waiting choice. */
  update() {
    const { page, open, kept } = this;
    const { room } = page;
    if (!room || (!open && !kept)) return;
    if (isOver(room) || room.you < 0) return this.stop();
    if (!isMine(room)) {
      if (open && open.n !== room.position_n) this.ask((planned) => this.choose(planned, open.touching.touched));
      return;
    }
    this.stop();
    for (const id of open?.touching.touched ?? []) page.touching.toggle(id);
    page.showPosition(true);
    if (kept) this.send(kept.choice);
  }

  /** @param {Choice} kept */
  send(kept) {
    const same = (/** @type {Choice} */ choice) => choice.action === kept.action && String(choice.touches) === String(kept.touches);
    const found = this.page.room?.choices.find(same);
    if (found) this.page.play(found);
    else this.page.notice.tell(["plan.dropped"]);
  }

  /** Return the text in place of the player to move. @returns {Message | null} */
  task() {
    if (this.open) return ["plan.choose"];
    return this.kept?.words ? ["plan.waits", this.kept.words] : null;
  }

  /** The button that begins a choice or takes it back. For a choice in part, the controls have another button. */
  buttons() {
    const stop = () => this.stop();
    if (this.kept) return [button({ icon: "undo", say: ["plan.stop"], press: stop })];
    if (this.open) return this.open.touching.isEmpty() ? [button({ icon: "close", say: ["cancel"], press: stop })] : [];
    return this.mayBegin() ? [button({ icon: "ahead", say: ["plan"], press: () => this.begin() })] : [];
  }
}
