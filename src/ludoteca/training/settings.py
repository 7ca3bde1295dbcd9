"""What is learned, and how: all on which the weights depend, but for how long it takes."""

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
"""Games that each core plays before what all have learned is put together."""


class TrainingError(LudotecaError):
    """A training that cannot begin or go on; what was stored is not lost."""


OF_VALUES: Final = ("rate", "decay", "trace", "explore", "opening", "width")
OF_POLICIES: Final = ("rate", "explore", "simulations", "greedy")
"""The constants that there are where a value is learned, and where a policy is."""


class Constants(msgspec.Struct, frozen=True):
    """How games are played and what is learned; a game's `value.py` or `options.py` may hold others: `RATE = 0.5`."""

    rate: float = 1.0
    """The step of a position's sum, as a share of what its expectation was wrong by, at first."""
    decay: int = 0
    """After so many games the step is half as long, after twice as many a third, and so on; 0: how well the changes that are
    asked of a weight agree settles how far it moves."""
    trace: float = 0.8
    """Lambda: 1 learns from how games end only, 0 from the next position only."""
    explore: float = 0.05
    """The share of actions that are drawn at random."""
    opening: int = 4
    """Games begin with so many random actions at most."""
    width: int = 40
    """The number of actions that are looked at, the best by the heuristics; 1: what is learned is how games of greedy
    players end."""
    simulations: int = 1000
    """Of each of the searches whose games a policy is learned from."""
    greedy: float = 0.0
    """The share of these games that are not played by searches, but by greedy players."""


class Settings(msgspec.Struct, frozen=True):
    """A training: the same settings make the same weights after as many games, on every machine."""

    game: str
    variants: tuple[dict[str, Any], ...]
    """The parameters of the games that are played, one after another in turn."""
    seed: int
    cores: int
    round: int
    constants: Constants

    def games(self, *, compiled: bool) -> "list[Game]":
        """The game with each of its parameters. Raises LudotecaError."""
        from ludoteca.core.game import Game

        return [Game(find(self.game), variant, compiled=compiled) for variant in self.variants]


def constants_of(spec: GameSpec) -> Constants:
    """The constants of a game: its own, else the usual ones."""
    module = learned_module(spec)
    usual = Constants()
    return Constants(**{name: getattr(module, name.upper(), getattr(usual, name)) for name in Constants.__struct_fields__})


def round_of(spec: GameSpec) -> int:
    """How many games a lesson has if nobody says."""
    return int(getattr(learned_module(spec), "ROUND", ROUND))


def learned_module(spec: GameSpec) -> ModuleType:
    """What a game's value looks at, or where it has none its policy. Raises TrainingError for a game without either."""
    if not spec.has(MODULE) and not spec.has(OPTIONS):
        raise TrainingError(f"{spec.name} has no value.py and no options.py in {spec.package}, so there is nothing to learn")
    return spec.module(MODULE if spec.has(MODULE) else OPTIONS)


def learns_policy(spec: GameSpec) -> bool:
    """True if a policy is learned, and not a value."""
    return not spec.has(MODULE) and spec.has(OPTIONS)


def weights_name(games: "list[Game]") -> str:
    """The name of the weights that these games share. Raises TrainingError where they have none, or several."""
    module = learned_module(games[0].spec)
    if learns_policy(games[0].spec):
        return POLICY
    names = {str(module.weights(game.parameters)): game.parameters for game in games}
    if "" in names:
        told = " ".join(f"--{name} {value}" for name, value in names[""].items())
        raise TrainingError(f"{games[0].name} is searched without a value with {told}, so there is nothing to learn")
    if len(names) > 1:
        raise TrainingError(f"these parameters have weights of their own each, {', '.join(names)}: train one after another")
    return next(iter(names))
