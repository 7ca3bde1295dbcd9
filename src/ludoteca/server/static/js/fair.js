/** The check that the deal is the one to which the server committed itself before the first move. */

import { fromHex, sha256 } from "./sha256.js";

/**
 * @param {string} commitment published before the first move
 * @param {{seed: string, nonce: string}} over published after the last
 * @returns {boolean}
 */
export function isFair(commitment, over) {
  return sha256(fromHex(over.seed + over.nonce)) === commitment;
}
