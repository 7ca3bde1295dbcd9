/** Dialogs. */

import { button, h } from "./dom.js";

/** @typedef {import("./frames.js").Message} Message */

/**
 * @param {Message} title
 * @param {...Node} content
 * @returns {HTMLDialogElement} the open dialog, which is removed when it is closed
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
 * @param {Message} yes the text of the button that agrees
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
 * @returns {Promise<boolean>} false if the browser refuses
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.info("the clipboard is not ours", error); // as in pages without https: the player can copy from the field
    return false;
  }
}
