"""The base class of losses: plays batches of games that change weights, and measures the weights in games against other
weights. Also the classes for the results of both.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from ludoteca.core.contract import Integers
from ludoteca.core.game import Game
from ludoteca.core.native import Binding
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.value import LearnedValue
from ludoteca.search.tree import UNITS
from ludoteca.training.fitting import SETTLED, STATES, Fit, Memory
from ludoteca.training.settings import Settings, learned_module

RESAMPLES: Final = 1000
Doubles: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


class GameBatch(NamedTuple):
    """The games that one processor core plays in one round of a training."""

    number: int
    """The number of the round."""
    core: int


class Report(NamedTuple):
    """The results of a batch: the changed weights, the number of actions, and the errors of the predictions."""

    fit: Fit
    actions: int
    error: float
    """The sum of the squared errors of the batch's predictions."""
    looks: int
    """The number of errors in this sum."""


class Strength(msgspec.Struct, frozen=True):
    """The mean result over deals, in wins or points. `low` and `high` are the bounds of its 95 % interval."""

    mean: float
    low: float
    high: float
    deals: int


def strength_of(deals: Doubles) -> Strength:
    """Return the mean of the results of deals, with a 95 % interval. The interval comes from RESAMPLES random samples of the
    deals (bootstrap).
    """
    drawn = np.random.default_rng(1).integers(0, len(deals), (RESAMPLES, len(deals)))
    low, high = np.percentile(deals[drawn].mean(axis=1), (2.5, 97.5))
    return Strength(float(deals.mean()), float(low), float(high), len(deals))


class Loss(ABC):
    """The base class of the things that a training can learn. A loss plays games, changes weights by them, and measures the
    strength of weights.
    """

    size: int
    """The number of weights."""
    reference: str = "greedy"
    """The opponent in measurements: `greedy`, the best action by the game's heuristics, or `random`."""
    of_errors: str
    """The unit of the errors of predictions, such as "points"."""
    how: ClassVar[str]
    """How players choose their actions in measurements, in words for the card of the weights."""
    _kernel: Binding
    _memories: list[Memory]

    def __init__(self, settings: Settings, *, compiled: bool = True) -> None:
        """Load the games of the settings, compiled or interpreted. Raises LudotecaError if a game cannot be loaded, or if it
        has no value and no policy to learn.
        """
        self.settings = settings
        self._games = settings.games(compiled=compiled)
        self._module = learned_module(self._games[0].spec)
        wins = self._games[0].utility() == "win" and self._games[0].num_players() > 1
        self.unit = "wins" if wins else "points"
        """The unit of strength: "wins" or "points"."""
        self.even = float(np.mean([1 / game.num_players() for game in self._games])) if wins else 0.0
        """The strength of a player among equal players."""

    def new(self) -> Fit:
        """Return the weights with which a training starts: zeros, except for the weights that the game knows (`KNOWN`)."""
        weights, drift, travel = (np.zeros(self.size, np.float32) for _ in range(3))
        for number, weight in getattr(self._module, "KNOWN", {}).items():
            weights[number], travel[number] = weight, SETTLED
        return Fit(weights, drift, travel)

    @abstractmethod
    def play(self, batch: GameBatch, fit: Fit) -> Report:
        """Play a batch of games from the given weights, and return the changed weights and the errors. The games take turns
        among the variants. The same batch and weights give the same report on every machine.
        """

    @abstractmethod
    def _side(self, fit: Fit | None) -> tuple[object, object]:
        """Return the two arguments of the compiled `duel` that describe a player: the player's weights, and how the player
        chooses. None means the reference player.
        """

    def _seed(self, batch: GameBatch) -> int:
        return derived_seed(self.settings.seed, "lesson", batch.number, batch.core)

    def measure(self, fit: Fit, last: Fit | None, games: int, seed: object) -> Strength:
        """Return the strength of the weights `fit` against the weights `last`, or against the reference player if `last` is
        None.

        `games` is the number of games, and `seed` determines their deals. Each deal is played from every seat. In games for
        wins, the strength is the player's share of the wins. In games for points, it is the lead over an opponent who sat in
        the same seat with the same deal.
        """
        found, ours, theirs = [], self._side(fit), self._side(last)
        for number, game in enumerate(self._games):
            deals = -(-games // (game.num_players() * len(self._games)))
            start = derived_seed(self.settings.seed, "duel", seed, number)
            played = self._duel(number, start, (*ours, *theirs), deals)
            if game.utility() == "points" or game.num_players() == 1:
                played -= self._duel(number, start, (*theirs, *theirs), deals)
            found.append(played)
        return strength_of(np.concatenate(found))

    @abstractmethod
    def measure_search(self, fit: Fit, old: LearnedValue | None, deals: int, seed: object) -> Strength | None:
        """Return the strength of searches that use these weights, against searches with the weights `old`
        (`training.frozen`). Return None if the weights are not used in searches separately from the heuristics.
        """

    def _duel(self, number: int, seed: int, sides: tuple[object, ...], deals: int) -> Doubles:
        """Return the mean utility of the first side in each deal, in wins or points. `number` is the index of the variant,
        and `sides` are the results of `_side` for the two sides.
        """
        game, rng, found = self._games[number], new_rng(seed), []
        out: Integers = np.zeros(game.num_players(), np.int64)
        for _ in range(deals):  # one call for each deal, so that Ctrl-C takes effect
            self._kernel.duel(game.prepared.array, self._memories[number], rng, *sides, out)
            found.append(out.mean() / UNITS)
        return np.array(found)


def new_memory(game: Game, active: int) -> Memory:
    """Return the working memory for batches and duels of a game, with room for `active` numbers of weights."""
    players, rows = game.num_players(), game.rules.MAX_MOVES + 1
    most: int = game.rules.MAX_LEGAL
    return Memory(
        game.new_array(STATES),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most, np.float32),
        np.zeros(active, np.int64),
        np.zeros(rows * players, np.int64),
        np.zeros(rows * players, np.float32),
        np.zeros(players, np.float32),
        np.zeros(rows, np.int64),
        np.zeros(players, np.int64),
        np.zeros(4, np.uint64),
    )
