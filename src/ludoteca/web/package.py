"""Makes the archive of Ludoteca for the Python in a web page: the modules, texts and weights that a page needs."""

import re
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import ludoteca
from ludoteca.core import registry

ROOT: Final = Path(ludoteca.__file__).parent
PARTS: Final = """
    __init__.py core games agents search web/__init__.py web/calling.py web/shell.py web/page.py web/numpy
    server/__init__.py server/frames.py server/jobs.py server/refusals.py server/settings.py server/messages server/model
    server/thinking/__init__.py server/thinking/analyses.py server/thinking/worker.py
"""
"""The modules and folders of the package."""
LEFT_OUT: Final = re.compile(
    r"core/(clusters|codecache|compiling|fingerprint|judging|symmetries)\.py"
    r"|games/\w+/((text|judging|learn)/.*|.*cover\.svg|view/screen\.py|play/(strategy|sampling)\.py)"
)
"""Files in these folders that only other programs need, not a page."""
ENDINGS: Final = {".py", ".json", ".npz", ".svg", ".css"}


def files() -> list[Path]:
    """Return the paths of all files that belong into the archive."""
    parts = [ROOT / part for part in PARTS.split()]
    found = [file for part in parts for file in ([part] if part.is_file() else sorted(part.rglob("*")))]
    return [each for each in found if each.suffix in ENDINGS and not LEFT_OUT.fullmatch(each.relative_to(ROOT).as_posix())]


def write_package(path: Path) -> None:
    """Write the archive for all games, including games of other packages that are installed. In the archive, `web/numpy` is
    the package `numpy`.
    """
    outside = {entry.name: entry.value for entry in entry_points(group=registry.GROUP)}
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files():
            name = file.relative_to(ROOT)
            archive.write(file, name.relative_to("web") if "numpy" in name.parts else Path("ludoteca") / name)
        for spec in map(registry.find, outside):
            home = Path(import_module(spec.package).__path__[0])
            for file in sorted(each for each in home.rglob("*") if each.suffix in ENDINGS):
                archive.write(file, Path(*spec.package.split("."), file.relative_to(home)))
        archive.writestr("games-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: games\nVersion: 1\n")
        lines = [f"[{registry.GROUP}]", *(f"{name} = {value}" for name, value in outside.items())]
        archive.writestr("games-1.dist-info/entry_points.txt", "\n".join(lines))
