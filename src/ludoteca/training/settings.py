"""The settings of a training. They determine its weights, together with the number of games, which is the goal of the
training.
"""

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
    """A training cannot begin or continue. Files that were stored before are kept."""


OF_VALUES: Final = ("rate", "decay", "trace", "trace_end", "explore", "opening", "width")
OF_POLICIES: Final = ("rate", "explore", "simulations", "greedy")
"""The names of the `Constants` that the training of a value uses, and of those for a policy."""


class Constants(msgspec.Struct, frozen=True):
    """How players choose and learn in a training. A game's `value.py` or `options.py` may set other defaults by constants in
    capital letters, as in `RATE = 0.5`.
    """

    rate: float = 1.0
    """The share of its error by which the first positions change their sum."""
    decay: int = 0
    """After this many games the step is 1/2 of the first, after twice as many 1/3, and so on. 0: the agreement of a weight's
    changes determines its step."""
    trace: float = 0.8
    """Lambda: with 1 a position learns from the result of the game only, with 0 from the next position only."""
    trace_end: float | None = None
    """Lambda falls towards this number as the steps become smaller (`decay`). With None it stays the same."""
    explore: float = 0.05
    """The share of actions that are random."""
    opening: int = 4
    """The largest number of random actions with which a game begins."""
    width: int = 40
    """The number of actions that a player tries, the best by the heuristics. 1: learn from games of greedy players."""
    simulations: int = 1000
    """The simulations of each search from whose actions a policy is learned."""
    greedy: float = 0.0
    """The share of games that are played by greedy players and not by searches."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of a training. The same settings give the same weights after the same number of games, on
    every machine.
    """

    game: str
    variants: tuple[dict[str, Any], ...]
    """The parameters of the games. The trainer plays them in turn."""
    seed: int
    cores: int
    round: int
    constants: Constants

    def games(self, *, compiled: bool) -> "list[Game]":
        """Return one game for each of the variants' parameters, compiled or interpreted.

        Raises LudotecaError if there is no such game, if it does not allow the parameters, or if it cannot be compiled.
        """
        from ludoteca.core.game import Game

        return [Game(find(self.game), variant, compiled=compiled) for variant in self.variants]

    def weights_name(self) -> str:
        """Return the name of the file of weights that all variants use. Raises TrainingError if a variant is searched
        without a value, or if the variants use several files.
        """
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
    """Return the constants of a game's trainings: those that its module `value` or `options` sets, and defaults for the
    others.
    """
    module, usual = learned_module(spec), msgspec.structs.asdict(Constants())
    return Constants(**{name: getattr(module, name.upper(), value) for name, value in usual.items()})


def round_of(spec: GameSpec) -> int:
    """Return the default number of games that each core plays in a round."""
    return int(getattr(learned_module(spec), "ROUND", ROUND))


def learned_module(spec: GameSpec) -> ModuleType:
    """Return the game's module `value`, or its module `options` if it has no value. Raises TrainingError if it has neither,
    because then there is nothing to learn.
    """
    if not spec.has(MODULE) and not spec.has(OPTIONS):
        raise TrainingError(f"{spec.name} has no value.py and no options.py in {spec.package}, so there is nothing to learn")
    return spec.module(MODULE if spec.has(MODULE) else OPTIONS)


def learns_policy(spec: GameSpec) -> bool:
    """Return True if a training of the game learns a policy: the game has a module `options` and no module `value`."""
    return not spec.has(MODULE) and spec.has(OPTIONS)


def names_of(spec: GameSpec) -> tuple[str, ...]:
    """Return the names of the constants that a training of the game uses."""
    return OF_POLICIES if learns_policy(spec) else OF_VALUES
