/**
 * The connection to a room. It is opened again when it breaks. A half-open connection looks like a quiet room. So the page sends
 * a ping when it waits for an answer, when it is looked at again, and after a long silence. Any frame is a sign of life.
 */

import { readFrame } from "./frames.js";
import { openTransport } from "./transport.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** Milliseconds without a frame after which the page sends a ping. */
const SILENT = 25_000;
const TICK = 1_000;
/** The least milliseconds between two pings. */
const PAUSE = 2_000;
/** Milliseconds without a sign of life after which the page says so, and after which it connects again. */
const DOUBT = 2_000;
const PATIENCE = 4_000;
/** The patience until the first frame of the page has come: a network may be slow. */
const FIRST_PATIENCE = 20_000;
/** The number of all pings. Other requests have higher numbers. */
const PING = 0;
/** The smallest code for closing a connection for good, for example because there is no such room. */
const FINAL = 4400;

/** @typedef {"connecting" | "open" | "silent" | "waiting" | "closed"} Status */

export class Connection {
  /**
   * @param {string} room
   * @param {string | null} token
   * @param {(frame: any) => void} onFrame
   * @param {(status: Status) => void} onStatus
   */
  constructor(room, token, onFrame, onStatus) {
    this.room = room;
    this.token = token;
    this.onFrame = onFrame;
    this.onStatus = onStatus;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wait = FIRST_WAIT;
    this.retry = 0;
    /** The times of the last frame and of the last ping. */
    this.heard = 0;
    this.pinged = 0;
    /** The timers for the next ping, and for what follows if no sign of life comes. */
    this.later = 0;
    this.doubt = 0;
    for (const event of ["online", "pageshow", "focus"]) window.addEventListener(event, () => this.hurry());
    document.addEventListener("resume", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    window.addEventListener("offline", () => this.drop());
    setInterval(() => Date.now() - this.heard > SILENT && this.ping(), TICK);
    this.open();
  }

  open() {
    this.onStatus("connecting");
    const socket = openTransport(this.room);
    this.socket = socket;
    this.pinged = 0;
    this.expect();
    socket.onopen = () => {
      this.believe();
      this.hello();
    };
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = (event) => this.lost(event.code);
  }

  /** Ask for the whole room. */
  hello() {
    /** @type {import("./frames.js").Hello} */
    const hello = { t: "hello", token: this.token };
    this.send(hello);
  }

  /** Ask for a sign of life, unless one is awaited, now or as soon as another ping is allowed. */
  ping() {
    if (this.socket?.readyState !== WebSocket.OPEN || this.doubt) return;
    clearTimeout(this.later);
    const rest = this.pinged + PAUSE - Date.now();
    if (rest > 0) return void (this.later = window.setTimeout(() => this.ping(), rest));
    this.pinged = Date.now();
    this.socket.send(JSON.stringify({ t: "ping", id: PING }));
    this.expect();
  }

  /** Expect a sign of life. If none comes, tell it, and then connect again, each time with more patience. */
  expect() {
    const patience = this.heard ? PATIENCE + this.wait - FIRST_WAIT : FIRST_PATIENCE;
    const tell = () => {
      if (this.heard) this.onStatus("silent");
      this.doubt = window.setTimeout(() => this.drop(), patience - DOUBT);
    };
    this.doubt = window.setTimeout(tell, DOUBT);
  }

  /** @param {string} text */
  hear(text) {
    this.heard = Date.now();
    this.believe();
    this.wait = FIRST_WAIT;
    this.onStatus("open");
    const frame = readFrame(text);
    if (frame.id !== PING) this.onFrame(frame);
  }

  /** Expect no sign of life any more. */
  believe() {
    clearTimeout(this.doubt);
    this.doubt = 0;
  }

  /** @param {number} code */
  lost(code) {
    this.forget();
    if (code >= FINAL && code < FINAL + 100) return this.onStatus("closed");
    this.onStatus("waiting");
    const jitter = 0.5 + Math.random();
    this.retry = window.setTimeout(() => this.open(), this.wait * jitter);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  forget() {
    clearTimeout(this.retry);
    this.retry = 0;
    this.believe();
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = null;
  }

  /** Give up this connection without waiting until it is closed, and connect again. */
  drop() {
    if (this.socket) this.lost(0);
  }

  /** Ask for a sign of life, or connect at once: the network is back, or the page is looked at again. */
  hurry() {
    if (this.socket) return this.ping();
    if (!this.retry) return;
    clearTimeout(this.retry);
    this.open();
  }

  /**
   * Send a frame that waits for an answer.
   *
   * @param {object} frame
   * @returns {boolean} false if there is no open connection
   */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    this.ping();
    return true;
  }
}
