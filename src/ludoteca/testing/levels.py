"""The law (required properties) of a game's levels: each is stronger than the one below it, and the lowest ones play
quickly.
"""

from itertools import pairwise
from typing import Final

from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.levels import Level, levels_of
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import BrokenLawError, Effort, games, require

QUICK_LEVELS: Final = ("1", "2", "3")
"""The levels that must play without a delay even if the rules are interpreted."""
QUICK_SIMULATIONS: Final = 20
"""The most simulations for a turn that these levels may have."""


def levels_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that each level searches more, or notices more actions, than the level below it, and that the first three
    levels search very little.

    The number of levels must be the same for all parameters.
    """
    names = [*levels_of(spec, Game(spec).parameters)]
    for game, _ in games(spec, effort):
        try:
            levels = levels_of(spec, game.parameters)
        except ContractError as error:
            raise BrokenLawError(str(error)) from None
        require([*levels] == names, spec, f"it has {len(levels)} levels in {game!r}, and {len(names)} by default")
        for (below, weaker), (name, level) in pairwise(levels.items()):
            higher = _rank(level) > _rank(weaker)
            require(higher, spec, f"level {name} is {level}, not above level {below}, {weaker}, in {game!r}")
        for name in QUICK_LEVELS[: len(levels)]:
            few = levels[name].simulations <= QUICK_SIMULATIONS and levels[name].seconds == 0
            require(
                few, spec, f"level {name} is {levels[name]}: expected at most {QUICK_SIMULATIONS} simulations, in {game!r}"
            )


def _rank(level: Level) -> tuple[float, float, float]:
    """Return the seconds and the simulations of a turn, on average, and the share of actions that are noticed."""
    return level.seconds, level.simulations * (1 - level.careless), level.notices
