/** The lobby: games by picture, the player's own rooms, open rooms of others, records from files. */

import { RefusedError, get, post } from "./api.js";
import { GAMES, url } from "./assets.js";
import { faceOf } from "./characters.js";
import { button, byId, h, icon, picture } from "./dom.js";
import { gameText, isForPeople, listGames, playerRange } from "./games.js";
import { forgetSeat, keepKey, keptSeat, keptSeats, tally } from "./keep.js";
import { tell } from "./log.js";
import { findOpponent, openNewGame, playNow } from "./newgame.js";
import { fillBar } from "./prefs.js";
import { isWithStrangers, join, withoutNames } from "./strangers.js";
import { seatName } from "./plates.js";
import { clockText } from "./timing.js";
import { loadWords, say } from "./words.js";

/**
 * @typedef {import("./games.js").Game} Game
 * @typedef {import("./frames.js").Seat} Seat
 * @typedef {{room: string, game: string, seats: Seat[], clock: any, ply: number, mover: number, known: string}} Listed
 */

/** Milliseconds between two requests for the open rooms. */
const POLL = 5_000;

/** @type {Map<string, Game>} */
let games = new Map();
/** The most games of the player that the page shows. */
const MOST = 24;
/** The rooms that were shown last. The list changes only when they do. */
let shown = "";

async function start() {
  const [list] = await Promise.all([listGames(), loadWords(...GAMES)]);
  games = new Map(list.map((game) => [game.name, game]));
  await loadWords(...games.keys());
  fillBar();
  byId("games").replaceChildren(...list.map(card));
  fillRecord();
  showMine();
  const wanted = new URLSearchParams(location.hash.slice(1)).get("new") ?? "";
  if (games.has(wanted)) void openNewGame(wanted); // a link of a game's rules
  byId("rooms").parentElement?.toggleAttribute("hidden", !isForPeople());
  if (!isForPeople()) return;
  await showRooms();
  setInterval(() => document.hidden || showRooms(), POLL);
  window.addEventListener("names", () => {
    shown = "";
    void showRooms();
  });
}

/** @param {Game} game */
function card(game) {
  const [low, high] = playerRange(game);
  const players = h("span", { class: "fine", say: low === high ? ["players.exactly", low] : ["players.from-to", low, high] });
  const play = h(
    "button",
    { class: "bare card-main", set: { type: "button" }, on: { click: () => openNewGame(game.name) } },
    picture(game.name, "card-picture"),
    h("span", { class: "card-title" }, game.title),
    h("span", { class: "card-text sentence", say: gameText(game, "summary", game.summary), scope: game.name }),
  );
  const rules = h("a", { class: "card-link", say: ["rules"], set: { href: url(`/guide/${game.name}`) } });
  const lesson = game.lesson && h("a", { class: "card-link", say: ["card.learn"], label: ["learn"], title: ["learn"], set: { href: url(`/learn/${game.name}`) } });
  const { won, games: ended } = tally(game.name);
  const record = ended > 0 && h("span", { class: "fine", say: ["card.won", won, ended] });
  const now = button({ say: ["new.now"], kind: "primary", press: () => playNow(game) });
  const friends = game.friends && high > 1 && button({ say: ["new.friends"], press: () => openNewGame(game.name, { friends: true }) });
  const find = game.matchmaking && high > 1 && button({ say: ["find"], press: () => findOpponent(game) });
  const facts = h("div", { class: "row card-facts" }, players, record);
  const links = h("div", { class: "card-links" }, lesson, rules);
  return h("li", { class: "panel card" }, play, h("div", { class: "card-foot" }, now, friends, find, facts, links));
}

function showMine() {
  const kept = keptSeats();
  byId("mine").hidden = !kept.length;
  const running = kept.filter(({ seen }) => !["won", "lost", "over"].includes(seen?.state ?? ""));
  const sorted = [...new Set([...running.filter(({ seen }) => seen?.state === "turn"), ...running, ...kept])];
  byId("my-rooms").replaceChildren(...sorted.slice(0, MOST).map(myRoom));
}

/** @param {import("./keep.js").Kept} kept */
function myRoom(kept) {
  const forget = () => {
    forgetSeat(kept.room);
    showMine();
  };
  const link = h("a", { class: "room-link", set: { href: url(`/room/${kept.room}`) } }, picture(kept.game, "thumb"), h("span", { class: "room-text" }, h("b", {}, title(kept.game)), ...seenOf(kept)));
  return h("li", { class: "panel room-row" }, link, button({ icon: "close", kind: "quiet", label: ["mine.forget"], press: forget }));
}

/** Return the opponents, and the state in which the player left the room. @param {import("./keep.js").Kept} kept */
function seenOf({ seen }) {
  if (!seen) return [];
  const others = seen.others.length > 0 && h("span", { class: "names fine", say: ["mine.with", ["@list", ...seen.others]] });
  return [others, h("span", { class: `state ${seen.state}`, say: [`mine.${seen.state}`] })];
}

/** @param {string} game */
function title(game) {
  return games.get(game)?.title ?? game;
}

async function showRooms() {
  /** @type {Listed[]} */
  const rooms = await get("/api/rooms").catch((error) => {
    if (error instanceof RefusedError) return [];
    throw error;
  });
  const text = JSON.stringify(rooms);
  if (text === shown) return;
  shown = text;
  byId("rooms").replaceChildren(...rooms.map(roomRow));
  byId("no-rooms").hidden = rooms.length > 0;
  const open = rooms.filter(({ seats }) => seats.some(({ kind }) => kind === "open")).length;
  byId("open-rooms").hidden = open === 0;
  say(byId("open-rooms"), ["rooms.count", open]);
}

/** @param {Listed} listed */
function roomRow(listed) {
  const open = listed.seats.some((seat) => seat.kind === "open");
  const isMine = keptSeat(listed.room) !== undefined;
  const seats = isMine && !isWithStrangers(listed.room) ? listed.seats : withoutNames(listed.seats, -1);
  const names = seats.flatMap((seat, player) => [player ? " · " : "", faceOf(seat, listed.game), h("span", { say: seatName(seat) })]);
  const facts = h("span", { class: "fine facts" }, h("span", { say: clockText(listed.clock) }), open ? "" : h("span", { say: ["rooms.moves", listed.ply] }));
  const state = h("span", { class: open ? "state open" : "state", say: [open ? "rooms.open" : "rooms.running"] });
  const known = listed.known && h("span", { class: "known", say: [`known.${listed.known}`] });
  const text = h("span", { class: "room-text" }, h("b", {}, title(listed.game)), h("span", { class: "names" }, ...names), facts, known);
  const link = h("a", { class: "room-link", set: { href: url(`/room/${listed.room}`) } }, picture(listed.game, "thumb"), text, state);
  const offered = open && !isMine && games.get(listed.game)?.matchmaking;
  return h("li", { class: "panel room-row" }, link, offered && button({ say: ["rooms.join"], press: () => join(listed.room, listed.game) }));
}

function fillRecord() {
  const file = h("input", { class: "unseen", label: ["record.open"], set: { type: "file", accept: ".json,application/json" } });
  const trouble = byId("record-trouble");
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    try {
      const { room, key } = await post("/api/records", await chosen.text());
      keepKey(room, key);
      location.assign(url(`/room/${room}`));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      tell(trouble, error.told, error.game);
    }
  });
  const open = h("button", { class: "button", set: { type: "button" }, on: { click: () => file.click() } }, icon("upload"), h("span", { say: ["record.open"] }));
  byId("record").append(open, file);
}

await start();
