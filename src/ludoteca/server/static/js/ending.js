/** The part of the page after the end: a rematch, the analysis of the moves, the record, the check of the deal. */

import { RefusedError, get, post } from "./api.js";
import { url } from "./assets.js";
import { button, byId, h, icon, refill } from "./dom.js";
import { isFair } from "./fair.js";
import { Graph, costList, valueList } from "./graph.js";
import { keepSeat, seatAddress } from "./keep.js";
import { Mistakes } from "./mistakes.js";
import { declinedBy } from "./model.js";
import { openNewGame } from "./newgame.js";
import { fileLink, filmLinks, pictureLink } from "./picture.js";
import { showProgress } from "./progress.js";
import { Result } from "./result.js";
import { winnersOf } from "./verdict.js";
import { announce, announceNew } from "./voice.js";
import { say } from "./words.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./room.js").page} Page
 * @typedef {typeof announce} Announce
 */

/** @param {HTMLElement} place @param {{state: string, percent: number, moves: any[], total: number}} found the progress of an analysis */
function showAnalysing(place, { state, percent, moves, total }) {
  if (state === "thinking") showProgress(place, ["ending.analysing", moves.length, total], (100 * moves.length) / total);
  else showProgress(place, ["ending.compiling", percent], percent);
}

/**
 * Return the text before the graph of an analysis.
 *
 * @param {{state: string, moves: any[], total: number, costly: number[], unsure: number[]}} found
 * @returns {import("./frames.js").Message | ""}
 */
export function outcome({ state, moves, total, costly, unsure }) {
  if (state === "failed") return ["ending.failed"];
  if (moves.length < total) return ["ending.partly", moves.length, total];
  return costly.length || unsure.length ? "" : ["graph.none"];
}

/** Milliseconds between two requests for the progress of an analysis. */
const POLL = 800;

/** @returns {string} the theme that the page has now */
function theme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  return document.documentElement.dataset["theme"] ?? (dark ? "dark" : "light");
}

export class Ending {
  /** @param {HTMLElement} place @param {Page} page */
  constructor(place, page) {
    this.place = place;
    this.page = page;
    this.built = false;
    /** True if the server draws animated pictures. */
    this.films = false;
    /** True if the page has shown the game under way. */
    this.watched = false;
    /** True if the page has shown the end without a next game. A player goes to the next game when there is one. */
    this.awaited = false;
    /** @type {HTMLButtonElement | null} plays on from the shown position */
    this.from = null;
    /** The position in which the rules end the game, or -1 if a player ended it. */
    this.byRules = -1;
    /** @type {Graph | null} */
    this.graph = null;
    this.bar = h("div", { class: "row weaker", set: { hidden: true } });
    this.outcome = h("p", { class: "fine" });
    this.analysis = h("div", { class: "analysis" });
    this.again = h("div", { class: "row again", set: { tabindex: -1 } });
    /** @type {HTMLButtonElement | null} */
    this.analyser = null;
    this.study = h("div", { class: "study" });
    this.buttons = h("div", { class: "row buttons" });
    /** @type {Mistakes | null} */
    this.mistakes = null;
    this.decided = h("p", {});
    this.result = new Result(byId("result"));
    byId("after").append(this.again, this.study);
  }

  /** @param {Whole} room */
  show(room) {
    if (!room.over) return void (this.watched = true);
    if (this.page.isEnding()) return;
    this.place.hidden = false;
    if (!this.built) this.build(room);
    this.rematch(room);
  }

  /** @param {Whole} room */
  build(room) {
    this.built = true;
    this.analyser = button({ icon: "graph", say: ["ending.analyse"], press: () => this.follow(post, announce) });
    this.study.append(this.analyser);
    this.buttons.append(...this.tools(room));
    this.place.replaceChildren(this.buttons, this.bar, this.outcome, this.decided, this.analysis, this.fairness(room));
    byId("after").hidden = false;
    if (this.watched) this.result.show(room);
    this.follow(get);
  }

  /** @param {Whole} room */
  tools(room) {
    const name = `${room.game}-${room.room}`;
    const record = fileLink(`${name}.json`, "download", ["ending.record"], () => url(`/api/rooms/${room.room}/record`));
    const picture = pictureLink(name, () => this.pictureAddress(room));
    const address = url(`/api/rooms/${room.room}/game.gif?player=${room.you}&theme=${theme()}`);
    const film = this.films ? filmLinks(name, address, room.ply) : [];
    this.from = button({ icon: "branch", say: ["ending.from"], press: () => this.playOn(room) });
    this.byRules = room.over?.by_rules ? room.ply : -1;
    this.point(this.page.replay.shown());
    return [this.from, record, picture, ...film];
  }

  /** @param {Whole} room */
  pictureAddress(room) {
    const { replay } = this.page;
    return url(`/api/rooms/${room.room}/picture.svg?ply=${replay.shown()}&player=${replay.eyes}&theme=${theme()}`);
  }

  /** @param {Whole} room */
  playOn(room) {
    openNewGame(room.game, { from: { room: room.room, ply: this.page.replay.shown(), parameters: room.parameters } });
  }

  /** @param {Whole} room */
  rematch(room) {
    const next = room.over?.rematch;
    if (next) {
      const link = this.nextRoom(room, next);
      if (this.awaited && room.you >= 0) location.assign(link.href);
      return refill(this.again, [link], () => link);
    }
    this.awaited = true;
    if (room.you >= 0) refill(this.again, this.offer(room));
    announceNew(this.again);
  }

