/** Files to save: records, and pictures as SVG, or as PNG on telephones, because most galleries and chats there show no SVG. */

import { fileAt } from "./answers.js";
import { h, icon } from "./dom.js";

const COARSE = window.matchMedia("(pointer: coarse)");
/** Pixels of the longer side of a PNG. */
const LONGER_SIDE = 1600;
/** The moves of the longest game of which the server makes an animated picture. */
const MOST_FRAMES = 400;
/** The milliseconds that a browser has for saving a picture. Some browsers begin after the click. */
const SAVING = 60_000;

/**
 * Return a link that saves a file of the room.
 *
 * @param {string} name of the file
 * @param {string} sign
 * @param {import("./frames.js").Message} told
 * @param {() => string} address of its content now
 * @param {(found: string) => Promise<string>} [changed] returns the address of another content to save
 */
export function fileLink(name, sign, told, address, changed = async (found) => found) {
  const link = h("a", { class: "button", set: { href: "#", download: name } }, icon(sign), h("span", { say: told }));
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const href = await changed(await fileAt(address()));
    h("a", { set: { href, download: name } }).click();
    if (href.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(href), SAVING);
  });
  return link;
}

/** @param {string} name of the file, without its ending @param {() => string} address of the SVG now */
export function pictureLink(name, address) {
  const pixels = async (/** @type {string} */ found) => URL.createObjectURL(await inPixels(found));
  return fileLink(`${name}.${COARSE.matches ? "png" : "svg"}`, "picture", ["ending.picture"], address, COARSE.matches ? pixels : undefined);
}

/** The whole game as an animated picture, if it is not too long. @param {string} name @param {string} address @param {number} moves */
export function filmLinks(name, address, moves) {
  if (moves > MOST_FRAMES) return [];
  return [h("a", { class: "button", set: { href: address, download: `${name}.gif` } }, icon("run"), h("span", { say: ["ending.film"] }))];
}

/** @param {string} address of an SVG @returns {Promise<Blob>} */
async function inPixels(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth, naturalHeight } = image;
  const scale = LONGER_SIDE / Math.max(naturalWidth, naturalHeight);
  const canvas = h("canvas", { set: { width: Math.round(scale * naturalWidth), height: Math.round(scale * naturalHeight) } });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((made) => (made ? done(made) : failed(new Error("no picture")))));
}
