"""The levels at which people choose to play against agents, from 1 (beginner) to 8 (master): how each of them plays.

A game may say how its own play, in a module `levels`; `BY_SIMULATIONS` is for all others.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ludoteca.core.errors import ContractError
from ludoteca.core.spec import GameSpec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Level(NamedTuple):
    """How an agent plays: it searches, or it glances at the position, or it does the one or the other by chance."""

    simulations: int = 0
    """Of a search, for a turn; 0: it never searches."""
    careless: float = 0.0
    """The share of turns in which it glances although it could search."""
    notices: float = 0.0
    """The chance that it notices a legal action at a glance: of those it plays what looks best to the game's heuristics.
    When it notices none, and where there are no heuristics, it plays any legal action."""
    seconds: float = 0.0
    """Of a search, for a turn, in place of simulations."""


BY_SIMULATIONS: Final = (
    Level(20, careless=0.8),
    Level(20, careless=0.4),
    Level(20),
    Level(80),
    Level(350),
    Level(1_500),
    Level(7_000),
)
"""Levels 1 to 7 of a game that says nothing about them."""
BEST: Final = Level(seconds=2.0)
"""The highest level of a game that does not say its own."""


class Levels(Protocol):
    """A game's `levels.py`, where BY_SIMULATIONS and BEST are no ladder in it."""

    @staticmethod
    def levels(parameters: Mapping[str, Any]) -> "Sequence[Level]":
        """The seven levels below the highest, the weakest first, for a game of these parameters.

        There are eight where the highest is not BEST: such as one of fewer simulations, where more of them do not help.
        """


def levels_of(spec: GameSpec, parameters: Mapping[str, Any]) -> dict[str, Level]:
    """All levels, by name: "1" to "8". Raises ContractError for fewer or more of the game's own, and impossible ones."""
    own = tuple(spec.module("levels").levels(parameters)) if spec.has("levels") else BY_SIMULATIONS
    levels = (*own, BEST) if len(own) == len(BY_SIMULATIONS) else own
    if len(levels) != len(BY_SIMULATIONS) + 1:
        raise ContractError(f"{spec.name} has {len(own)} levels of its own, expected {len(BY_SIMULATIONS)}, or one more")
    found = {str(number): level for number, level in enumerate(levels, 1)}
    for name, level in found.items():
        if not (0 <= level.careless < 1 and 0 <= level.notices <= 1 and level.simulations >= 0 and level.seconds >= 0):
            raise ContractError(f"{spec.name}: level {name} is {level}, expected shares from 0 to 1, and no budget below 0")
    return found
