/** The way of frames to a room in this page, in a worker. On a server, the module of this name opens a WebSocket. */

import { url } from "./assets.js";
import { byId, h } from "./elements.js";
import { askPython, keptRoom, startPython } from "./python.js";

/** The code for a connection that is closed for good (`socket.js`). */
const CLOSED = 4404;

class Transport {
  /** @param {string} room */
  constructor(room) {
    this.readyState = 0;
    this.onopen = this.onmessage = this.onclose = (/** @type {any} */ _) => {};
    setTimeout(() => this.open(room));
  }

  /** @param {string} room */
  open(room) {
    const text = keptRoom(room);
    if (text === null) return this.refuse({ code: "room", message: ["error.room"] });
    const files = JSON.parse(byId("python").textContent ?? "");
    opened = this;
    showStart(JSON.parse(text).game);
    startPython(room, text, { ...files, folder: url("/python/") }, (frames) => opened?.hear(frames), (why) => opened?.refuse(why));
    this.readyState = WebSocket.OPEN;
    this.onopen({});
  }

  /** @param {string[]} frames */
  hear(frames) {
    starting?.remove();
    for (const data of frames) this.onmessage({ data });
  }

  /** @param {{code: string, message: any}} why the room cannot be opened */
  refuse(why) {
    this.hear([JSON.stringify({ t: "error", id: -1, ...why })]);
    this.onclose({ code: CLOSED });
  }

  /** Send a frame. Python may be thinking, so a ping is answered here. @param {string} text */
  send(text) {
    const { t, id } = JSON.parse(text);
    if (t === "ping") setTimeout(() => this.onmessage({ data: JSON.stringify({ t: "pong", id }) }));
    else void askPython("hear", text);
  }

  close() {
    opened = null;
  }
}

/** @type {Transport | null} */
let opened = null;
/** What the page shows until the room is there. @type {HTMLElement | null} */
let starting = null;

/** Show how a game begins, while Python starts. @param {string} game */
function showStart(game) {
  if (starting) return;
  const one = (/** @type {string} */ theme) => h("img", { class: `only-${theme}`, set: { src: url(`/games/${game}/start-${theme}.svg`), alt: "" } });
  starting = h("div", { class: "starting" }, one("light"), one("dark"), h("p", { say: ["starting"], set: { role: "status" } }));
  document.body.append(starting);
}

/** @param {string} room @returns {any} */
export function openTransport(room) {
  return new Transport(room);
}
