/**
 * The connection to a room. It is opened again when it breaks. If no frame comes for a while, the page asks for the whole room,
 * because a half-open connection looks like a quiet room.
 */

import { readFrame } from "./frames.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** Milliseconds without a frame after which the page asks for the whole room again. */
const SILENT = 25_000;
/** The milliseconds that the room has for the answer. */
const PATIENCE = 8_000;
const TICK = 1_000;
/** The smallest code for closing a connection for good, for example because there is no such room. */
const FINAL = 4400;

/** @typedef {"connecting" | "open" | "waiting" | "closed"} Status */

export class Connection {
  /**
   * @param {string} address
   * @param {string | null} token
   * @param {(frame: any) => void} onFrame
   * @param {(status: Status) => void} onStatus
   */
  constructor(address, token, onFrame, onStatus) {
    this.address = address;
    this.token = token;
    this.onFrame = onFrame;
    this.onStatus = onStatus;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wait = FIRST_WAIT;
    this.heard = 0;
    this.asked = 0;
    this.retry = 0;
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    setInterval(() => this.watch(), TICK);
    this.open();
  }

  open() {
    this.onStatus("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.heard = this.asked = Date.now();
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = (event) => this.lost(event.code);
  }

  /** Ask for the whole room. */
  hello() {
    this.asked = Date.now();
    /** @type {import("./frames.js").Hello} */
    const hello = { t: "hello", token: this.token };
    this.send(hello);
  }

  /** @param {string} text */
  hear(text) {
    this.heard = Date.now();
    this.asked = 0;
    this.wait = FIRST_WAIT;
    this.onStatus("open");
    this.onFrame(readFrame(text));
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
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = null;
  }

  /** Give up this connection without waiting until it is closed, and connect again. */
  drop() {
    if (this.socket) this.lost(0);
  }

  /** Connect at once, because the network is back or the page is in view again. */
  hurry() {
    if (this.socket?.readyState === WebSocket.OPEN) return this.hello();
    if (this.socket || !this.retry) return;
    clearTimeout(this.retry);
    this.open();
  }

  watch() {
    const now = Date.now();
    if (!this.socket) return;
    if (this.asked && now - this.asked > PATIENCE) return this.drop();
    if (!this.asked && now - this.heard > SILENT) this.hello();
  }

  /**
   * @param {object} frame
   * @returns {boolean} false if there is no open connection
   */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }
}
