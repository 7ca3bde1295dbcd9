/** Phrases that players say to each other. Each player can mute the others. */

import { openDialog } from "./dialogs.js";
import { button, byId, h } from "./dom.js";
import { mutedSeats, setMuted } from "./strangers.js";
import { say } from "./words.js";

/** @typedef {import("./frames.js").Whole} Whole */

/** The phrases in the order of the numbers that the server knows. */
const PHRASES = ["hello", "luck", "nice", "thanks", "played", "sorry", "oops", "moment", "back", "again"];
/** Milliseconds for which a phrase is shown. */
const SHOWN = 4_000;
/** Milliseconds until a player can say another one. */
const SILENCE = 5_000;

export class Phrases {
  /** @param {import("./room.js").page} page */
  constructor(page) {
    this.page = page;
    /** True if the server takes phrases. */
    this.offered = false;
    /** True for SILENCE after a phrase of this player. */
    this.isSilent = false;
  }

  /** The button that opens the dialog, if another person plays. @param {Whole} room */
  opener(room) {
    const others = room.seats.some((seat, player) => player !== room.you && seat.kind === "person");
    if (!this.offered || room.seats[room.you]?.kind !== "person" || !others) return null;
    const open = button({ icon: "say", say: ["say"], kind: "quiet tool", press: () => this.isSilent || this.choose() });
    open.setAttribute("aria-haspopup", "dialog");
    open.setAttribute("aria-disabled", String(this.isSilent)); // and not `disabled`, which would lose the focus
    return open;
  }

  /** @param {boolean} isSilent */
  silence(isSilent) {
    this.isSilent = isSilent;
    this.page.showControls();
  }

  choose() {
    const { room } = this.page;
    if (!room) return;
    const phrases = PHRASES.map((name, phrase) => {
      const send = () => {
        dialog.close();
        this.page.ask({ t: "say", phrase });
        this.silence(true);
        setTimeout(() => this.silence(false), SILENCE);
      };
      return button({ say: [`phrase.${name}`], press: send });
    });
    const mutes = room.seats.flatMap((seat, player) => (player !== room.you && seat.kind === "person" ? [muteBox(room.room, player)] : []));
    const dialog = openDialog(["say"], h("div", { class: "row phrases" }, ...phrases), ...mutes);
    dialog.classList.add("small");
  }

  /** @param {number} player who says a phrase @param {number} number of the phrase */
  hear(player, number) {
    const { room, plates } = this.page;
    const name = PHRASES[number];
    if (!room || !name || isMuted(room.room, player)) return;
    /** @type {import("./frames.js").Message} */
    const phrase = [`phrase.${name}`];
    plates.said.set(player, phrase);
    say(byId("said"), ["phrase.by", ["@seat", player], phrase]);
    this.page.show();
    setTimeout(() => {
      if (plates.said.get(player) !== phrase) return;
      plates.said.delete(player);
      this.page.show();
    }, SHOWN);
  }
}

/** @param {string} room @param {number} player */
function isMuted(room, player) {
  return mutedSeats().some((muted) => muted.room === room && muted.seat === player);
}

/** @param {string} room @param {number} player */
function muteBox(room, player) {
  const box = h("input", { set: { type: "checkbox", checked: isMuted(room, player) }, on: { change: () => setMuted(room, player, box.checked) } });
  return h("label", { class: "check" }, box, h("span", { say: ["mute", ["@seat", player]] }));
}
