/** Links: to an open seat, for those who watch, to one's own seat on another device. */

import { RefusedError, post } from "./api.js";
import { copyText, openDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { keepName, keepSeat, keptName } from "./keep.js";
import { say } from "./words.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Message} Message
 */

/** @param {string} room @param {string | null} [token] */
function linkTo(room, token) {
  return `${location.origin}/room/${room}${token ? `#${token}` : ""}`;
}

/** A link to copy. @param {Message} label @param {string} link */
function linkField(label, link) {
  const field = h("input", { label, set: { readonly: true, value: link, type: "text" }, on: { focus: () => field.select() } });
  const copied = async () => {
    if (await copyText(link)) say(text, ["link.copied"]);
    else field.focus();
  };
  const made = button({ icon: "copy", say: ["link.copy"], press: copied });
  const text = /** @type {HTMLElement} */ (made.lastElementChild);
  return h("div", { class: "link-field" }, h("span", { class: "link-label", say: label }), h("div", { class: "link-row" }, field, made));
}

/**
 * What stands beside the title of a room.
 *
 * @param {HTMLElement} place
 * @param {string} room
 * @param {string | null} token
 * @param {string} game
 */
export function roomTools(place, room, token, game) {
  const share = () =>
    openDialog(
      ["share.title"],
      linkField(["share.watch"], linkTo(room)),
      ...(token ? [linkField(["share.seat"], linkTo(room, token)), h("p", { class: "fine", say: ["share.secret"] })] : []),
    );
  const rules = h("a", { class: "button quiet", set: { href: `/guide/${game}`, target: "_blank" } }, h("span", { say: ["rules"] }));
  place.replaceChildren(rules, button({ icon: "share", say: ["share"], label: ["share"], kind: "quiet", press: share }));
}

/**
 * That somebody may know what is hidden in a game, in words; nothing where nobody can.
 *
 * @param {string} known as rooms tell it
 */
export function knownNote(known) {
  if (!known) return null;
  return h("p", { class: "fine" }, h("b", { class: "known", say: [`known.${known}`] }), " ", h("span", { say: [`known.${known}.why`] }));
}

/**
 * The panel of a room with open seats: a link to send, or a seat to take.
 *
 * @param {Whole} room
 * @param {string | null} token
 */
export function invitation(room, token) {
  const open = room.seats.filter((seat) => seat.kind === "open").length;
  const panel = h("div", { class: "invite" }, h("p", { say: ["invite.open", open] }), knownNote(room.known));
  if (room.you >= 0) panel.append(linkField(["invite.link"], linkTo(room.room)));
  else panel.append(seatForm(room));
  if (token && room.you >= 0) panel.append(h("p", { class: "fine", say: ["invite.stay"] }));
  return panel;
}

/** @param {Whole} room */
function seatForm(room) {
  const field = h("input", { label: ["name.yours"], set: { maxlength: 40, required: true, value: keptName(), autocomplete: "nickname" } });
  say(field, ["name.yours"], "", "placeholder");
  const trouble = h("p", { class: "notice", set: { role: "alert", hidden: true } });
  const take = h("button", { class: "button primary", say: ["seat.take"], set: { type: "submit" } });
  const form = h("form", { class: "take" }, h("div", { class: "link-row" }, field, take), trouble);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    keepName(field.value.trim());
    await takeSeat(room, field.value.trim()).catch((error) => {
      if (!(error instanceof RefusedError)) throw error;
      trouble.hidden = false;
      say(trouble, error.told);
    });
  });
  return form;
}

/** @param {Whole} room @param {string} name */
async function takeSeat(room, name) {
  const { seat, token } = await post(`/api/rooms/${room.room}/seats`, { name });
  keepSeat({ room: room.room, token, seat, game: room.game });
  location.hash = token; // the page loads again with it
}
