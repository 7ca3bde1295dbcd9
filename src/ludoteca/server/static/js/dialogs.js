/** Asking a person, and telling one. */

import { button, h } from "./dom.js";

/** @typedef {import("./frames.js").Message} Message */

/**
 * @param {Message} title
 * @param {...Node} content
 * @returns {HTMLDialogElement} shown, and gone when it is closed
 */
export function openDialog(title, ...content) {
  const heading = h("h2", { say: title, set: { id: `dialog-${Date.now()}` } });
  const close = button({ icon: "close", kind: "quiet", label: ["close"], press: () => dialog.close() });
  const dialog = h(
    "dialog",
    { set: { "aria-labelledby": heading.id }, on: { close: () => dialog.remove() } },
    h("div", { class: "dialog-head" }, heading, close),
    ...content,
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * @param {Message} title
 * @param {Message} text
 * @param {Message} yes what stands on the button that does it
 * @param {() => void} done
 */
export function confirm(title, text, yes, done) {
  const agree = () => {
    dialog.close();
    done();
  };
  const buttons = h(
    "div",
    { class: "row dialog-foot" },
    button({ say: ["cancel"], press: () => dialog.close() }),
    button({ say: yes, kind: "danger", press: agree }),
  );
  const dialog = openDialog(title, h("p", { say: text }), buttons);
  dialog.classList.add("small");
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is on the clipboard now
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.info("the clipboard is not ours", error); // on plain http it is not: the field is there to copy from
    return false;
  }
}
