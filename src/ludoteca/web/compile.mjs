// node compile.mjs PYODIDE DIRECTORY: compiles the modules of Python's library and of ludoteca.zip in a folder, with the Python
// that will load them. It leaves out the modules of the library that a page never imports. A page then starts in half the time.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [home, directory] = process.argv.slice(2);
process.on("uncaughtException", (error) => {
  console.error(error.message.trim()); // without the line of Pyodide's code, which has a megabyte
  process.exit(1);
});
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`).href);
const python = await loadPyodide();
for (const [name, place] of [["ludoteca.zip", "/ludoteca"], ["msgspec.whl", "/msgspec"]]) {
  python.unpackArchive(new Uint8Array(fs.readFileSync(`${directory}/${name}`)), "zip", { extractDir: place });
}
python.runPython(`
import ast
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

LIBRARY = "/lib/python314.zip"

sys.path += ["/ludoteca", "/msgspec"]
import_module("ludoteca.web.page")
for file in Path("/ludoteca").rglob("*.py"):  # import what any function of ours may import
    for node in ast.walk(ast.parse(file.read_text())):
        names = [each.name for each in getattr(node, "names", [])] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.partition(".")[0] in sys.stdlib_module_names:
                with suppress(ImportError):
                    import_module(name)
places = (getattr(module, "__file__", None) or "" for module in [*sys.modules.values()])
needed = {place.removeprefix(f"{LIBRARY}/") for place in places if place.startswith(LIBRARY)}

import compileall
import shutil
from py_compile import PycInvalidationMode

shutil.unpack_archive(LIBRARY, "/python_stdlib", "zip")
for file in Path("/python_stdlib").rglob("*"):
    name = file.relative_to("/python_stdlib")
    if file.is_file() and str(name) not in needed and not name.match("encodings/utf_*"):
        file.unlink()
for home in ("/python_stdlib", "/ludoteca"):
    mode = PycInvalidationMode.UNCHECKED_HASH
    assert compileall.compile_dir(home, quiet=1, legacy=True, optimize=2, invalidation_mode=mode, stripdir=home)
    for file in Path(home).rglob("*.py"):
        file.unlink()
    shutil.make_archive(home, "zip", home)
`);
for (const name of ["python_stdlib", "ludoteca"]) fs.writeFileSync(`${directory}/${name}.zip`, python.FS.readFile(`/${name}.zip`));
