"""Finds the games: every folder of `ludoteca.games`, and games of other packages that are registered as entry points of the
group `ludoteca.games`.

No list has to be edited. Another package declares a game in its `pyproject.toml`:

    [project.entry-points."ludoteca.games"]
    nim = "nim_for_ludoteca:GAME"
"""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Final

from ludoteca.core.errors import ContractError, UnknownGameError
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "ludoteca.games"


def find(name: str) -> GameSpec:
    """Return the description of the game of that name. Games of other packages are searched only if `ludoteca.games` has no
    game of that name.

    Raises UnknownGameError if there is no such game. The message lists the games. Raises ContractError if the game belongs
    to a package that cannot be imported, or is no GameSpec of this name.

    >>> find("metro").title
    'Metro'
    """
    if name in _own_names():
        return _checked(name, importlib.import_module(f"{GROUP}.{name}").GAME)
    if entry := _entry_points().get(name):
        return _checked(name, _loaded(entry))
    known = names()
    near = get_close_matches(str(name), known, n=1)
    key = "game.near" if near else "game.unknown"
    raise UnknownGameError((key, quoted(str(name)), ", ".join(known), *near))


def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted({*_own_names(), *_entry_points()})


def registered_games() -> list[GameSpec]:
    """Return all games, sorted by name.

    >>> [spec.name for spec in registered_games()]
    ['cartas', 'conclave', 'metro', 'okupacio', 'qinto']
    """
    return [find(name) for name in names()]


@cache
def _own_names() -> list[str]:
    package = importlib.import_module(GROUP)
    return [module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg]


def _entry_points() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _loaded(entry: "EntryPoint") -> object:
    try:
        return entry.load()
    except (ImportError, AttributeError, SyntaxError) as error:
        package = entry.dist.name if entry.dist else entry.value
        raise ContractError(f"the game {entry.name} of the package {package} cannot be loaded: {error}") from error


def _checked(name: str, spec: object) -> GameSpec:
    if not isinstance(spec, GameSpec):
        raise ContractError(f"the game {name} is {spec!r}, expected a GameSpec")
    if spec.name != name:
        raise ContractError(f"the GameSpec of the game {name} has the name {spec.name}")
    return spec
