/**
 * Answers to the page in a folder of files, from these files, from the browser's store, and from Python in a worker. On a server,
 * the module of this name asks the server.
 */

import { askPython, deleteRoom, keepRoom, keptRoom, removeRooms } from "./python.js";
import { local } from "./store.js";

const SECRET_BYTES = 24;
/** Where the page keeps which rooms it needs (`keep.js`). */
const SEATS = "ludoteca.seats";

/** @type {[string, RegExp, (how: any, found: RegExpMatchArray) => any][]} */
const ANSWERS = [
  ["GET", /\/api\/games$/, listed],
  ["GET", /\/api\/rooms$/, () => []],
  ["POST", /\/api\/rooms$/, ({ body }) => newRoom(body)],
  ["POST", /\/api\/records$/, ({ body }) => newRecord(body)],
  ["DELETE", /\/api\/rooms\/([^/]+)$/, (_, [, room = ""]) => deleteRoom(room)],
  ["GET", /\/analysis$/, () => askPython("analysis")],
  ["POST", /\/analysis$/, () => askPython("analyse")],
];

/** @param {string} address @param {RequestInit} [how] @returns {Promise<Response>} */
export async function request(address, how) {
  for (const [method, form, answer] of ANSWERS) {
    const found = address.match(form);
    if (found && method === (how?.method ?? "GET")) return answered(() => answer(how ?? {}, found));
  }
  return fetch(address, how);
}

/** @param {() => any} answer @returns {Promise<Response>} */
async function answered(answer) {
  const headers = { "content-type": "application/json" };
  try {
    return new Response(JSON.stringify((await answer()) ?? null), { headers });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message } = error;
    return new Response(JSON.stringify({ code, message: [`error.${code}`, message] }), { headers, status: 400 });
  }
}

class Refused extends Error {
  /** @param {string} code @param {string} why */
  constructor(code, why) {
    super(why);
    this.code = code;
  }
}

/** @returns {Promise<{name: string}[]>} */
async function listed() {
  return (await fetch("./api/games.json")).json();
}

/** @param {number} length */
function secret(length) {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(length)))).replaceAll("+", "x").replaceAll("/", "y");
}

/** Keep a wish. The room is made of it when its page opens. @param {string} body */
function newRoom(body) {
  const wish = JSON.parse(body);
  const token = secret(SECRET_BYTES);
  const seat = wish.seats.findIndex((/** @type {any} */ { kind }) => kind === "person");
  const { game } = wish.from ? JSON.parse(keptRoom(wish.from.room) ?? "{}") : wish;
  const made = keep({ game, token, wish });
  return { room: made, seat, token: seat < 0 ? "" : token, key: token };
}

/** Keep a record, if it is of a game of this folder. Python reads it when the page of its room opens. @param {string} text */
async function newRecord(text) {
  let game = "";
  try {
    game = JSON.parse(text)?.game ?? "";
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refused("record", error.message);
  }
  if (!(await listed()).some(({ name }) => name === game)) throw new Refused("game", game);
  return { room: keep({ game, record: text }), key: "" };
}

/** Keep a room, and forget rooms that are in no list of the page. @param {object} made */
function keep(made) {
  const needed = new Set((local.read(SEATS) ?? []).map((/** @type {any} */ { room }) => room));
  removeRooms((room) => needed.has(room));
  return keepRoom(secret(9), JSON.stringify(made));
}

/** Return the address of a file of a room that Python makes. @param {string} address @returns {Promise<string>} */
export async function fileAt(address) {
  const [, what = "", query = ""] = address.match(/(record|picture)[^?]*\??(.*)$/) ?? [];
  const content = await askPython(what, JSON.stringify(Object.fromEntries(new URLSearchParams(query))));
  return URL.createObjectURL(new Blob([content], { type: what === "record" ? "application/json" : "image/svg+xml" }));
}

/** Return the address of a page or a file in the folder. @param {string} path */
export function addressOf(path) {
  return path.replace(/^\/(room|guide|learn)\//, "/$1.html?").replace(/picture\.svg\?theme=(\w+)$/, "picture-$1.svg");
}

/** Return the room or the game that the address of this page names. */
export function named() {
  return decodeURIComponent(location.search.slice(1));
}
