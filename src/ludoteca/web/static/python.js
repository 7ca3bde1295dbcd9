/**
 * Python in a worker of this page. It has one room, that of the page, and keeps it in the browser's store. The worker stays until
 * the page is left, so a network that is gone is not missed.
 */

import { local } from "./store.js";

/** The rooms of this browser, by name. */
const KEPT = "ludoteca.room.";
/** The first letter of a name that has the room in it, in a browser that keeps nothing. */
const WHOLE = "~";

/** @type {Worker | null} */
let worker = null;
/** The requests without an answer, by number. @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
let last = 0;
/** Tells the page why its room ends. @type {(why: {code: string, message: any}) => void} */
let failing = () => {};

/** Return what is kept of a room, as JSON, or null if there is no such room. @param {string} room */
export function keptRoom(room) {
  return room.startsWith(WHOLE) ? room.slice(WHOLE.length) : local.get(KEPT + room);
}

/** Keep a room, and return the name under which it is found. @param {string} room @param {string} text */
export function keepRoom(room, text) {
  return local.set(KEPT + room, text) ? room : encodeURIComponent(WHOLE + text);
}

/** Remove rooms. @param {(room: string) => boolean} isNeeded */
export function removeRooms(isNeeded) {
  local.ask((store) => {
    const rooms = Object.keys(store).flatMap((key) => (key.startsWith(KEPT) ? [key.slice(KEPT.length)] : []));
    for (const room of rooms) if (!isNeeded(room)) local.remove(KEPT + room);
  });
}

/**
 * Start Python with a room, unless it is started.
 *
 * @param {string} room
 * @param {string} text what is kept of it
 * @param {{folder: string, hashes: Record<string, string>}} files of Python: their folder, and their hashes by name
 * @param {(frames: string[]) => void} hear
 * @param {(why: {code: string, message: any}) => void} failed
 */
export function startPython(room, text, { folder, hashes }, hear, failed) {
  if (worker) return;
  failing = failed;
  worker = new Worker(`${folder}worker.js`, { type: "module" });
  worker.onerror = ({ message }) => failed({ code: "starting", message: ["starting.failed", message || "worker.js"] });
  worker.onmessage = ({ data: { frames, kept, id, answer, refused } }) => {
    for (const [name, content] of Object.entries(kept ?? {})) local.set(KEPT + name, content);
    if (frames?.length) hear(frames);
    if (refused) failed(refused);
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const origin = JSON.parse(text).wish?.from?.room;
  worker.postMessage({ room: room.startsWith(WHOLE) ? "local" : room, text, origin: origin ? keptRoom(origin) : null, hashes });
}

/** Delete the room of this page for good. @param {string} room */
export function deleteRoom(room) {
  worker?.terminate();
  local.remove(KEPT + room);
  failing({ code: "deleted", message: ["error.deleted"] });
}

/** Ask the room in Python. @param {string} what @param {string} [text] @returns {Promise<any>} */
export function askPython(what, text = "") {
  const id = ++last;
  worker?.postMessage({ id, what, text });
  return new Promise((done) => waiting.set(id, done));
}
