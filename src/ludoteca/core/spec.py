"""What a game's package says about itself: the constant `GAME` of `games/NAME/__init__.py`."""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from ludoteca.core.errors import ContractError
from ludoteca.core.parameters import Parameter


def no_conflict(_: Mapping[str, Any]) -> str:
    """Whatever is possible goes together."""
    return ""


def never_computable(_: Mapping[str, Any]) -> bool:
    """Every deal is drawn from more than anybody can try."""
    return False


@dataclass(frozen=True)
class GameSpec:
    """A game before any of its parameters is chosen. Making one imports none of the game's modules.

    The package may hold `rules` and `notation` (both needed), `console` (the document's program), `screen` (how it looks
    in the terminal), `scene` (how it looks in a browser, see `core.scene.Scenes`), `features` (tensors), `heuristics` (what
    is worth trying, see `core.contract.Heuristics`) and `endgame` (what exact play needs, see `core.contract.Endgame`).
    """

    name: str
    title: str
    summary: str
    package: str
    """The import path of the folder with the game's modules."""
    rules_version: int
    """Goes up whenever a change lets the same actions lead elsewhere: records name it."""
    players: int = 0
    """How many play, when that is no parameter called `players`."""
    perfect_information: bool = False
    """True when nothing is ever hidden from anybody, the future included."""
    heuristic_playouts: bool = True
    """False when searches are stronger, in equal time, with uniform playouts: the heuristics then say what to try first."""
    parameters: tuple[Parameter, ...] = ()
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Parameters worth a line in `ludoteca bench`, by the name of that line."""
    conflict: Callable[[Mapping[str, Any]], str] = no_conflict
    """What in these parameters, each possible by itself, does not go together; empty when they do."""
    computable: Callable[[Mapping[str, Any]], bool] = never_computable
    """True for parameters with which somebody can compute what the deal hides: its seed is given, or one of the few
    that fit what a player sees. Never for the default ones. Whoever joins such a game is told so."""
    programs: tuple[str, ...] = ()
    """The names of the document's programs, when there is more than one."""

    def module(self, name: str) -> ModuleType:
        """One of the game's modules. Raises ContractError when the game has none of that name."""
        if not self.has(name):
            raise ContractError(f"{self.name} has no module {name} in {self.package}")
        return importlib.import_module(f"{self.package}.{name}")

    def has(self, name: str) -> bool:
        """True if the game's folder holds that module."""
        return importlib.util.find_spec(f"{self.package}.{name}") is not None
