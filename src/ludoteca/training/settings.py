"""What is learned, and how: all on which the weights depend, but for how long it takes."""

from types import ModuleType
from typing import Any, Final

import msgspec

from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.registry import find
from ludoteca.core.spec import GameSpec
from ludoteca.core.value import MODULE

ROUND: Final = 200
"""Games that each core plays before what all have learned is put together."""


class TrainingError(LudotecaError):
    """A training that cannot begin or go on; what was stored is not lost."""


class Constants(msgspec.Struct, frozen=True):
    """How games are played and what is learned from them. A game's `value.py` may hold others, as `RATE = 0.5`."""

    rate: float = 1.0
    """The step of a position's sum, as a share of what its expectation was wrong by, at first."""
    trace: float = 0.8
    """Lambda: 1 learns from how games end only, 0 from the next position only."""
    explore: float = 0.05
    """The share of actions that are drawn at random."""
    opening: int = 4
    """Games begin with so many random actions at most."""
    width: int = 40
    """The number of actions that are looked at, the best by the heuristics."""


class Settings(msgspec.Struct, frozen=True):
    """A training: the same settings make the same weights after as many games, on every machine."""

    game: str
    variants: tuple[dict[str, Any], ...]
    """The parameters of the games that are played, one after another in turn."""
    seed: int
    cores: int
    round: int
    constants: Constants

    def games(self, *, compiled: bool) -> list[Game]:
        """The game with each of its parameters. Raises LudotecaError."""
        return [Game(find(self.game), variant, compiled=compiled) for variant in self.variants]


def constants_of(spec: GameSpec) -> Constants:
    """The constants of a game: those of its `value.py`, else the usual ones."""
    module = value_of(spec)
    usual = Constants()
    return Constants(**{name: getattr(module, name.upper(), getattr(usual, name)) for name in Constants.__struct_fields__})


def value_of(spec: GameSpec) -> ModuleType:
    """What a game's value looks at. Raises TrainingError for a game without."""
    if not spec.has(MODULE):
        raise TrainingError(f"{spec.name} has no value.py in {spec.package}, so there is nothing to learn")
    return spec.module(MODULE)


def weights_name(games: list[Game]) -> str:
    """The name of the weights that these games share. Raises TrainingError where they have none, or several."""
    module = value_of(games[0].spec)
    names = {str(module.weights(game.parameters)): game.parameters for game in games}
    if "" in names:
        raise TrainingError(f"{games[0].name} is searched without a value where its parameters are {names['']}")
    if len(names) > 1:
        raise TrainingError(f"these parameters have weights of their own each, {', '.join(names)}: train one after another")
    return next(iter(names))
