/** The controls next to the board: buttons, the notation, hints, resigning. */

import { url } from "./assets.js";
import { button, byId, h, keyOf, refill } from "./dom.js";
import { invitation } from "./invite.js";
import { declinedBy, isMine, isOver, isWaiting, mayAsk } from "./model.js";
import { mayNotify } from "./signals.js";
import { PATIENCE, lookingFor } from "./strangers.js";
import { announceNew } from "./voice.js";
import { say } from "./words.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Hinted} Hinted
 * @typedef {import("./touch.js").Touching} Touching
 * @typedef {import("./room.js").page} Page
 */

/** The most actions that a hint names after its own. */
const FOLLOWING = 3;

export class Controls {
  /**
   * @param {HTMLElement} place
   * @param {HTMLFormElement} form for a move in notation
   * @param {Page} page
   */
  constructor(place, form, page) {
    this.place = place;
    this.told = byId("advice");
    this.lounge = byId("lounge");
    /** @type {HTMLElement | null} the panel of the search for an opponent */
    this.search = null;
    this.seconds = h("p", { class: "seconds", set: { "aria-hidden": "true" } });
    this.soon = h("div");
    this.form = form;
    this.page = page;
    /** The state of an agent in position `n`: `thinking`, `compiling`, `hurried`, `stuck`. */
    this.doing = { player: -1, what: "", n: -1 };
    /** True while the server looks for a hint. */
    this.asking = false;
    /** @type {Hinted | null} */
    this.hinted = null;
    /** The hint in words. Its details stay open if the player has opened them. */
    this.advised = h("div");
    /** The timer after which the page offers a program in place of an opponent. */
    this.offering = 0;
    this.fillForm();
  }

