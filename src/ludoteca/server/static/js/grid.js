/**
 * An editor for a text that is a picture: rows of symbols, separated by `/`. The player draws cells with the mouse, a finger, or
 * the arrow keys and the space bar, adds and removes rows and columns, or loads a file.
 */

import { button, h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {{symbols: string[], low: number, high: number}} Form */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class GridEditor {
  /**
   * @param {Form} form
   * @param {string} value a picture, or a text from which the game makes a picture
   * @param {(value: string) => void} changed
   * @param {(symbol: string) => import("./frames.js").Message} nameOf returns the name of a cell with a symbol
   * @param {string} scope of these names
   */
  constructor(form, value, changed, nameOf, scope) {
    this.form = form;
    this.nameOf = nameOf;
    this.scope = scope;
    this.changed = changed;
    /** @type {string | null} The text of a file that is no picture. The game reads it. */
    this.given = null;
    /** @type {string[][]} */
    this.rows = [];
    this.brush = "";
    this.at = [0, 0];
    this.cells = h("div", { class: "grid-cells", set: { role: "application", tabindex: 0 }, label: ["grid.cells"] });
    this.state = h("span", { class: "unseen", set: { "aria-live": "polite" } });
    this.told = h("p", { class: "fine", set: { hidden: true } });
    this.presets = h("select", { label: ["grid.presets"] });
    this.size = h("span", { class: "grid-size" });
    this.element = h("div", { class: "grid-editor" }, this.tools(), this.cells, this.told, this.state);
    this.listen();
    this.read(value);
  }

  tools() {
    const file = h("input", { set: { type: "file", accept: ".txt,text/plain" }, class: "unseen", label: ["grid.file"] });
    file.addEventListener("change", async () => file.files?.[0] && this.upload(await file.files[0].text()));
    const open = button({ icon: "upload", say: ["grid.file"], press: () => file.click() });
    const clear = button({ say: ["grid.clear"], press: () => this.fill() });
    const first = h("div", { class: "row grid-tools" }, this.presets, open, clear, file);
    return h("div", {}, first, h("div", { class: "row grid-tools" }, ...this.sizers()));
  }

  sizers() {
    const one = (/** @type {string} */ name, /** @type {number} */ rows, /** @type {number} */ columns) =>
      button({ icon: rows + columns > 0 ? "plus" : "minus", kind: "quiet", label: [name], press: () => this.resize(rows, columns) });
    const rows = h("span", { class: "sizer" }, one("grid.fewer-rows", -1, 0), h("span", { say: ["grid.rows"] }), one("grid.more-rows", 1, 0));
    const columns = h("span", { class: "sizer" }, one("grid.fewer-columns", 0, -1), h("span", { say: ["grid.columns"] }), one("grid.more-columns", 0, 1));
    return [rows, this.size, columns];
  }

  /** @param {Array<[string, string]>} presets names and pictures */
  offer(presets) {
    const own = h("option", { say: ["grid.own"], set: { value: "" } });
    this.presets.replaceChildren(own, ...presets.map(([name, text]) => h("option", { set: { value: text } }, name)));
    this.presets.value = presets.find(([, text]) => text === this.text())?.[1] ?? "";
    this.presets.addEventListener("change", () => {
      if (this.presets.value) this.set(this.presets.value);
    });
  }

  /** Return the picture as a text. */
  text() {
    return this.given ?? this.rows.map((row) => row.join("")).join("/");
  }

  /** @param {string} text @returns {boolean} true if it is a picture */
  read(text) {
    const { symbols, low, high } = this.form;
    const lines = text.trim().split(/\/|\r?\n/).map((line) => line.trim());
    const width = lines[0]?.length ?? 0;
    const fits = [lines.length, width].every((side) => side >= low && side <= high);
    const even = lines.every((line) => line.length === width && [...line].every((symbol) => symbols.includes(symbol)));
    this.given = fits && even ? null : text;
    if (this.given === null) this.rows = lines.map((line) => [...line]);
    else if (!this.rows.length) this.rows = blank(symbols[0] ?? ".", low, low);
    this.draw();
    return this.given === null;
  }

  /** @param {string} text */
  set(text) {
    const drawn = this.read(text);
    this.told.hidden = drawn;
    if (!drawn) say(this.told, ["grid.given"]);
    this.changed(this.text());
  }

  /** @param {string} text of a file */
  upload(text) {
    this.presets.value = "";
    this.set(text);
  }

  fill() {
    const [row] = this.rows;
    this.edit(blank(this.form.symbols[0] ?? ".", this.rows.length, row?.length ?? 1));
  }

  /** Add rows and columns, or remove them. @param {number} rows negative to remove @param {number} columns */
  resize(rows, columns) {
    const { low, high, symbols } = this.form;
    const height = Math.max(low, Math.min(this.rows.length + rows, high));
    const width = Math.max(low, Math.min((this.rows[0]?.length ?? 0) + columns, high));
    const made = blank(symbols[0] ?? ".", height, width);
    this.edit(made.map((row, y) => row.map((symbol, x) => this.rows[y]?.[x] ?? symbol)));
  }

  /** @param {string[][]} rows */
  edit(rows) {
    this.rows = rows;
    this.given = null;
    this.told.hidden = true;
    this.draw();
    this.drawn();
  }

  /** Report the new picture after the player has drawn. */
  drawn() {
    this.given = null;
    this.told.hidden = true;
    this.presets.value = [...this.presets.options].find((option) => option.value === this.text())?.value ?? "";
    this.changed(this.text());
  }

  draw() {
    const width = this.rows[0]?.length ?? 1;
    this.cells.style.setProperty("--columns", String(width));
    this.size.textContent = `${this.rows.length} × ${width}`;
    this.at = [Math.min(this.at[0] ?? 0, this.rows.length - 1), Math.min(this.at[1] ?? 0, width - 1)];
    const spans = this.rows.flatMap((row, y) => row.map((symbol, x) => this.cell(symbol, y, x)));
    this.cells.replaceChildren(...spans);
    this.mark();
  }

  /** @param {string} symbol @param {number} y @param {number} x */
  cell(symbol, y, x) {
    return h("span", { class: `cell kind-${this.form.symbols.indexOf(symbol)}`, set: { "data-y": y, "data-x": x } });
  }

  listen() {
    this.cells.addEventListener("pointerdown", (event) => {
      this.cells.setPointerCapture(event.pointerId);
      const [y, x] = this.under(event);
      if (y === undefined || x === undefined) return;
      this.brush = this.next(this.rows[y]?.[x] ?? "");
      this.paint(y, x);
    });
    this.cells.addEventListener("pointermove", (event) => {
      const [y, x] = this.brush ? this.under(event) : [];
      if (y !== undefined && x !== undefined) this.paint(y, x);
    });
    for (const end of ["pointerup", "pointercancel"]) this.cells.addEventListener(end, () => (this.brush = ""));
    this.cells.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {PointerEvent} event */
  under(event) {
    const cell = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.matches(".cell"));
    return cell instanceof HTMLElement ? [Number(cell.dataset["y"]), Number(cell.dataset["x"])] : [];
  }

  /** @param {string} symbol @returns {string} the symbol after it */
  next(symbol) {
    const { symbols } = this.form;
    return symbols[(symbols.indexOf(symbol) + 1) % symbols.length] ?? symbol;
  }

  /** @param {number} y @param {number} x */
  paint(y, x) {
    const row = this.rows[y];
    if (!row || row[x] === undefined) return;
    this.at = [y, x];
    this.mark();
    if (row[x] === this.brush) return;
    row[x] = this.brush;
    const cell = this.cells.children[y * row.length + x];
    if (cell) cell.className = `cell kind-${this.form.symbols.indexOf(this.brush)} at`;
    this.drawn();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const [y = 0, x = 0] = this.at;
    const step = STEPS[event.key];
    if (step) this.at = [clamp(y + step[0], this.rows.length), clamp(x + step[1], this.rows[0]?.length ?? 1)];
    else if (event.key === " " || event.key === "Enter") {
      this.brush = this.next(this.rows[y]?.[x] ?? "");
      this.paint(y, x);
      this.brush = "";
    } else return;
    event.preventDefault();
    this.mark();
    const [row = 0, column = 0] = this.at;
    say(this.state, ["grid.at", row + 1, column + 1, this.nameOf(this.rows[row]?.[column] ?? "")], this.scope);
  }

  mark() {
    const [y = 0, x = 0] = this.at;
    this.cells.querySelector(".at")?.classList.remove("at");
    this.cells.children[y * (this.rows[0]?.length ?? 1) + x]?.classList.add("at");
  }
}

/** @param {number} value @param {number} size */
function clamp(value, size) {
  return Math.max(0, Math.min(value, size - 1));
}

/** @param {string} symbol @param {number} height @param {number} width @returns {string[][]} */
function blank(symbol, height, width) {
  return Array.from({ length: height }, () => Array.from({ length: width }, () => symbol));
}
