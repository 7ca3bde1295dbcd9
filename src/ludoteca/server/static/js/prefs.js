/** The bar at the top: the link to the lobby, the language, the settings. */

import { byId, h } from "./dom.js";
import { settingsButton } from "./settings.js";
import { LANGUAGES, changeLanguage, currentLanguage } from "./words.js";

/** Fill the page's bar. */
export function fillBar() {
  byId("prefs").append(languageChoice(), settingsButton());
}

function languageChoice() {
  const options = Object.entries(LANGUAGES).map(([code, name]) =>
    h("option", { set: { value: code, lang: code, selected: code === currentLanguage() } }, name),
  );
  const choose = h("select", { class: "language", label: ["bar.language"], set: { id: "language" } }, ...options);
  const short = h("span", { set: { "aria-hidden": "true" } }, currentLanguage());
  choose.addEventListener("change", () => {
    short.textContent = choose.value;
    changeLanguage(choose.value);
  });
  return h("div", { class: "language-box" }, short, choose);
}
