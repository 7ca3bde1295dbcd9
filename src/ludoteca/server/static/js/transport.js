/**
 * The way of frames to a room and back: a WebSocket of the server. In a folder of files without a server, another module of this
 * name has the room in a worker (`ludoteca/web/static/transport.js`).
 */

import { url } from "./assets.js";

/** @param {string} room */
export function openTransport(room) {
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${url(`/ws/${room}`)}`);
}
