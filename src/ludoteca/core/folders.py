"""Finds the modules and files of a game. Each is in the game's own folder, or in one of the folders inside it that collect
modules for one purpose (PURPOSES).
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PURPOSES: Final = ("text", "view", "play", "learn")
"""Folders in a game's folder: text programs, views, playing strength, learners. A small game needs none of them."""


@cache
def module_path(package: str, name: str) -> str:
    """Return the import path of a game's module, such as `ludoteca.games.metro.play.heuristics`. `package` is the import
    path of the game, and `name` is the module's name without folders. Return an empty text if the game has no such module.
    """
    folders = [package, *(path for purpose in PURPOSES if find_spec(path := f"{package}.{purpose}"))]
    return next((path for folder in folders if find_spec(path := f"{folder}.{name}")), "")


def file_path(package: str, name: str) -> Path:
    """Return the path of a game's file. `name` is its relative path, such as `messages/en.json`.

    The function searches the game's own folder and then each folder of PURPOSES. The first folder that contains the first
    part of `name` counts. If none does, the path is in the game's own folder, and there is no such file.
    """
    home = Path(import_module(package).__path__[0])
    first = name.split("/")[0]
    return next((folder for folder in (home, *map(home.joinpath, PURPOSES)) if (folder / first).exists()), home) / name
