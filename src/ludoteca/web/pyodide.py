"""Pyodide's files, which come from the npm registry and are not in the repository."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

from ludoteca.core.errors import LudotecaError

VERSION: Final = "314.0.7"
MSGSPEC: Final = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
"""The versions that go together."""
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
    """Return the folder of Pyodide and the file of msgspec.

    Raises LudotecaError, which has the command that gets them, if they or Node are not there, or have another version.
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
    """Copy what a page needs of Pyodide, and msgspec. Raises the errors of `find`."""
    home, wheel = find(tools)
    for name, here in NAMES.items():
        shutil.copyfile(home / name, directory / here)
    lock = json.loads((home / LOCK).read_text(encoding="utf-8"))
    (directory / LOCK).write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")
    shutil.copyfile(wheel, directory / "msgspec.whl")


def compile_modules(tools: Path, directory: Path) -> None:
    """Compile the modules of Python's library and of Ludoteca in a folder. Those that a page never imports are left out.

    Raises LudotecaError, with the last line of Node, if it fails.
    """
    script = Path(__file__).with_name("compile.mjs")
    done = subprocess.run([NODE, script, find(tools)[0].resolve(), directory], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise LudotecaError(f"{script.name}: {done.stderr.strip().rpartition(chr(10))[2]}")
