/** Requests to the server. */

import { request } from "./answers.js";
import { url } from "./assets.js";

/** @typedef {import("./frames.js").Message} Message */

/** A request that the server refused. */
export class RefusedError extends Error {
  /** @param {number} status @param {string} code @param {Message} told @param {string} [game] */
  constructor(status, code, told, game) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    /** The reason, as a message. */
    this.told = told;
    /** The game with the text of `told`. If it is undefined, the page has the text. */
    this.game = game;
  }

  /** True if the server may have carried the request out: no answer came, or the server had an error. */
  isPassing() {
    return this.status === 0 || this.status >= 500;
  }
}

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
async function ask(address, how) {
  const answer = await request(url(address), how).catch(() => {
    throw new RefusedError(0, "offline", ["error.offline"]);
  });
  const type = answer.headers.get("content-type") ?? "";
  const content = type.includes("json") ? await answer.json() : null;
  if (!answer.ok) throw new RefusedError(answer.status, content?.code ?? "", content?.message ?? ["error.status", answer.status], content?.game);
  return content;
}

/** @param {string} address */
export function get(address) {
  return ask(address);
}

/** @param {string} address @param {string} key the secret that permits the deletion */
export function remove(address, key) {
  return ask(address, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
}

/** @param {string} address @param {unknown} [content] an object, or a text, which is sent unchanged */
export function post(address, content = {}) {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  return ask(address, { method: "POST", headers: { "content-type": "application/json" }, body });
}
