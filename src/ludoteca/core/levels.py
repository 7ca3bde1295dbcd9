"""The levels of agents that people choose as opponents, from 1 (beginner) to 8 (master).

A game may define its own levels in a module `levels`. All other games have `BY_SIMULATIONS`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ludoteca.core.errors import ContractError
from ludoteca.core.spec import GameSpec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Level(NamedTuple):
    """The strength of an agent: it searches, or it glances at the position, or it does either by chance."""

    simulations: int = 0
    """The number of simulations for a turn. 0: it never searches."""
    careless: float = 0.0
    """The share of turns in which it glances instead of searching."""
    notices: float = 0.0
    """The chance that it notices a legal action at a glance. Of the noticed actions it plays the best by the game's
    heuristics. If it notices none, or the game has no heuristics, it plays any legal action."""
    seconds: float = 0.0
    """The seconds of a search for a turn, instead of simulations."""


BY_SIMULATIONS: Final = (
    Level(20, careless=0.8),
    Level(20, careless=0.4),
    Level(20),
    Level(80),
    Level(350),
    Level(1_500),
    Level(7_000),
)
"""Levels 1 to 7 of a game without its own levels."""
BEST: Final = Level(seconds=2.0)
"""The highest level of a game that does not define it."""


class Levels(Protocol):
    """The contract of a game's `levels.py`, for games in which BY_SIMULATIONS and BEST do not rise steadily in strength."""

    @staticmethod
    def levels(parameters: Mapping[str, Any]) -> "Sequence[Level]":
        """Return the seven levels below the highest, the weakest first, for a game with these parameters.

        Return eight to replace BEST, for example by fewer simulations if more of them do not help.
        """


def levels_of(spec: GameSpec, parameters: Mapping[str, Any]) -> dict[str, Level]:
    """Return all levels by name: "1" to "8". Raises ContractError for a wrong count or wrong values of the game's own."""
    own = tuple(spec.module("levels").levels(parameters)) if spec.has("levels") else BY_SIMULATIONS
    levels = (*own, BEST) if len(own) == len(BY_SIMULATIONS) else own
    if len(levels) != len(BY_SIMULATIONS) + 1:
        raise ContractError(f"{spec.name} has {len(own)} levels of its own, expected {len(BY_SIMULATIONS)}, or one more")
    found = {str(number): level for number, level in enumerate(levels, 1)}
    for name, level in found.items():
        if not (0 <= level.careless < 1 and 0 <= level.notices <= 1 and level.simulations >= 0 and level.seconds >= 0):
            raise ContractError(f"{spec.name}: level {name} is {level}, expected shares from 0 to 1, and no budget below 0")
    return found
