/** Pictures of positions to save: SVG, or PNG on telephones, because most galleries and chats there show no SVG. */

import { h, icon } from "./dom.js";

const COARSE = window.matchMedia("(pointer: coarse)");
/** Pixels of the longer side of a PNG. */
const LONGER_SIDE = 1600;
/** The moves of the longest game of which the server makes an animated picture. */
const MOST_FRAMES = 400;
/** The milliseconds that a browser has for saving a picture. Some browsers begin after the click. */
const SAVING = 60_000;

/** @param {string} name of the file, without its ending @param {() => string} address of the SVG now */
export function pictureLink(name, address) {
  const link = h("a", { class: "button", set: { href: "#", download: `${name}.svg` } }, icon("picture"), h("span", { say: ["ending.picture"] }));
  link.addEventListener("click", (event) => {
    link.setAttribute("href", address());
    if (!COARSE.matches) return;
    event.preventDefault();
    void savePixels(name, address());
  });
  return link;
}

/** The whole game as an animated picture, if it is not too long. @param {string} name @param {string} address @param {number} moves */
export function filmLinks(name, address, moves) {
  if (moves > MOST_FRAMES) return [];
  return [h("a", { class: "button", set: { href: address, download: `${name}.gif` } }, icon("run"), h("span", { say: ["ending.film"] }))];
}

/** @param {string} name @param {string} address */
async function savePixels(name, address) {
  const pixels = URL.createObjectURL(await inPixels(address));
  h("a", { set: { href: pixels, download: `${name}.png` } }).click();
  setTimeout(() => URL.revokeObjectURL(pixels), SAVING);
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
