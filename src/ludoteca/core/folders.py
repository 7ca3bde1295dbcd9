"""The folders of a game: its modules and files are in the game's own folder, or in one for a purpose."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PURPOSES: Final = ("text", "view", "play", "learn")
"""The folders for a purpose. A small game needs none of them."""


@cache
def module_path(package: str, name: str) -> str:
    """Return the import path of a game's module. Empty if there is none."""
    folders = [package, *(path for purpose in PURPOSES if find_spec(path := f"{package}.{purpose}"))]
    return next((path for folder in folders if find_spec(path := f"{folder}.{name}")), "")


def file_path(package: str, name: str) -> Path:
    """Return the path of a file, relative to the folder with its first part. The file may not exist."""
    home = Path(import_module(package).__path__[0])
    first = name.split("/")[0]
    return next((folder for folder in (home, *map(home.joinpath, PURPOSES)) if (folder / first).exists()), home) / name
