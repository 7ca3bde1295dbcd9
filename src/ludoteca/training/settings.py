"""The settings of a training that determine its weights, except for its length."""

from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ludoteca.core.errors import LudotecaError
from ludoteca.core.learned import MODULE, OPTIONS, POLICY
from ludoteca.core.registry import find
from ludoteca.core.spec import GameSpec

if TYPE_CHECKING:  # the command line describes trainings without NumPy
    from ludoteca.core.game import Game

ROUND: Final = 200
"""The default number of games that each core plays before the results of all cores are combined."""


class TrainingError(LudotecaError):
    """A training that cannot begin or continue. Stored files are kept."""


OF_VALUES: Final = ("rate", "decay", "trace", "trace_end", "explore", "opening", "width")
OF_POLICIES: Final = ("rate", "explore", "simulations", "greedy")
"""The constants for values and for policies."""


class Constants(msgspec.Struct, frozen=True):
    """The rules of play and of learning. A game's `value.py` or `options.py` may set other defaults, as in `RATE = 0.5`."""

    rate: float = 1.0
    """The first step of a position's sum, as a share of the error."""
    decay: int = 0
    """After this many games the step is 1/2 of the first, after twice as many 1/3, and so on. 0: the agreement of a weight's
    changes determines its step."""
    trace: float = 0.8
    """Lambda: 1 learns from ends of games only, 0 from the next position only."""
    trace_end: float | None = None
    """Lambda falls towards this number as the step falls towards 0 (`decay`). None: it stays."""
    explore: float = 0.05
    """The share of random actions."""
    opening: int = 4
    """The largest number of random actions at the beginning of a game."""
    width: int = 40
    """The number of actions that are tried, the best by the heuristics. 1: learn the results of games of greedy players."""
    simulations: int = 1000
    """The simulations of each search whose games a policy is learned from."""
    greedy: float = 0.0
    """The share of games that greedy players play instead of searches."""


class Settings(msgspec.Struct, frozen=True):
    """A training. The same settings give the same weights after the same number of games, on every machine."""

    game: str
    variants: tuple[dict[str, Any], ...]
    """The parameters of the games, which are played in turn."""
    seed: int
    cores: int
    round: int
    constants: Constants

    def games(self, *, compiled: bool) -> "list[Game]":
        """Return the game with each of the variants' parameters.

        Raises LudotecaError if there is no such game, if it does not allow the parameters, or if it cannot be compiled.
        """
        from ludoteca.core.game import Game

        return [Game(find(self.game), variant, compiled=compiled) for variant in self.variants]

    def weights_name(self) -> str:
        """Return the name of the weights that the games share. Raises TrainingError if they have none, or several."""
        module = learned_module(find(self.game))
        if learns_policy(find(self.game)):
            return POLICY
        names = {str(module.weights(variant)): variant for variant in self.variants}
        if "" in names:
            told = " ".join(f"--{name} {value}" for name, value in names[""].items())
            raise TrainingError(f"{self.game} is searched without a value with {told}, so there is nothing to learn")
        if len(names) > 1:
            all_names = ", ".join(names)
            raise TrainingError(f"these parameters have weights of their own each, {all_names}: train one after another")
        return next(iter(names))


def constants_of(spec: GameSpec) -> Constants:
    """Return the constants of a game's module, and the defaults of the others."""
    module, usual = learned_module(spec), msgspec.structs.asdict(Constants())
    return Constants(**{name: getattr(module, name.upper(), value) for name, value in usual.items()})


def round_of(spec: GameSpec) -> int:
    """Return the default number of games of a batch."""
    return int(getattr(learned_module(spec), "ROUND", ROUND))


def learned_module(spec: GameSpec) -> ModuleType:
    """Return the module of a game's value, or else of its policy. Raises TrainingError for a game without either."""
    if not spec.has(MODULE) and not spec.has(OPTIONS):
        raise TrainingError(f"{spec.name} has no value.py and no options.py in {spec.package}, so there is nothing to learn")
    return spec.module(MODULE if spec.has(MODULE) else OPTIONS)


def learns_policy(spec: GameSpec) -> bool:
    """Return True if the game has a policy and no value."""
    return not spec.has(MODULE) and spec.has(OPTIONS)


def names_of(spec: GameSpec) -> tuple[str, ...]:
    """Return the names of the constants of a game's trainings."""
    return OF_POLICIES if learns_policy(spec) else OF_VALUES
