"""Finds and copies the files of Pyodide, which is Python for web pages. They come from the npm registry and are not in the
repository.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

from ludoteca.core.errors import LudotecaError

VERSION: Final = "314.0.7"
MSGSPEC: Final = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
"""The version of Pyodide, and the file of msgspec that was built for it."""
NAMES: Final = {
    "pyodide.mjs": "pyodide.js",
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
}
"""Its files, and their names in a page: not every web server says that `.mjs` is JavaScript."""
LOCK: Final = "pyodide-lock.json"
NODE: Final = "node"


def find(tools: Path) -> tuple[Path, Path]:
    """Return the folder of Pyodide and the file of msgspec, which must be in the folder `tools`.

    Raises LudotecaError if one of them or Node is missing or has another version. The message has the command that installs
    it.
    """
    home, wheel = tools / "node_modules" / "pyodide", tools / "wheels" / MSGSPEC
    about = home / "package.json"
    found = json.loads(about.read_text(encoding="utf-8"))["version"] if about.is_file() else "none"
    if found != VERSION:
        get = f"npm install --prefix {tools} pyodide@{VERSION}"
        raise LudotecaError(f"{home}: read version {found}, expected Pyodide {VERSION}: {get}")
    if not wheel.is_file():
        name, version, python, abi, platform = wheel.stem.split("-")
        get = (
            f"pip download --no-deps --only-binary=:all: --implementation cp --python-version {python[2:]} --abi {abi} "
            f"--platform {platform} --dest {wheel.parent} {name}=={version}"
        )
        raise LudotecaError(f"{wheel} is missing: {get}")
    if not shutil.which(NODE):
        raise LudotecaError(f"{NODE}, which compiles modules, is not installed: on Debian and Ubuntu, apt install nodejs")
    return home, wheel


def copy(tools: Path, directory: Path) -> None:
    """Copy the files of Pyodide and msgspec that a page needs to a folder. Raises LudotecaError if Pyodide, msgspec or Node
    is missing or has another version.
    """
    home, wheel = find(tools)
    for name, here in NAMES.items():
        shutil.copyfile(home / name, directory / here)
    lock = json.loads((home / LOCK).read_text(encoding="utf-8"))
    (directory / LOCK).write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")
    shutil.copyfile(wheel, directory / "msgspec.whl")


def compile_modules(tools: Path, directory: Path) -> None:
    """Compile the Python modules in a folder, those of Python's library and of Ludoteca, to bytecode. Modules that a page
    never imports are left out.

    Raises LudotecaError, with the last line of Node's errors, if it fails.
    """
    script = Path(__file__).with_name("compile.mjs")
    done = subprocess.run([NODE, script, find(tools)[0].resolve(), directory], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise LudotecaError(f"{script.name}: {done.stderr.strip().rpartition(chr(10))[2]}")
