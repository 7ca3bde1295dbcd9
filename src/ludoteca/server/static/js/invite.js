/** Links to an open seat, for spectators, and to the player's seat on another device. */

import { RefusedError, post, remove } from "./api.js";
import { url } from "./assets.js";
import { confirm, openDialog } from "./dialogs.js";
import { button, enable, h, keyOf, picture } from "./dom.js";
import { isForPeople } from "./games.js";
import { keepName, keepSeat, keepWish, keptKey, keptName, keptWish, seatAddress } from "./keep.js";
import { linkField } from "./links.js";
import { seatName } from "./plates.js";
import { clockWords } from "./timing.js";
import { say } from "./words.js";

/**
 * @typedef {import("./frames.js").Whole} Whole
 * @typedef {import("./frames.js").Message} Message
 * @typedef {import("./games.js").Game} Game
 */

/** Milliseconds until the page repeats a request for a seat that had no answer. */
const AGAIN = 2_000;
const SECRET_BYTES = 24;

/** True while the page asks for a seat. */
let taking = false;
/** @type {Message | null} The reason why the player has no seat yet. */
let trouble = null;
/** Show `taking` and `trouble` in the form. */
let showTaking = () => {};
/** The panel of a guest, whose form stays while a name is typed. @type {HTMLElement | null} */
let guest = null;
/** The panel of a player, whose QR code stays. @type {HTMLElement | null} */
let host = null;
/** True for screens with room for the QR code of an invitation. */
const ROOMY = window.matchMedia("(min-height: 600px)");

/** The text before the secret of an invitation in a link. The secret of a seat has no such text. */
const INVITED = "#invited=";

/** @param {string} room @param {string} [secret] */
function linkTo(room, secret = "") {
  return new URL(url(`/room/${room}${secret}`), location.href).href;
}

/** The link for friends. @param {Whole} room */
export function invitationLink({ room, invitation: secret }) {
  return linkTo(room, secret && INVITED + secret);
}

/** True if the page was opened with the secret of an invitation. */
export function isInvited() {
  return location.hash.startsWith(INVITED);
}

/**
 * Fill the tools next to the title of a room.
 *
 * @param {HTMLElement} place
 * @param {Whole} whole
 * @param {string | null} token
 * @param {(reason: Message) => void} refused called if the room cannot be deleted
 */
export function roomTools(place, whole, token, refused) {
  const { room, game, you, may_delete: mayDelete } = whole;
  const share = () =>
    openDialog(
      ["share.title"],
      linkField(["share.watch"], invitationLink(whole)),
      ...(token ? [linkField(["share.seat"], linkTo(room, `#${token}`)), h("p", { class: "fine", say: ["share.secret"] })] : []),
      ...pictureLink(),
    );
  const rules = h("a", { class: "button quiet", set: { href: url(`/guide/${game}`), target: "_blank" } }, h("span", { say: ["rules"] }));
  const key = mayDelete ? (you >= 0 ? token : keptKey(room)) : null;
  const dispose = () => confirm(["delete.title"], ["delete.text"], ["delete"], () => deleteRoom(room, key ?? "", refused));
  place.replaceChildren(
    rules,
    ...(isForPeople() ? [button({ icon: "share", say: ["share"], label: ["share"], kind: "quiet", press: share })] : []),
    ...(key ? [button({ icon: "bin", say: ["delete"], label: ["delete"], kind: "quiet", press: dispose })] : []),
  );
}

/** Show that this browser keeps nothing, with the link to the seat, until the player closes the note. @param {HTMLElement} place @param {string} room @param {string} token */
export function showUnkept(place, room, token) {
  if (place.firstChild) return;
  const close = button({ icon: "close", kind: "quiet", label: ["close"], press: () => (place.hidden = true) });
  place.append(linkField(["share.unkept"], linkTo(room, `#${token}`)), close);
  place.hidden = false;
}

/** The link to the picture of the position as spectators see it, if the server draws it. Previews of links have the same picture. */
function pictureLink() {
  const address = document.querySelector('meta[property="og:image"]')?.getAttribute("content");
  if (!address) return [];
  const href = new URL(address).pathname; // without the host and scheme, which a proxy may change
  return [h("p", {}, h("a", { say: ["share.picture"], set: { href, target: "_blank" } }))];
}

/**
 * Delete a room for good, unless that is done already. The room reports it to the page.
 *
 * @param {string} room
 * @param {string} key
 * @param {(reason: Message) => void} refused
 */
async function deleteRoom(room, key, refused) {
  await remove(`/api/rooms/${room}`, key).catch((error) => {
    if (!(error instanceof RefusedError)) throw error;
    if (error.code !== "room") refused(error.told);
  });
}

