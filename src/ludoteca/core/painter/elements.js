/** Make elements whose texts are messages. */

import { say } from "./texts.js";

/** @typedef {import("./scenes.js").Message} Message */

/**
 * @typedef {object} Parts
 * @property {string} [class]
 * @property {Message} [say]  the text, which follows the language of the page
 * @property {Message} [label]  the text for screen readers
 * @property {Message} [title]  the tooltip
 * @property {string} [scope]  the game whose catalogue has these texts
 * @property {Record<string, string | number | boolean>} [set]  attributes: true sets an empty one, false sets none
 * @property {Record<string, (event: any) => void>} [on]
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Parts} [parts]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, parts = {}, ...children) {
  const element = document.createElement(tag);
  if (parts.class) element.className = parts.class;
  dress(element, parts);
  element.append(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
  return element;
}

/** @param {Element} element @param {Parts} parts */
function dress(element, parts) {
  for (const [name, value] of Object.entries(parts.set ?? {})) set(element, name, value);
  for (const [name, listener] of Object.entries(parts.on ?? {})) element.addEventListener(name, listener);
  if (parts.say !== undefined) say(element, parts.say, parts.scope);
  if (parts.label !== undefined) say(element, parts.label, parts.scope, "aria-label");
  if (parts.title !== undefined) say(element, parts.title, parts.scope, "title");
}

/** @param {Element} element @param {string} name @param {string | number | boolean} value */
export function set(element, name, value) {
  if (value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Return the element of the page's HTML with an id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @returns {SVGElement}
 */
export function svgElement(tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
