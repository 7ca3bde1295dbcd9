/** The characters of programs, each with a face, a name and a style. The levels of a game share five of them evenly. */

import { h, icon, svgElement } from "./dom.js";
import { agentsOf } from "./games.js";
import { say } from "./words.js";

/** From the lowest level to the highest. */
const GROWING = ["chick", "fox", "octopus", "robot", "owl"];

/** Return the character of an agent, or nothing for an agent with a budget. @param {string} agent @param {string[]} agents of the game */
export function characterOf(agent, agents) {
  if (/^(random|greedy)$/.test(agent)) return agent;
  const levels = agents.filter((name) => /^\d+$/.test(name));
  return GROWING[Math.floor((levels.indexOf(agent) * GROWING.length) / levels.length)] ?? "";
}

/** Return the face of a seat's agent, with the name of its character as a tooltip. @param {import("./frames.js").Seat} seat @param {string} game */
export function faceOf({ kind, agent }, game) {
  const character = kind === "agent" ? characterOf(agent, agentsOf(game)) : "";
  if (!character) return "";
  const face = icon(character, "face");
  face.prepend(say(svgElement("title"), [`character.${character}`]));
  return face;
}

/** Return what a character is, and what exactly its agent does. @param {string} character @param {import("./frames.js").Message} deed */
export function presented(character, deed) {
  const words = [h("b", { say: [`character.${character}`] }), " ", h("span", { say: [`style.${character}`] }), h("br"), h("span", { say: deed })];
  return [icon(character, "face"), h("span", {}, ...words)];
}