/**
 * Return the note that a player may know hidden things of a game, or null if no player can.
 *
 * @param {string} known the reason, as in the frames of a room
 */
export function knownNote(known) {
  if (!known) return null;
  return h("p", { class: "fine" }, h("b", { class: "known", say: [`known.${known}`] }), " ", h("span", { say: [`known.${known}.why`] }));
}

/**
 * Return the panel of a room with open seats: with a link to send for a player, with a form to take a seat for a guest.
 *
 * @param {Whole} room
 * @param {Game} game
 * @param {string | null} token
 */
export function invitation(room, game, token) {
  const open = room.seats.filter((seat) => seat.kind === "open").length;
  const seats = h("p", { say: ["invite.open", open] });
  if (room.you < 0) {
    guest ??= h("div", { class: "invite" }, h("div"), knownNote(room.known), seatForm(room), firstSteps(game));
    guest.firstElementChild?.replaceWith(invitedTo(room, game.title, seats));
    return guest;
  }
  const stay = token && h("p", { class: "fine", say: ["invite.stay"] });
  host ??= h("div", { class: "invite" }, h("p"), knownNote(room.known), linkField(["invite.link"], invitationLink(room), ROOMY.matches), stay);
  host.firstElementChild?.replaceWith(seats);
  return host;
}

/**
 * The game, the player who invites, the seats and the clock.
 *
 * @param {Whole} room
 * @param {string} title
 * @param {HTMLElement} seats
 */
function invitedTo({ game, seats: all, clock }, title, seats) {
  const host = all.find((seat) => seat.kind === "person");
  const heading = h("h2", { say: host ? ["invite.by", seatName(host), title] : ["invite.to", title] });
  const facts = h("p", { class: "fine" }, h("span", { say: ["players.exactly", all.length] }), " · ", h("span", { say: clockWords(clock) }));
  return h("div", { class: "invite-head" }, picture(game, "thumb"), h("div", {}, heading, facts, seats));
}

/** Return the links of the lesson and of the rules, for a guest who does not know the game. @param {Game} game */
function firstSteps({ name, lesson }) {
  const learn = lesson && h("a", { say: ["learn"], set: { href: url(`/learn/${name}`) } });
  const rules = h("a", { say: ["rules"], set: { href: url(`/guide/${name}`) } });
  return h("p", { class: "row invite-links" }, learn, rules);
}

/** @param {Whole} room */
function seatForm(room) {
  const field = h("input", { label: ["name.yours"], set: { maxlength: 40, required: true, value: keptName(), autocomplete: "nickname" } });
  say(field, ["name.yours"], "", "placeholder");
  const notice = h("p", { class: "notice", set: { role: "alert", hidden: true } });
  const set = { type: "submit", "data-key": keyOf(["seat.take"]) };
  const take = h("button", { class: "button primary", say: ["seat.take"], set });
  const form = h("form", { class: "take" }, h("div", { class: "link-row" }, field, take), notice);
  showTaking = () => {
    enable(take, !taking);
    notice.hidden = !trouble;
    if (trouble) say(notice, trouble);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (taking) return;
    const name = field.value.trim();
    keepName(name);
    const invited = isInvited() ? location.hash.slice(INVITED.length) : "";
    keepWish(room.room, { name, token: newSecret(), invitation: invited });
    takeSeat(room);
  });
  showTaking();
  return form;
}

/** Return a new secret of a seat, with the form of the server's secrets. */
function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** Ask again for a seat if the player left the page before an answer came. @param {Whole} room */
export function resumeTaking(room) {
  if (room.you < 0 && keptWish(room.room)) takeSeat(room);
}

/**
 * Ask for the wished seat until an answer comes. The page has made the secret, so repeated requests take one seat.
 *
 * @param {Whole} room
 */
async function takeSeat(room) {
  const wish = keptWish(room.room);
  if (taking || !wish) return;
  taking = true;
  trouble = null;
  showTaking();
  try {
    const { seat } = await askedFor(`/api/rooms/${room.room}/seats`, wish);
    keepSeat({ room: room.room, token: wish.token, seat, game: room.game });
    location.replace(seatAddress(room.room, wish.token));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    trouble = error.told;
  } finally {
    keepWish(room.room, null);
    taking = false;
    showTaking();
  }
}

/** @param {string} address @param {object} wish @returns {Promise<{seat: number}>} */
async function askedFor(address, wish) {
  for (;;) {
    try {
      return await post(address, wish);
    } catch (error) {
      if (!(error instanceof RefusedError) || !error.isPassing()) throw error;
      trouble = error.told;
      showTaking();
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}
