"""The names of agents, and the levels that people choose as opponents, from 1 (beginner) to at most 8 (master).

A game may define its own levels in a module `levels`. Other games have BY_SIMULATIONS. This module imports neither searches
nor NumPy, so that the command line can check names quickly, and so that a web page without agents can use it too.
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
"""The agents that do not search. `greedy` plays the best action by the game's heuristics, which some games lack."""
NAMES: Final = (*SIMPLE, *LEVELS)
POSSIBLE: Final = (
    "random, greedy, a level from 1 to 8 (some games have fewer), or a budget a turn such as 500x (simulations), 0.5s "
    "(seconds) or 0.5cpu (seconds of processor time)"
)
BUDGET: Final = re.compile(r"([0-9]{1,9})x|([0-9]{1,5}(?:\.[0-9]{1,3})?)(s|cpu)")
"""The notation of a budget for a turn: simulations (`500x`), seconds (`0.5s`), or seconds of processor time (`0.5cpu`)."""
HINTS_BY: Final = "hint"
"""The agent that gives hints, in the terminal and in the browser. It searches like the strongest level, for a second."""


class Level(NamedTuple):
    """The strength of an agent. An agent can search in every turn, can choose at a glance in every turn, or can choose at a
    glance in a random share of its turns and search in the others.

    At a glance, the agent notices each legal action with a certain chance, and plays the best of the noticed actions by the
    game's heuristics.
    """

    simulations: int = 0
    """The number of simulations of a search, for a whole turn. With 0 simulations and 0 seconds the agent never searches."""
    careless: float = 0.0
    """The share of turns, from 0 to less than 1, in which the agent chooses at a glance and does not search."""
    notices: float = 0.0
    """The chance, from 0 to 1, that the agent notices a legal action at a glance. If it notices none, or if the game has no
    heuristics, it plays a random action."""
    seconds: float = 0.0
    """The time of a search for a whole turn. If `simulations` is above 0 too, the search ends at the first limit."""


BEST: Final = Level(seconds=2.0)
"""The strongest level. Its two seconds a turn are a time that most people are willing to wait."""
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
"""The levels of every game that does not define its own, the weakest first."""


class Levels(Protocol):
    """The contract of a game's `levels.py`. A game needs this module if its agents do not get steadily stronger from one
    level of BY_SIMULATIONS to the next.
    """

    @staticmethod
    def levels(parameters: Mapping[str, Any]) -> "Sequence[Level]":
        """Return one to eight levels for a game with these parameters, the weakest first.

        The number of levels is the same for all parameters.
        """


def levels_of(spec: GameSpec, parameters: Mapping[str, Any]) -> dict[str, Level]:
    """Return the levels of a game with these parameters, by their names "1", "2" and so on. Raises ContractError if the game
    defines more than eight levels, or a level with a value out of range.
    """
    levels = tuple(spec.module("levels").levels(parameters)) if spec.has("levels") else BY_SIMULATIONS
    if not 1 <= len(levels) <= len(LEVELS):
        raise ContractError(f"{spec.name} has {len(levels)} levels of its own, expected 1 to {len(LEVELS)}")
    found = dict(zip(LEVELS, levels, strict=False))
    for name, level in found.items():
        if not (0 <= level.careless < 1 and 0 <= level.notices <= 1 and level.simulations >= 0 and level.seconds >= 0):
            raise ContractError(f"{spec.name}: level {name} is {level}, expected shares from 0 to 1, and no budget below 0")
    return found


def level_of(name: str, spec: GameSpec, parameters: Mapping[str, Any]) -> Level:
    """Return the level of that name, such as "3", of a game with these parameters. Raises ParameterError if the game has
    fewer levels.
    """
    levels = levels_of(spec, parameters)
    if name not in levels:
        raise ParameterError(f"agent: read {name!r}, expected for {spec.name} a level from 1 to {len(levels)}")
    return levels[name]


def is_name(name: str) -> bool:
    """Return True if the name is in the form of an agent's name: one of NAMES, or a budget such as `500x`. A given game may
    not have this agent.
    """
    return name in NAMES or BUDGET.fullmatch(name) is not None


def check_name(name: str) -> None:
    """Raise ParameterError if the text is not in the form of an agent's name. The message lists the possible names.

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
    """Return the names of the agents that can play the game with any parameters: first those that do not search, then the
    levels.
    """
    levels = levels_of(spec, {kind.name: kind.default for kind in spec.parameters})
    return [name for name in (*SIMPLE, *levels) if name != "greedy" or spec.has("heuristics")]


def quick_name_for(spec: GameSpec) -> str:
    """Return the name of the strongest agent that does not search: `greedy`, or `random` if the game has no heuristics. Such
    an agent needs no compiled rules.
    """
    return [name for name in names_for(spec) if name in SIMPLE][-1]


def needs_compiling(name: str, game: "Game") -> bool:
    """Return True if the agent searches, because interpreted rules are too slow for a search. Return True for a budget and
    an unknown name, too.
    """
    if name not in LEVELS:
        return name not in SIMPLE
    level = level_of(name, game.spec, game.parameters)
    return level.simulations > 0 or level.seconds > 0
