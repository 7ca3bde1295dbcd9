/** The zoom of the board. A board that is larger than its frame scrolls. */

import { button, enable } from "./dom.js";

const STEPS = [1, 1.5, 2, 3, 4];

/** @param {HTMLElement} place of the buttons @param {HTMLElement} frame the element that scrolls @param {SVGElement} board */
export function fillZoom(place, frame, board) {
  let at = 0;
  const zoom = (/** @type {number} */ by) => {
    at = Math.max(0, Math.min(at + by, STEPS.length - 1));
    resize(frame, board, STEPS[at] ?? 1);
    enable(out, at > 0);
    enable(into, at < STEPS.length - 1);
  };
  const out = button({ icon: "minus", kind: "quiet", label: ["zoom.out"], press: () => zoom(-1) });
  const into = button({ icon: "plus", kind: "quiet", label: ["zoom.in"], press: () => zoom(1) });
  place.append(out, into);
  zoom(0);
}

/** Resize the board around the middle of its visible part. @param {HTMLElement} frame @param {SVGElement} board @param {number} scale */
function resize(frame, board, scale) {
  const [x, y] = [
    (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth,
    (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight,
  ];
  board.style.setProperty("--zoom", String(scale));
  frame.classList.toggle("zoomed", scale > 1);
  frame.scrollTo(x * frame.scrollWidth - frame.clientWidth / 2, y * frame.scrollHeight - frame.clientHeight / 2);
}
