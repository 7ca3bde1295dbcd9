/** A worker with Python: it starts Pyodide with Ludoteca and a game, and has the page's room (`ludoteca/web/shell.py`). */

import createPyodideModule from "./pyodide.asm.js";
import { loadPyodide } from "./pyodide.js";

const HOME = "/home/pyodide/";

/** @type {Promise<any>} the room, as soon as the page has said which one */
let room;
/** The timer for the next thing that the room does by itself. */
let timer = 0;

/** The file that could not be loaded, because it is missing or damaged. Errors of Pyodide and of browsers do not name it. */
let lost = "";

/** @param {string} name @param {Record<string, string>} hashes @returns {Promise<Uint8Array | null>} null if there is no such file */
async function file(name, hashes) {
  if (!hashes[name]) return null;
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Return the same answer. Of WebAssembly it has the type that browsers want, which not every web server knows. @param {Response} answer */
function typed(answer) {
  if (!answer.url.endsWith(".wasm")) return answer;
  return new Response(answer.body, { status: answer.status, headers: { "content-type": "application/wasm" } });
}

/** @param {{room: string, text: string, origin: string | null, hashes: Record<string, string>}} wanted */
async function start({ room: name, text, origin, hashes }) {
  const { fetch: ask } = self;
  self.fetch = (address, how) => {
    const name = String(address).split("/").at(-1) ?? "", known = hashes[name];
    return ask(/** @type {any} */ (address), { ...how, ...(known ? { integrity: known } : {}) }).then(typed, (error) => {
      lost = name;
      throw error;
    });
  };
  const { game } = JSON.parse(text);
  const names = ["ludoteca.zip", "msgspec.whl", `${game}.wasm`, `${game}.json`];
  const coming = Promise.all(names.map((name) => file(name, hashes)));
  const python = await loadPyodide({ createPyodideModule, indexURL: new URL("./", import.meta.url).href });
  const [ludoteca, msgspec, library, about] = await coming;
  for (const archive of [ludoteca, msgspec]) if (archive) python.unpackArchive(archive, "zip", { extractDir: HOME });
  if (library) python.FS.writeFile(`${HOME}${game}.wasm`, library);
  if (about) python.FS.writeFile(`${HOME}${game}.json`, about);
  const open = python.runPython(`import sys; sys.path.insert(0, "${HOME}"); from ludoteca.web.page import Page; Page`);
  return open(name, text, origin ?? "", `${HOME}${game}.wasm`);
}

/** Have the room do something, and tell the page what came of it. @param {string} what @param {string} text @param {number} [id] */
async function act(what, text, id) {
  try {
    const { due, ...told } = JSON.parse((await room).act(what, text));
    self.postMessage({ ...told, id });
    clearTimeout(timer);
    if (due !== null) timer = self.setTimeout(() => act("wake", ""), 1000 * due);
  } catch (error) {
    const why = lost || String(error).trim().split("\n").at(-1); // of Python's lines, the last says what it is
    self.postMessage({ refused: { code: "starting", message: ["starting.failed", why] } });
  }
}

self.onmessage = ({ data }) => {
  if (!data.what) room = start(data);
  void act(data.what ?? "begin", data.text, data.id);
};
