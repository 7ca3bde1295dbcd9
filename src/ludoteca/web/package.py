"""The part of Ludoteca that a page's Python needs, as an archive of modules, texts and weights."""

import re
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import ludoteca
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.core.value import SPREAD, load_value, sharing, weights_file

ROOT: Final = Path(ludoteca.__file__).parent
PARTS: Final = (
    *("__init__.py", "core", "games", "agents", "search", "web/__init__.py", "web/calling.py", "web/shell.py", "web/numpy"),
    *("server/__init__.py", "server/frames.py", "server/jobs.py", "server/refusals.py", "server/settings.py"),
    *("server/messages", "server/model", "server/thinking/__init__.py", "server/thinking/worker.py"),
)
"""The modules and folders of the package."""
LEFT_OUT: Final = re.compile(
    r"core/(clusters|codecache|compiling|fingerprint|judging|symmetries)\.py|search/pro(of|ven)\.py"
    r"|games/\w+/((text|judging|learn)/.*|view/screen\.py|play/(strategy|sampling)\.py)"
)
"""Parts that only other programs need."""
ENDINGS: Final = {".py", ".json", ".npz"}


def files() -> list[Path]:
    """Return the files of the package."""
    parts = [ROOT / part for part in PARTS]
    found = [file for part in parts for file in ([part] if part.is_file() else sorted(part.rglob("*")))]
    return [each for each in found if each.suffix in ENDINGS and not LEFT_OUT.fullmatch(each.relative_to(ROOT).as_posix())]


def write_package(path: Path) -> int:
    """Write the package for all games, and return its bytes. It contains `web.numpy` as `numpy`."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files():
            name = file.relative_to(ROOT)
            archive.write(file, name.relative_to("web") if "numpy" in name.parts else Path("ludoteca") / name)
    return path.stat().st_size


def write_weights(spec: GameSpec, path: Path) -> int:
    """Write one weight per feature, where features share weights. Return the bytes, 0 without a file.

    Sharing takes seconds and more of NumPy than a page has.
    """
    game = Game(spec)
    file, value = weights_file(game), load_value(game)
    if not file or not value or sharing(value.module) is None:
        return 0
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(str("ludoteca" / file.relative_to(ROOT).with_suffix(SPREAD)), value.weights.tobytes())
    return path.stat().st_size
