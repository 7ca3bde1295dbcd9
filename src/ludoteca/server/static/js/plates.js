/** The plates of the players around the board: name, clock and facts of the game. The plate of the player to move glows. */

import { faceOf } from "./characters.js";
import { h, icon, keyOf, refill, svgElement } from "./dom.js";
import { declinedBy, isOver } from "./model.js";
import { lookingFor } from "./strangers.js";
import { announceNew } from "./voice.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Seat} Seat
 * @typedef {import("./frames.js").Standing} Standing
 * @typedef {import("./frames.js").Message} Message
 * @typedef {(frame: import("./frames.js").Request) => void} Ask
 */

/** Return the name of the player of a seat. A person without a name is a guest. @param {Seat} seat @returns {Message} */
export function seatName(seat) {
  if (seat.kind === "agent") return agentName(seat.agent);
  return seat.kind === "open" ? ["seat.open"] : seat.name || ["name.me"];
}

/** @param {number} player @returns {Message} */
function unnamed(player) {
  return ["player", player + 1];
}

/** @param {string} agent @returns {Message} */
export function agentName(agent) {
  return /^\d+$/.test(agent) ? ["agent.level", agent] : /^(random|greedy)$/.test(agent) ? [`agent.${agent}`] : agent;
}

/**
 * Return the names of all seats. Equal names get the numbers of their seats.
 *
 * @param {Seat[]} seats
 * @param {boolean} recorded  true for a record, in which players without a name have numbers
 * @returns {Message[]}
 */
export function seatNames(seats, recorded) {
  const plain = seats.map((seat, player) => (recorded && seat.kind === "person" && !seat.name ? unnamed(player) : seatName(seat)));
  const times = plain.map((name) => plain.filter((other) => JSON.stringify(other) === JSON.stringify(name)).length);
  return plain.map((name, player) => ((times[player] ?? 0) > 1 ? ["seat.numbered", name, player + 1] : name));
}

/** Return the seats in the order of play: the others after the reader's own seat, and this seat last. @param {Whole} room */
function around({ seats, you }) {
  return seats.map((_, at) => (at + you + 1) % seats.length);
}

export class Plates {
  /**
   * @param {HTMLElement} place
   * @param {Ask} ask sends the room a request
   * @param {() => void} again shows the plates again, once a seat is no longer kept for an absent player
   */
  constructor(place, ask, again) {
    this.place = place;
    this.ask = ask;
    this.again = again;
    /** @type {Seat[]} the seats of the room, with the time of their arrival in milliseconds */
    this.seats = [];
    this.arrived = 0;
    this.timer = 0;
    /** @type {Standing[]} the standings of the position on the board */
    this.latest = [];
    /** @type {Standing[]} the standings of the position before it */
    this.earlier = [];
    /** @type {Standing[]} the shown ones */
    this.shown = [];
    /** @type {Map<number, Message>} the phrases of players */
    this.said = new Map();
  }

  /**
   * Show the plates. The facts change when the pieces of a move have landed, or when the pieces of the next move fly.
   *
   * @param {Whole} room
   * @param {Standing[]} standings of the position on the board
   * @param {boolean} moving true while its pieces fly
   * @returns {HTMLElement[]} the face of each player's clock
   */
  show(room, standings, moving) {
    if (standings !== this.latest) [this.earlier, this.latest] = [this.latest, standings];
    const before = this.shown;
    const waits = moving && this.earlier.length > 0;
    this.shown = waits ? this.earlier : standings;
    const seen = { ...room, seats: this.seatsNow(room), over: waits ? null : room.over }; // the winner is shown with the numbers
    /** @type {HTMLElement[]} */
    const faces = [];
    const order = around(room);
    const left = Math.max(1, Math.ceil(order.length / 2) - 1);
    const plates = order.flatMap((player, at) => {
      const [now, old] = [this.shown, before].map((all) => all.find((standing) => standing.player === player));
      const side = at < left || at === order.length - 1 ? "left" : "right";
      return now ? [plate(seen, now, side, old?.facts ?? [], faces, this.ask, this.said.get(player))] : [];
    });
    const list = h("ul", { class: "players" }, ...plates);
    refill(this.place, [list]);
    scrollInto(this.place, list.querySelector(".turn"));
    announceNew(this.place);
    return faces;
  }

  /** Return the seats with the time for which they are kept from now on. @param {Whole} room */
  seatsNow({ seats }) {
    if (seats !== this.seats) [this.seats, this.arrived] = [seats, performance.now()];
    const passed = performance.now() - this.arrived;
    const now = seats.map((seat) => ({ ...seat, kept: Math.max(0, seat.kept - passed) }));
    const next = Math.min(...now.map(({ kept }) => kept).filter((kept) => kept > 0));
    clearTimeout(this.timer);
    if (next < Infinity) this.timer = setTimeout(this.again, Math.ceil(next));
    return now;
  }
}

