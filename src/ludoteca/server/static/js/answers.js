/**
 * Requests over HTTP, which the server answers. A folder of files without a server has another module of this name
 * (`ludoteca/web/static/answers.js`).
 */

/** @param {string} address @param {RequestInit} [how] @returns {Promise<Response>} */
export function request(address, how) {
  return fetch(address, how);
}

/** Return the address of a file of a room, such as its record. @param {string} address @returns {Promise<string>} */
export async function fileAt(address) {
  return address;
}

/** Return the address of a page or a file, after the path of the server. @param {string} path */
export function addressOf(path) {
  return path;
}

/** Return the room or the game that the address of this page names. */
export function named() {
  return decodeURIComponent(location.pathname.split("/").at(-1) ?? "");
}
