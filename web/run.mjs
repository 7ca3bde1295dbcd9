// node run.mjs DIR GAME PROGRAM [ARGUMENT]...: runs a program in Python as a page would, with what `ludoteca web DIR` has
// written and with the packages in wheels/. Its input and output are those of the program.
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";

const PAGE = "/page";
const [directory, game, program, ...others] = process.argv.slice(2);
const folder = path.join(import.meta.dirname, "wheels");
const wheels = fs.readdirSync(folder).filter((name) => name.endsWith(".whl")).map((name) => path.join(folder, name));
const archives = [`${directory}/ludoteca.zip`, ...wheels];

process.on("uncaughtException", (error) => {
  console.error(error.message); // without the line of Pyodide's code, which has a megabyte
  process.exit(1);
});
const python = await loadPyodide({ args: [program, ...others], stdLibURL: path.resolve(directory, "python_stdlib.zip") });
for (const archive of archives) {
  python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip", { extractDir: PAGE });
}
for (const name of [`${game}.wasm`, `${game}.json`]) python.FS.writeFile(`${PAGE}/${name}`, fs.readFileSync(`${directory}/${name}`));
python.runPython(`
import sys
from pathlib import Path
sys.path.insert(0, "${PAGE}")
from ludoteca.web.calling import use_library
use_library(Path("${PAGE}/${game}.wasm"))`);
python.runPython(fs.readFileSync(program, "utf8"), { globals: python.toPy({ __name__: "__main__" }) });
