/** The end of a game in words: the winner, the lead, and the reason of an early end. */

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Over} Over
 * @typedef {import("./frames.js").Message} Message
 */

/** Return the winners. A player who resigned or ran out of time is none of them. @param {Over} over */
export function winnersOf({ returns, loser }) {
  const best = Math.max(...returns);
  return returns.flatMap((value, player) => (value === best && best > 0 && player !== loser ? [player] : []));
}

/**
 * Return the winner and the lead in words, for the player's seat. For a void game, return its last move.
 * @param {Whole} room @returns {Message} empty if no player could win
 */
export function verdict({ over, seats, you, log }) {
  if (over?.reason === "unplayed") return reasonOf(over);
  if (!over || (over.loser < 0 && !over.by_rules)) return "";
  if (seats.length === 1) return ["result.alone", over.scores[0] ?? 0];
  const winners = winnersOf(over);
  const all = over.loser < 0 ? seats.length : seats.filter(({ resigned, timed_out }) => !resigned && !timed_out).length;
  const last = log.at(-1);
  if (winners.length === 0) return over.loser < 0 && last ? ["result.void", ["@seat", last.player], last.told] : ["result.nobody"];
  if (winners.length > 1) return winners.length === all ? ["result.draw"] : ["result.shared", namesOf(winners)];
  /** @type {Message} */
  const won = winners[0] === you ? ["result.you"] : ["result.won", namesOf(winners)];
  if (over.lead) return ["result.by", won, over.lead];
  const isTie = over.loser < 0 && over.scores.filter((score) => score === over.scores[winners[0] ?? 0]).length > 1;
  return isTie ? ["result.tied", won] : won; // the task names the rule that made the game void
}

/** @param {number[]} players @returns {Message} */
function namesOf(players) {
  return ["@list", ...players.map((player) => /** @type {Message} */ (["@seat", player]))];
}

/** Return the reason for the end of a game that a player ended, or to which a player never came. @param {Over} over @returns {Message} */
export function reasonOf({ reason, loser }) {
  return [`ending.reason.${reason === "time" || reason === "unplayed" ? reason : "resigned"}`, ["@seat", loser]];
}

/** True if a player ended the game. @param {Over} over */
export function isCutShort({ reason, loser }) {
  return loser >= 0 || reason === "unplayed";
}

/** Return the words for the end of a game that a player ended. @param {Over} over @returns {Message} */
export function cutShort(over) {
  const winners = winnersOf(over);
  return winners.length === 1 ? ["ending.won", reasonOf(over), ["@seat", winners[0]]] : reasonOf(over);
}

/** Return the state of a game for the player, as the lobby shows it. @param {Whole} room */
export function standOf({ over, seats, mover, you }) {
  if (!over) return mover === you ? "turn" : "waiting";
  const isVoid = over.loser < 0 && winnersOf(over).length === 0;
  if (over.reason === "record" || seats.length < 2 || isVoid) return "over";
  return winnersOf(over).includes(you) ? "won" : "lost";
}