/**
 * @param {Whole} room
 * @param {Standing} standing
 * @param {string} side of the board on which the player sits, clockwise after the reader at the lower left
 * @param {Array<[Message, Message]>} before the facts of the standing before
 * @param {HTMLElement[]} faces the face of the clock is added to these
 * @param {Ask} ask
 * @param {Message} [said] the phrase of the player
 */
function plate(room, { player, sprite, facts, out }, side, before, faces, ask, said) {
  const seat = /** @type {Seat} */ (room.seats[player]);
  const states = { turn: player === room.mover, me: player === room.you, open: seat.kind === "open", out };
  const classes = Object.entries(states).flatMap(([name, holds]) => (holds ? [name] : []));
  const isNew = (/** @type {Message} */ value, /** @type {number} */ at) => JSON.stringify(before[at]?.[1] ?? value) !== JSON.stringify(value);
  const told = facts.map(([heading, value], at) =>
    h("span", { class: "fact" }, h("b", { class: isNew(value, at) ? "changed" : "", say: value, scope: room.game }), " ", h("span", { say: heading, scope: room.game })));
  const face = h("span", { class: "clock" });
  if (room.clocks) faces[player] = face;
  return h(
    "li",
    { class: ["plate", side, `player-${player}`, ...classes].join(" "), set: { "aria-current": states.turn && "true" } },
    sign(player, sprite),
    h("div", { class: "names" }, faceOf(seat, room.game), h("span", { class: "name", say: ["@seat", player], title: ["@seat", player] }), ...marks(room, seat, player)),
    room.clocks && face,
    h("div", { class: "facts" }, ...told, ...absence(room, seat, player, ask)),
    said !== undefined && h("span", { class: "speech", say: said }),
  );
}

/** Return the marks next to a player's name. @param {Whole} room @param {Seat} seat @param {number} player */
function marks(room, seat, player) {
  const best = Math.max(...(room.over?.returns ?? [0]));
  const won = room.seats.length > 1 && best > 0 && room.over?.returns[player] === best;
  return [
    player === room.you && h("span", { class: "badge you", say: ["seat.you"] }),
    won && h("span", { class: "badge won", label: ["seat.won"], set: { role: "img" } }, icon("trophy")),
    seat.resigned && h("span", { class: "badge", say: [seat.timed_out ? "seat.timed_out" : "seat.resigned"] }),
    isAway(room, seat, player) && h("span", { class: "badge away", say: ["seat.away"] }),
  ];
}

/** @param {Whole} room @param {Seat} seat @param {number} player */
function isAway(room, seat, player) {
  return seat.kind === "person" && !seat.present && player !== room.you && !isOver(room);
}

/** Return the request that a program plays for a player who is away, or on an open seat. @param {Whole} room @param {Seat} seat @param {number} player @param {Ask} ask */
function absence(room, seat, player, ask) {
  const isOpen = seat.kind === "open";
  if ((!isOpen && !isAway(room, seat, player)) || room.you < 0 || seat.kept > 0 || (isOpen && lookingFor(room) !== null)) return [];
  const what = `replace ${player}`;
  const isMaker = room.may_delete && isOpen; // the maker needs no agreement
  const by = isMaker ? null : declinedBy(room, what);
  if (by !== null) return [h("span", { class: "fine asks", say: ["declined", ["@seat", by]] })];
  const agreed = room.asked[what] ?? [];
  const asked = agreed.includes(room.you);
  const text = asked ? "replace.asked" : agreed.length ? "replace.agree" : "replace.ask";
  const agree = link(text, () => asked || ask(agreed.length ? { t: "agree", what } : { t: "replace", seat: player }), player);
  agree.setAttribute("data-key", what);
  agree.setAttribute("aria-disabled", String(asked));
  if (!agreed.length) return [agree];
  const question = !asked && h("span", { class: "unseen asks", say: ["replace.asks", ["@seat", agreed[0]], ["@seat", player]] });
  return [question, agree, link(asked ? "cancel" : "decline", () => ask({ t: "decline", what }), player)];
}

/** @param {string} text @param {() => void} click @param {number} player of the plate */
function link(text, click, player) {
  return h("button", { class: "bare link", say: [text], set: { type: "button", "data-key": keyOf([text, player]) }, on: { click } });
}

/** @param {number} player @param {string} sprite */
export function sign(player, sprite) {
  if (!sprite) return h("span", { class: `sign dot player-${player}`, set: { "aria-hidden": "true" } });
  const svg = svgElement("svg", { class: `sign player-${player}`, viewBox: "0 0 1 1", "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `#${sprite}`, width: 1, height: 1 }));
  return svg;
}

/** Scroll a place, and not the page, until an element of it is seen. @param {HTMLElement} place @param {HTMLElement | null} row */
function scrollInto(place, row) {
  if (!row) return;
  const bottom = row.offsetTop + row.offsetHeight;
  if (bottom > place.scrollTop + place.clientHeight) place.scrollTop = bottom - place.clientHeight;
  else if (row.offsetTop < place.scrollTop + row.offsetHeight) place.scrollTop = row.offsetTop - row.offsetHeight;
}
