/** Steps through the costly moves, with the played and the better move in words and on the board. */

import { button, h } from "./dom.js";

/**
 * @typedef {import("./frames.js").Message} Message
 * @typedef {import("./graph.js").MoveValue} MoveValue
 * @typedef {import("./replay.js").Replay} Replay
 */

/** The keys for the next costly move, the previous one, and the player's own moves only. */
const STEPS = /** @type {Record<string, number>} */ ({ n: 1, p: -1 });
const MINE = "m";

/** Return a number of points, or of hundredths of a win, as a text. @param {number} value @param {boolean} isShare of a win */
export function worthOf(value, isShare) {
  return isShare ? `${Math.round(100 * value)} %` : value.toFixed(1);
}

/** Return how certain a cost is. @param {MoveValue} move @param {boolean} isShare @returns {Message} */
export function sureness({ certain, interval: [low = 0, high = 0] }, isShare) {
  return certain ? ["graph.certain"] : ["graph.interval", worthOf(low, isShare), worthOf(high, isShare)];
}

export class Mistakes {
  /**
   * @param {MoveValue[]} moves the costly moves, in the order of the game
   * @param {boolean} isShare
   * @param {Replay} replay
   * @param {number} you the seat of the player, or -1 for a spectator
   * @param {() => void} narrowed called when the selection of moves changes
   */
  constructor(moves, isShare, replay, you, narrowed) {
    this.moves = moves;
    this.isShare = isShare;
    this.replay = replay;
    this.you = you;
    this.narrowed = narrowed;
    /** True if only the player's own costly moves are shown. */
    this.mine = false;
    const own = moves.filter(({ player }) => player === you).length;
    /** The button for the player's own moves only. There is none if it would change nothing. */
    this.filter = own > 0 && own < moves.length ? button({ say: ["mistake.mine"], key: "M", kind: "quiet filter", press: () => this.narrow() }) : null;
    this.filter?.setAttribute("aria-pressed", "false");
    this.buttons = h(
      "div",
      { class: "row steps" },
      button({ icon: "back", label: ["mistake.back"], key: "P", press: () => this.step(-1) }),
      button({ icon: "on", say: ["mistake.on"], key: "N", press: () => this.step(1) }),
    );
  }

  /** Return the costly moves to go through. */
  chosen() {
    return this.mine ? this.moves.filter(({ player }) => player === this.you) : this.moves;
  }

  /** Go through the player's own moves only, or through all of them again. */
  narrow() {
    this.mine = !this.mine;
    this.filter?.setAttribute("aria-pressed", String(this.mine));
    this.narrowed();
  }

  /**
   * Return the move that decided the game: the most costly move of the players who did not win, or else of all players. Of equal
   * moves, the last one counts.
   *
   * @param {number[]} winners
   * @returns {{move: MoveValue, told: Message} | null}
   */
  decisive(winners) {
    const lost = this.moves.filter(({ player }) => !winners.includes(player));
    const [move] = [...(lost.length ? lost : this.moves)].sort((a, b) => b.cost - a.cost || b.number - a.number);
    if (!move) return null;
    const worth = [this.isShare ? "mistake.lost-win" : "mistake.lost-points", worthOf(move.cost, this.isShare)];
    const key = lost.length ? "mistake.decided" : "mistake.most";
    return { move, told: [key, move.number, ["@seat", move.player], move.played.told, worth] };
  }

  /** Return the costly move of the shown position. */
  here() {
    return this.moves.find((move) => move.number - 1 === this.replay.shown());
  }

  /** Show the position before a move, as its player saw it. @param {MoveValue} move */
  go({ number, player }) {
    this.replay.goAs(number - 1, player);
  }

  /** @param {number} by 1 for the next costly move, -1 for the one before. After the last move comes the first. */
  step(by) {
    const [shown, moves] = [this.replay.shown(), by > 0 ? this.chosen() : [...this.chosen()].reverse()];
    const to = moves.find((move) => (move.number - 1 - shown) * by > 0) ?? moves[0];
    if (to) this.go(to);
  }

  /** @param {string} key @returns {boolean} true if the key has a meaning here */
  key(key) {
    const by = STEPS[key.toLowerCase()];
    const narrows = this.filter !== null && key.toLowerCase() === MINE;
    if (by) this.step(by);
    if (narrows) this.narrow();
    return narrows || by !== undefined;
  }

  /** Return the words for a costly move: the better one, its worth, and how certain that is. @param {MoveValue} move @returns {Message} */
  told(move) {
    const { number, player, cost, played, best } = move;
    /** @type {Message} */
    const worth = [this.isShare ? "mistake.win" : "mistake.points", worthOf(cost, this.isShare)];
    return ["mistake.told", number, ["@seat", player], played.told, best?.told ?? "", worth, sureness(move, this.isShare)];
  }
}
