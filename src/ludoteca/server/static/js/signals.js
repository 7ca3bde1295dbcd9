/** The signals for the player: short sounds, the icon of the tab, and notifications. A button turns the sounds off. */

import { asset } from "./assets.js";
import { button, icon } from "./dom.js";
import { isMine, isOver } from "./model.js";
import { local } from "./store.js";
import { inWords, say } from "./words.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {"move" | "capture" | "turn" | "time" | "end"} Kind
 */

const KEPT = "ludoteca.sounds";
/** @type {Record<Kind, [number, number, number][]>} The tones: pitch in hertz, start and length in seconds. */
const TONES = {
  move: [[370, 0, 0.07]],
  capture: [[311, 0, 0.08], [208, 0.06, 0.14]],
  turn: [[523, 0, 0.1], [698, 0.1, 0.16]],
  time: [[880, 0, 0.07], [880, 0.16, 0.07]],
  end: [[392, 0, 0.14], [523, 0.13, 0.14], [659, 0.26, 0.3]],
};
const LOUDNESS = 0.12;
/** The least time between the player's own move and the sound of a turn, in milliseconds. */
const LONG = 8000;

/** @type {AudioContext | null} made by the first sound, because browsers require a touch before */
let audio = null;

function isOn() {
  return local.get(KEPT) !== "off";
}

/** @param {Kind} kind */
export function sound(kind) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  for (const [pitch, from, length] of TONES[kind]) tone(audio, pitch, audio.currentTime + from, length);
}

/** Play a fading tone. @param {AudioContext} context @param {number} pitch @param {number} start @param {number} length */
function tone(context, pitch, start, length) {
  const [voice, volume] = [context.createOscillator(), context.createGain()];
  voice.type = "triangle";
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + length);
}

/** Return the button that turns sounds off and on. */
export function soundButton() {
  const made = button({ icon: "sound-on", kind: "quiet", label: ["bar.sounds.on"], press: () => turn() });
  made.id = "sounds";
  const dress = () => {
    const state = isOn() ? "on" : "off";
    made.replaceChildren(icon(`sound-${state}`));
    for (const attribute of ["aria-label", "title"]) say(made, [`bar.sounds.${state}`], "", attribute);
  };
  const turn = () => {
    local.set(KEPT, isOn() ? "off" : "on");
    dress();
    sound("move");
  };
  dress();
  return made;
}

/** True if the player has not answered yet whether the browser may show notifications. @param {Whole} room */
export function mayNotify(room) {
  const people = room.seats.some((seat, player) => player !== room.you && seat.kind === "person");
  return room.you >= 0 && people && !isOver(room) && !isMine(room) && "Notification" in window && Notification.permission === "default";
}

export class Signals {
  constructor() {
    /** The time at which the player's last turn ended. */
    this.since = performance.now();
  }

  /** Signal the changes of a room. @param {Whole | null} before @param {Whole} room @param {string} name of the game */
  tell(before, room, name) {
    const mine = isMine(room);
    document.querySelector("link[rel=icon]")?.setAttribute("href", asset(`/static/${mine ? "icon-turn" : "icon"}.svg`));
    if (!before) return;
    if (isMine(before) && !mine) this.since = performance.now();
    if (isOver(room) && !isOver(before)) return sound("end");
    if (room.ply > before.ply) sound(isCapture(before, room) ? "capture" : "move");
    if (mine && !isMine(before)) this.turn(room, name);
  }

  /** Signal the player's turn. @param {Whole} room @param {string} name */
  turn(room, name) {
    if (document.hidden || performance.now() - this.since > LONG) sound("turn");
    if (document.hidden && "Notification" in window && Notification.permission === "granted")
      new Notification(inWords(["mine.turn"]), { body: name, icon: asset("/static/icon-turn.svg"), tag: room.room });
  }
}

/** True if a move has made the first number in another player's row smaller. @param {Whole} before @param {Whole} room */
function isCapture(before, room) {
  const player = room.log.at(-1)?.player;
  return room.scene.standings.some((standing) => {
    const old = before.scene.standings.find((other) => other.player === standing.player);
    return standing.player !== player && old && numberOf(standing) < numberOf(old);
  });
}

/** Return the first number in a player's row of the table. @param {import("./frames.js").Standing} standing */
function numberOf(standing) {
  const values = standing.facts.map(([, value]) => value);
  return Number(values.find((value) => typeof value === "number") ?? 0);
}
