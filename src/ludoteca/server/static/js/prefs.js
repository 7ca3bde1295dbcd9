/** The bar at the top: where home is, the language, light or dark. */

import { button, byId, h } from "./dom.js";
import { LANGUAGES, changeLanguage, currentLanguage, say } from "./words.js";

const THEME = "ludoteca.theme";
const THEMES = ["auto", "light", "dark"];

/** Fill the page's bar. */
export function fillBar() {
  byId("prefs").append(languageChoice(), themeButton());
}

function languageChoice() {
  const options = Object.entries(LANGUAGES).map(([code, name]) =>
    h("option", { set: { value: code, lang: code, selected: code === currentLanguage() } }, name),
  );
  const choose = h("select", { class: "language", label: ["bar.language"], set: { id: "language" } }, ...options);
  choose.addEventListener("change", () => changeLanguage(choose.value));
  return choose;
}

function themeNow() {
  return localStorage.getItem(THEME) ?? "auto";
}

function themeButton() {
  const made = button({ icon: `theme-${themeNow()}`, kind: "quiet", label: [`bar.theme.${themeNow()}`], press: () => nextTheme(made) });
  made.id = "theme";
  return made;
}

/** @param {HTMLButtonElement} pressed */
function nextTheme(pressed) {
  const theme = THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length] ?? "auto";
  localStorage.setItem(THEME, theme);
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  pressed.querySelector("use")?.setAttribute("href", `/static/icons.svg#theme-${theme}`);
  say(pressed, [`bar.theme.${theme}`], "", "aria-label");
  say(pressed, [`bar.theme.${theme}`], "", "title");
}
