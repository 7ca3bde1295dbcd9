"""The names of agents, and the levels that people choose as opponents, from 1 (beginner) up to 8 (master).

A game may define its own levels in a module `levels`. All other games have `BY_SIMULATIONS`. This module loads no search:
the command line checks names before it loads NumPy, and a room that runs in a page has no agents.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ludoteca.core.errors import ContractError, ParameterError
from ludoteca.core.spec import GameSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludoteca.core.game import Game

LEVELS: Final = tuple(str(number) for number in range(1, 9))
"""The levels for people, from a beginner to a master. A game may have fewer."""
SIMPLE: Final = ("random", "greedy")
"""The agents that do not search. `greedy` needs the game's heuristics."""
NAMES: Final = (*SIMPLE, *LEVELS)
POSSIBLE: Final = (
    "random, greedy, a level from 1 to 8 (some games have fewer), or a budget a turn such as 500x (simulations), 0.5s "
    "(seconds) or 0.5cpu (seconds of processor time)"
)
BUDGET: Final = re.compile(r"([0-9]{1,9})x|([0-9]{1,5}(?:\.[0-9]{1,3})?)(s|cpu)")
"""The notation of a budget: simulations, or a number of seconds and their clock."""
HINTS_BY: Final = "hint"
"""The agent that gives hints, in the terminal and in the browser. It searches like the strongest level, for a second."""


class Level(NamedTuple):
    """The strength of an agent. It searches in every turn, or glances at the position in every turn, or glances in some
    turns by chance.
    """

    simulations: int = 0
    """The number of simulations for a turn. 0: it never searches."""
    careless: float = 0.0
    """The share of turns in which it glances instead of searching."""
    notices: float = 0.0
    """The chance that it notices a legal action at a glance. Of the noticed actions it plays the best by the game's
    heuristics. If it notices none, or the game has no heuristics, it plays any legal action."""
    seconds: float = 0.0
    """The seconds of a search for a turn, instead of simulations."""


BEST: Final = Level(seconds=2.0)
"""A level with the time that a person waits for."""
BY_SIMULATIONS: Final = (
    Level(20, careless=0.8),
    Level(20, careless=0.4),
    Level(20),
    Level(80),
    Level(350),
    Level(1_500),
    Level(7_000),
    BEST,
)
"""The levels of a game without its own levels."""


class Levels(Protocol):
    """The contract of a game's `levels.py`, for games in which BY_SIMULATIONS do not rise steadily in strength."""

    @staticmethod
    def levels(parameters: Mapping[str, Any]) -> "Sequence[Level]":
        """Return the levels for a game with these parameters, the weakest first. There are at most eight.

        Their number is the same for all parameters.
        """


def levels_of(spec: GameSpec, parameters: Mapping[str, Any]) -> dict[str, Level]:
    """Return all levels by name, from "1" on. Raises ContractError for more than eight, and for wrong values."""
    levels = tuple(spec.module("levels").levels(parameters)) if spec.has("levels") else BY_SIMULATIONS
    if not 1 <= len(levels) <= len(LEVELS):
        raise ContractError(f"{spec.name} has {len(levels)} levels of its own, expected 1 to {len(LEVELS)}")
    found = dict(zip(LEVELS, levels, strict=False))
    for name, level in found.items():
        if not (0 <= level.careless < 1 and 0 <= level.notices <= 1 and level.simulations >= 0 and level.seconds >= 0):
            raise ContractError(f"{spec.name}: level {name} is {level}, expected shares from 0 to 1, and no budget below 0")
    return found


def level_of(name: str, spec: GameSpec, parameters: Mapping[str, Any]) -> Level:
    """Return the level of that name. Raises ParameterError if the game has fewer levels."""
    levels = levels_of(spec, parameters)
    if name not in levels:
        raise ParameterError(f"agent: read {name!r}, expected for {spec.name} a level from 1 to {len(levels)}")
    return levels[name]


def is_name(name: str) -> bool:
    """Return True if an agent of some game has that name."""
    return name in NAMES or BUDGET.fullmatch(name) is not None


def check_name(name: str) -> None:
    """Raise ParameterError, which lists the names, if no agent has that name.

    >>> for name in ("random", "5", "500x", "0.5s", "0.5cpu"):
    ...     check_name(name)
    >>> check_name("8x8x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ludoteca.core.errors.ParameterError: agent: read '8x8x', expected random, greedy, a level from 1 to 8 ...
    """
    if not is_name(name):
        raise ParameterError(f"agent: read {name!r}, expected {POSSIBLE}")


def names_for(spec: GameSpec) -> list[str]:
    """Return the names of the agents that can play the game, whatever its parameters."""
    levels = levels_of(spec, {kind.name: kind.default for kind in spec.parameters})
    return [name for name in (*SIMPLE, *levels) if name != "greedy" or spec.has("heuristics")]


def quick_name_for(spec: GameSpec) -> str:
    """Return the name of the best agent that does not search. It needs no compiled rules."""
    return [name for name in names_for(spec) if name in SIMPLE][-1]


def needs_compiling(name: str, game: "Game") -> bool:
    """Return True for an agent that searches, because interpreted rules are too slow for it, and for an unknown name."""
    if name not in LEVELS:
        return name not in SIMPLE
    level = level_of(name, game.spec, game.parameters)
    return level.simulations > 0 or level.seconds > 0
