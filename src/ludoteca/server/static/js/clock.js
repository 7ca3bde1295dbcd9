/** Clocks that run between two frames of the server. */

/** @typedef {import("./frames.js").Clock} Clock */

const TICK = 200;
/** The milliseconds below which a clock warns the player and shows tenths of a second. */
const LOW = 20_000;
const TENTHS = 10_000;

/** @param {number} left milliseconds @returns {string} `1:02:03`, `4:05`, `0:09.3` */
export function timeText(left) {
  const time = Math.max(0, left);
  const seconds = Math.floor(time / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const end = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
  const tenths = time < TENTHS ? `.${Math.floor(time / 100) % 10}` : "";
  return `${hours ? `${hours}:` : ""}${end}${tenths}`;
}

export class ClockFaces {
  /** @param {(player: number) => void} warn  called when the time of a player becomes short */
  constructor(warn) {
    this.warn = warn;
    /** @type {Set<number>} */
    this.warned = new Set();
    /** @type {HTMLElement[]} */
    this.faces = [];
    /** @type {Clock | null} */
    this.clocks = null;
    this.mover = -1;
    this.since = 0;
    setInterval(() => this.tick(), TICK);
  }

  /** @param {HTMLElement[]} faces one for each player */
  attach(faces) {
    this.faces = faces;
    this.tick();
  }

  /** @param {Clock | null} clocks @param {number} mover the player whose clock runs */
  set(clocks, mover) {
    if (clocks !== this.clocks) this.since = performance.now();
    this.clocks = clocks;
    this.mover = mover;
    this.tick();
  }

  tick() {
    const passed = this.clocks?.running ? performance.now() - this.since : 0;
    this.faces.forEach((face, player) => {
      const left = (this.clocks?.left[player] ?? 0) - (player === this.mover ? passed : 0);
      const text = timeText(left);
      if (face.textContent !== text) face.textContent = text;
      const low = player === this.mover && left < LOW;
      face.classList.toggle("low", low);
      if (left >= LOW) this.warned.delete(player);
      if (!low || !this.clocks?.running || this.warned.has(player)) return;
      this.warned.add(player);
      this.warn(player);
    });
  }
}
