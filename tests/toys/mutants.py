"""Copies of a toy game with a changed line: other games, or games with faults."""

import importlib
import sys
from itertools import count
from pathlib import Path

from ludoteca.core.spec import GameSpec

DUEL = Path(__file__).parent / "duel"
_numbers = count(1)


def write(folder: Path, name: str, file: str = "rules.py", old: str = "", new: str = "", game: Path = DUEL) -> Path:
    """Write a package `name` into the folder: a toy game under that name, with `old` replaced in one file."""
    package = folder / name
    package.mkdir()
    for source in game.rglob("*"):
        if source.is_file() and source.suffix != ".pyc":
            text = (
                source.read_text(encoding="utf-8")
                .replace(f'name="{game.name}"', f'name="{name}"')
                .replace(f"game: {game.name}", f"game: {name}")
            )
            place = source.relative_to(game)
            if str(place) == file:
                assert old in text, f"{old!r} is not in {file}"
                text = text.replace(old, new, 1)
            (package / place).parent.mkdir(exist_ok=True)
            (package / place).write_text(text, encoding="utf-8")
    return package


def load_english(folder: Path) -> GameSpec:
    """Write Duel under another name, with texts in English only."""
    spec = load(folder)
    for file in spec.file("messages").iterdir():
        if file.name != "en.json":
            file.unlink()
    return spec


def load(folder: Path, file: str = "rules.py", old: str = "", new: str = "", game: Path = DUEL) -> GameSpec:
    """Return the mutant's GAME, imported under a separate name."""
    name = f"mutant{next(_numbers)}"
    write(folder, name, file, old, new, game)
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        spec = importlib.import_module(name).GAME
        for module in ("rules", "notation"):
            importlib.import_module(f"{name}.{module}")
    finally:
        sys.path.remove(str(folder))
    assert isinstance(spec, GameSpec)
    return spec