  /** Return the buttons for another game. @param {Whole} room @returns {Node[]} */
  offer(room) {
    const by = declinedBy(room, "rematch");
    if (by !== null) return [h("p", { class: "asks", say: ["declined", ["@seat", by]] })];
    const agreed = room.asked["rematch"] ?? [];
    const mine = agreed.includes(room.you);
    const text = mine ? "rematch.asked" : agreed.length ? "rematch.agree" : "rematch";
    const wish = () => this.page.ask(agreed.length ? { t: "agree", what: "rematch" } : { t: "rematch" });
    const again = button({ icon: "again", say: [text], kind: "primary", press: () => mine || wish() });
    again.setAttribute("data-key", "rematch");
    const decline = () => this.page.ask({ t: "decline", what: "rematch" });
    again.setAttribute("aria-disabled", String(mine)); // and not `disabled`, which would lose the focus
    if (!agreed.length) return [again];
    const no = button({ icon: "close", say: [mine ? "cancel" : "decline"], kind: "quiet", press: decline });
    return mine ? [again, no] : [h("p", { class: "asks", say: ["rematch.asks", ["@seat", agreed[0] ?? 0]] }), again, no];
  }

  /** Return the link to the next room. The secret of the player's seat also opens the seat there. @param {Whole} room @param {string} next */
  nextRoom(room, next) {
    const { token } = this.page;
    const seated = token && room.you >= 0;
    if (seated) keepSeat({ room: next, token, seat: -1, game: room.game });
    const href = seated ? seatAddress(next, token) : url(`/room/${next}`);
    return /** @type {HTMLAnchorElement} */ (h("a", { class: "button primary", say: ["rematch.go"], set: { href } }));
  }

  /**
   * Show the progress of an analysis, then the analysis.
   *
   * @param {(address: string) => Promise<any>} first asks the server for the analysis
   * @param {Announce} [tell] reads the result out to the player who asked for it
   */
  async follow(first, tell = () => {}) {
    const address = `/api/rooms/${this.page.id}/analysis`;
    const conclude = (/** @type {import("./frames.js").Message} */ told) => {
      say(this.outcome, told);
      if (told) tell(told);
    };
    say(this.outcome, "");
    try {
      let found = await first(address);
      while (!["none", "done", "failed"].includes(found.state)) {
        showAnalysing(this.bar, found);
        await new Promise((done) => setTimeout(done, POLL));
        found = await get(address);
      }
      if (found.state === "none") return;
      conclude(outcome(found));
      if (found.state === "done") this.showAnalysis(found, tell);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      conclude(error.told);
    } finally {
      this.bar.hidden = true;
    }
  }

  /** @param {any} found @param {Announce} tell */
  showAnalysis(found, tell) {
    const { replay, room } = this.page;
    const isShare = found.utility === "win";
    const marked = found.moves.filter((/** @type {any} */ move) => found.costly.includes(move.number));
    this.graph = new Graph(found.moves, found.costly, isShare ? 1 : found.stake, (ply) => replay.go(ply));
    this.graph.point(replay.shown());
    const costs = h("div", {});
    const listed = () => costs.replaceChildren(costList(mistakes.chosen(), isShare, room?.game ?? "", (move) => mistakes.go(move)));
    const mistakes = new Mistakes(marked, isShare, replay, room?.you ?? -1, listed);
    this.mistakes = mistakes;
    listed();
    const unsure = found.unsure.length > 0 && h("p", { class: "fine", say: ["graph.unsure", found.unsure.join(", ")] });
    const heading = h("h2", { say: ["graph.title"], set: { tabindex: -1 } });
    const values = valueList(found.moves, isShare, room?.game ?? "");
    this.analysis.replaceChildren(heading, this.graph.svg, values, mistakes.filter ?? "", costs, unsure || "");
    const decisive = mistakes.decisive(room?.over ? winnersOf(room.over) : []);
    refill(this.study, decisive ? [mistakes.buttons] : [], () => heading);
    if (!decisive) return;
    tell(decisive.told, room?.game);
    const look = () => mistakes.go(decisive.move);
    const told = { class: "bare decided", say: decisive.told, scope: room?.game ?? "", set: { type: "button" }, on: { click: look } };
    this.decided.replaceChildren(h("button", told));
    this.page.showPosition(false);
  }

  /** Return the words of the analysis for the shown position, if its move was costly. */
  told() {
    const here = this.mistakes?.here();
    return here && this.mistakes?.told(here);
  }

  /** @param {number} ply */
  point(ply) {
    this.graph?.point(ply);
    if (this.from) this.from.hidden = ply === this.byRules;
  }

  /** @param {Whole} room */
  fairness(room) {
    if (!room.over?.seed || !room.commitment) return "";
    const fair = isFair(room.commitment, room.over);
    const rows = [["fair.promise", room.commitment], ["fair.seed", room.over.seed], ["fair.nonce", room.over.nonce]];
    const list = rows.flatMap(([term = "", text = ""]) => [h("dt", { say: [term] }), h("dd", {}, h("code", {}, text))]);
    const summary = h("summary", { class: fair ? "fair" : "unfair" }, icon(fair ? "check" : "close"), h("span", { say: [fair ? "fair.yes" : "fair.no"] }));
    return h("details", { class: "fairness" }, summary, h("p", { class: "fine", say: ["fair.how"] }), h("dl", {}, ...list));
  }
}
