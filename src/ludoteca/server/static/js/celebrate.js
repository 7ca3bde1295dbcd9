/** Two seconds of coloured paper for the winner. */

import { isStill } from "./flights.js";
import { h } from "./elements.js";

/** @typedef {{x: number, y: number, dx: number, dy: number, turn: number, spin: number, size: number, colour: string}} Piece */

const SECONDS = 2;
const PIECES = 110;
/** In heights of the window, by seconds: the largest speed of a piece, and gravity. */
const SPEED = 0.95;
const GRAVITY = 1.15;
const COLOURS = 6;

/** @param {Element} from the element above which the paper flies up */
export function celebrate(from) {
  if (isStill()) return;
  const canvas = h("canvas", { class: "celebration", set: { "aria-hidden": "true" } });
  const context = canvas.getContext("2d");
  if (!context) return;
  const [width, height, density] = [window.innerWidth, window.innerHeight, window.devicePixelRatio];
  Object.assign(canvas, { width: width * density, height: height * density });
  context.scale(density, density);
  document.body.append(canvas);
  const box = from.getBoundingClientRect();
  const pieces = scattered(box.left + box.width / 2, Math.min(box.top + box.height * 0.6, height), height);
  const begun = performance.now();
  const draw = (/** @type {number} */ now) => {
    const after = Math.max(0, (now - begun) / 1000);
    if (after > SECONDS) return canvas.remove();
    context.clearRect(0, 0, width, height);
    context.globalAlpha = Math.min(1, (SECONDS - after) * 2);
    for (const piece of pieces) drawPiece(context, piece, after, height);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

/** Return paper in the colours of players. @param {number} x @param {number} y @param {number} height @returns {Piece[]} */
function scattered(x, y, height) {
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: PIECES }, (_, number) => {
    const [way, speed] = [(Math.random() - 0.5) * 2.4, SPEED * height * (0.35 + Math.random() * 0.65)];
    return {
      x,
      y,
      dx: Math.sin(way) * speed,
      dy: -Math.cos(way) * speed,
      turn: Math.random() * 6,
      spin: (Math.random() - 0.5) * 14,
      size: 6 + Math.random() * 6,
      colour: style.getPropertyValue(`--player-${number % COLOURS}`),
    };
  });
}

/** @param {CanvasRenderingContext2D} context @param {Piece} piece @param {number} after seconds @param {number} height */
function drawPiece(context, { x, y, dx, dy, turn, spin, size, colour }, after, height) {
  context.save();
  context.translate(x + dx * after, y + dy * after + (GRAVITY * height * after * after) / 2);
  context.rotate(turn + spin * after);
  context.scale(1, Math.cos(turn + spin * after));
  context.fillStyle = colour;
  context.fillRect(-size / 2, -size / 3, size, size / 1.5);
  context.restore();
}