  fillForm() {
    const field = h("input", { label: ["write.label"], set: { autocomplete: "off", spellcheck: "false", maxlength: 2000, id: "notation" } });
    field.setAttribute("autocapitalize", "off");
    say(field, ["write.placeholder"], "", "placeholder");
    const send = h("button", { class: "button", say: ["write.send"], set: { type: "submit" } });
    this.form.append(field, send);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.page.write(field.value.trim());
      field.value = "";
    });
  }

  /** @param {Whole} room @param {Touching} touching */
  show(room, touching) {
    const { planning } = this.page;
    const mine = isMine(room) && this.page.isLive();
    if (this.hinted && this.hinted.n !== room.position_n) {
      this.hinted = null;
      this.page.board?.hint([]);
    }
    if (!mayAsk(room)) this.asking = false;
    this.form.hidden = !mine;
    const { game, token } = this.page;
    if (isWaiting(room) && game) {
      this.fill();
      refill(this.lounge, [lookingFor(room) === null ? invitation(room, game, token) : this.instead(room)]);
      return announceNew(this.lounge);
    }
    const parts = mine ? [...this.choices(touching), ...this.advice(room)] : [...this.choices(touching), ...planning.buttons()];
    const chosen = !touching.isEmpty(); // the buttons of the choice keep their line then
    const others = chosen ? [] : [this.giving(room), this.page.phrases.opener(room), this.resignation(room)];
    this.fill(this.awaited(room), ...parts, ...this.takingBack(room), this.notifying(room), ...others);
  }

  /** Show the search for an opponent. After some time without one, offer the open seats to programs. @param {Whole} room */
  instead(room) {
    const passed = lookingFor(room) ?? 0;
    clearTimeout(this.offering);
    const open = room.seats.flatMap((seat, player) => (seat.kind === "open" ? [player] : []));
    const isAsked = open.some((player) => room.asked[`replace ${player}`]?.includes(room.you));
    if (!isAsked) this.offering = setTimeout(() => this.page.showControls(), 1000 - (passed % 1000));
    const replace = () => open.forEach((player) => this.page.ask({ t: "replace", seat: player }));
    const [minutes, seconds] = [Math.floor(passed / 60_000), Math.floor(passed / 1000) % 60];
    this.seconds.textContent = `${minutes}:${String(seconds).padStart(2, "0")}`;
    if (isAsked) this.soon.replaceChildren(h("p", { class: "thinking", say: ["replace.asked"] }));
    else if (passed < PATIENCE) this.soon.replaceChildren(h("p", { class: "fine", say: ["find.soon", Math.ceil((PATIENCE - passed) / 1000)] }));
    else refill(this.soon, [button({ say: ["find.program"], kind: "primary", press: replace })]);
    this.search ??= h(
      "div",
      { class: "invite search" },
      h("h2", { say: ["find.looking"] }),
      this.seconds,
      this.soon,
      h("a", { class: "fine", say: ["find.meanwhile"], set: { href: url(`/#new=${encodeURIComponent(room.game)}`), target: "_blank" } }),
    );
    return this.search;
  }

  /** Replace the parts: texts, the buttons for the next action, and tools. Have new texts read out. @param {...(HTMLElement | null)} parts */
  fill(...parts) {
    const there = parts.filter((part) => part !== null);
    const [texts, buttons] = [there.filter((part) => !part.matches("button")), there.filter((part) => part.matches("button"))];
    const main = h("div", { class: "main" }, ...buttons.filter((part) => !isTool(part)));
    const aside = h("div", { class: "aside" }, ...buttons.filter(isTool));
    const board = () => byId("board");
    refill(this.told, texts, board);
    refill(this.place, [main, aside], () => (buttons.length ? this.place : board()));
    this.place.hidden = !buttons.length;
    announceNew(this.told);
  }

  /** @param {Touching} touching @returns {HTMLElement[]} */
  choices(touching) {
    const { board } = this.page;
    const parts = touching.buttons.map((choice) => {
      const set = { type: "button", "data-key": keyOf(choice.label), "aria-pressed": touching.picked === choice && "true" };
      const label = { class: "button choice", say: choice.label, scope: this.page.room?.game ?? "", set };
      return h("button", { ...label, on: { click: () => board?.pick(choice) } });
    });
    if (board?.chosen())
      parts.push(button({ icon: "check", say: [this.page.planning.open ? "plan.keep" : "play"], kind: "primary", press: () => board?.send() }));
    if (!touching.isEmpty()) parts.push(button({ icon: "undo", say: ["unselect"], press: () => board?.clear() }));
    return parts;
  }

  /** @param {Whole} room @returns {HTMLElement[]} */
  advice(room) {
    if (!mayAsk(room)) return [];
    if (this.asking) return [h("p", { class: "thinking", say: ["hint.thinking"] })];
    if (this.hinted) return [this.advised];
    return [button({ icon: "bulb", say: ["hint"], kind: "tool", press: () => this.page.hint() })];
  }

  /** Return the advice in words. Its details have the moves that may follow, other moves and the notation. @param {Hinted} hinted */
  hintText({ line, worth, others, is_guess }) {
    const scope = this.page.room?.game ?? "";
    const [first, ...then] = line;
    const steps = then.slice(0, FOLLOWING).map(({ player, told }) => ["advice.step", ["@seat", player], told]);
    const also = others.map(([{ told }, value]) => ["advice.other", told, value]);
    const more = h(
      "details",
      {},
      h("summary", { say: ["hint.more"] }),
      steps.length > 0 && h("p", { say: ["advice.then", ["@list", ...steps]], scope }),
      also.length > 0 && h("p", { say: ["advice.next", ["@list", ...also]], scope }),
      h("p", {}, h("span", { say: ["hint.notation"] }), " ", h("code", {}, line.map(({ text }) => text).join(" · "))),
    );
    /** @type {import("./frames.js").Message} */
    const move = [is_guess ? "advice.guess" : "advice.move", first?.told ?? ""];
    const advice = h("p", {}, h("b", { say: ["hint.is"] }), " ", h("span", { say: move, scope }), " ", h("span", { say: worth, scope }));
    return h("div", { class: "hint-text" }, advice, more);
  }

  /** @param {Hinted} hinted */
  showHint(hinted) {
    this.asking = false;
    this.hinted = hinted;
    this.advised = this.hintText(hinted);
    this.page.board?.hint(hinted.touches);
    this.page.showControls();
  }

  /** Tell who has to come before a clock runs. @param {Whole} room */
  awaited(room) {
    const awaited = room.seats.flatMap((seat, player) => (seat.awaited ? [["@seat", player]] : []));
    return room.clocks && awaited.length > 0 ? h("p", { class: "thinking", say: ["clock.awaits", ["@list", ...awaited]] }) : null;
  }

  /** Return the task while another player is to move. @param {Whole} room @returns {import("./frames.js").Message} */
  waiting(room) {
    const { player, what: state, n } = this.doing;
    const what = player === room.mover && n === room.position_n ? `turn.${state}` : "turn.of";
    return [what, ["@seat", room.mover]];
  }

  /** The buttons with which the player takes a move back, asks the others for it, or answers them. @param {Whole} room @returns {HTMLElement[]} */
  takingBack(room) {
    if (room.you < 0 || isOver(room) || !this.page.isLive()) return [];
    const here = `undo ${room.position_n} `;
    const [what, asked] = Object.entries(room.asked).find(([question]) => question.startsWith(here)) ?? [here + room.you, []];
    const undo = () => this.page.ask({ t: "undo", n: room.position_n });
    const agree = () => this.page.ask({ t: "agree", what });
    const decline = () => this.page.ask({ t: "decline", what });
    if (asked.includes(room.you))
      return [h("p", { class: "thinking", say: ["undo.asked"] }), button({ icon: "close", say: ["cancel"], kind: "quiet", press: decline })];
    if (asked.length) {
      const asks = h("p", { class: "asks", say: ["undo.asks", ["@seat", asked[0] ?? 0]] });
      return [asks, button({ icon: "check", say: ["undo.agree"], press: agree }), button({ icon: "close", say: ["decline"], press: decline })];
    }
    const by = declinedBy(room, what);
    if (by !== null) return [h("p", { class: "asks", say: ["declined", ["@seat", by]] })];
    return room.undo ? [button({ icon: "undo", say: ["undo"], kind: "tool", press: undo })] : [];
  }

  /** The button that asks the browser for notifications, until the player has answered. @param {Whole} room */
  notifying(room) {
    if (!mayNotify(room)) return null;
    const ask = () => Notification.requestPermission().then(() => this.page.showControls());
    return button({ icon: "bell", say: ["notify"], kind: "quiet tool", press: ask });
  }

  /** The button that gives the opponent time, in a game of two persons with a clock. @param {Whole} room */
  giving(room) {
    const isOfTwo = room.seats.length === 2 && room.seats.every((seat) => seat.kind === "person");
    if (!isOfTwo || room.you < 0 || !room.clocks || isOver(room)) return null;
    return button({ say: ["give"], label: ["give.how", ["@seat", 1 - room.you]], kind: "quiet tool", press: () => this.page.ask({ t: "give" }) });
  }

  /** @param {Whole} room */
  resignation(room) {
    const playing = room.you >= 0 && !isOver(room) && !room.seats[room.you]?.resigned;
    if (!playing || !this.page.isLive()) return null;
    return button({ icon: "flag", say: ["resign"], kind: "quiet tool resign", press: () => this.page.resign() });
  }
}

/** True for a button that is no answer to the task. @param {HTMLElement} made */
function isTool(made) {
  return made.classList.contains("tool");
}
