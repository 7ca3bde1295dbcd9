"""Lessons, which are games of self-play that change weights, and games between two sets of weights."""

from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from ludoteca.agents.agent import derived_seed, search_modules
from ludoteca.core.contract import Floats, Integers
from ludoteca.core.game import Game
from ludoteca.core.learned import MODULE
from ludoteca.core.native import Binding
from ludoteca.core.rng import new_rng
from ludoteca.core.value import sharing
from ludoteca.search.tree import UNITS
from ludoteca.training import selfplay
from ludoteca.training.selfplay import CHANCES, SETTLED, STATES, Learner, Manner, Memory
from ludoteca.training.settings import Constants, Settings, learned_module

AT_ONCE: Final = 20
"""The number of games between two checks for Ctrl-C."""
RESAMPLES: Final = 1000
Doubles: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


class Learned(NamedTuple):
    """The results of some games: three numbers for each weight, see `selfplay.Learner`."""

    weights: Floats
    drift: Floats
    travel: Floats


class Lesson(NamedTuple):
    """The task of a core in a round."""

    number: int
    """The number of the round."""
    core: int


class Report(NamedTuple):
    """The results of a lesson."""

    learned: Learned
    actions: int
    error: float
    """The sum of the squared errors of expected results."""
    looks: int
    """The number of these errors."""


class Strength(msgspec.Struct, frozen=True):
    """A mean over deals, in wins or points, with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float
    deals: int


def strength_of(deals: Doubles) -> Strength:
    """Return the mean of the results of deals. Its interval is by bootstrap over the deals."""
    drawn = np.random.default_rng(1).integers(0, len(deals), (RESAMPLES, len(deals)))
    low, high = np.percentile(deals[drawn].mean(axis=1), (2.5, 97.5))
    return Strength(float(deals.mean()), float(low), float(high), len(deals))


class Teacher:
    """Plays the lessons and duels of one training."""

    def __init__(self, settings: Settings, *, compiled: bool = True) -> None:
        """Compile the game, or read it from the cache. Raises LudotecaError."""
        self.settings = settings
        self._games = settings.games(compiled=compiled)
        spec = self._games[0].spec
        self._module = learned_module(spec)
        heuristics = spec.module("heuristics") if spec.has("heuristics") else None
        modules = search_modules(self._games[0]) if self._games[0].turns_have_moves() else (None, heuristics)
        self._kernel: Binding = self._games[0].bind(selfplay, *modules, value=spec.module(MODULE))
        self._memories = [_new_memory(game) for game in self._games]
        self.reference = "greedy" if heuristics else "random"
        """The opponent for measurements: the game's heuristics at one ply, or else random actions."""
        wins = self._games[0].utility() == "win" and self._games[0].num_players() > 1
        self.unit = "wins" if wins else "points"
        """The unit of strength."""
        self.of_errors = self.unit
        """The unit of errors."""
        self.even = float(np.mean([1 / game.num_players() for game in self._games])) if wins else 0.0
        """The strength between equal players."""
        shared = sharing(self._module)
        self._shared: Integers = np.arange(self._module.FEATURES) if shared is None else shared
        self.size = int(self._shared.max()) + 1
        self._first, self._features = (np.zeros(0, np.int64) for _ in range(2))
        if hasattr(self._module, "sums_after"):
            self._features = np.argsort(self._shared, kind="stable")
            self._first = np.searchsorted(self._shared[self._features], np.arange(self.size + 1))

    def new(self) -> Learned:
        """Return the weights before the first game."""
        weights, drift, travel = (np.zeros(self.size, np.float32) for _ in range(3))
        for number, weight in getattr(self._module, "KNOWN", {}).items():
            weights[number], travel[number] = weight, SETTLED
        return Learned(weights, drift, travel)

    def give(self, lesson: Lesson, learned: Learned) -> Report:
        """Play a lesson, with the variants in turn. The same lesson and weights give the same report on every machine."""
        learner = self._learner(Learned(*(numbers.copy() for numbers in learned)))
        rng = new_rng(derived_seed(self.settings.seed, "lesson", lesson.number, lesson.core))
        errors: Floats = np.zeros(2, np.float32)
        actions, error, looks, left = 0, 0.0, 0, self.settings.round
        at_once = AT_ONCE if len(self._games) == 1 else 1
        turn = 0
        while left:
            game, memory = self._games[turn % len(self._games)], self._memories[turn % len(self._games)]
            errors[:] = 0
            number = min(at_once, left)
            manner = self._manner(game, before=lesson.number * self.settings.cores * self.settings.round)
            actions += int(self._kernel.play_and_learn(game.prepared.array, memory, rng, learner, manner, number, errors))
            error, looks = error + float(errors[0]), looks + int(errors[1])
            turn, left = turn + 1, left - number
        return Report(Learned(learner.weights, learner.drift, learner.travel), actions, error, looks)

    def measure(self, learned: Learned, last: Learned | None, games: int, seed: object) -> Strength:
        """Return the strength of these weights against the last ones or, without these, against the reference.

        All players look one action ahead, and each deal is played from every seat. In games for wins, the strength is the
        player's share of the wins. In games for points, it is the lead over an opponent in the same seat on the same deal.
        """
        one, other = self._learner(learned), self._learner(last or self.new())
        found = []
        for number, (game, memory) in enumerate(zip(self._games, self._memories, strict=True)):
            players = game.num_players()
            deals = -(-games // (players * len(self._games)))
            manner = self._manner(game, width=self._looked_at(), explore=0)
            rival = manner if last else self._manner(game, width=1, explore=0 if self.reference == "greedy" else 1)
            start = derived_seed(self.settings.seed, "duel", seed, number)
            played = self._duel(game, memory, start, (one, other, manner, rival), deals)
            if game.utility() == "points" or players == 1:
                played -= self._duel(game, memory, start, (other, other, rival, rival), deals)
            found.append(played)
        return strength_of(np.concatenate(found))

    def _duel(
        self, game: Game, memory: Memory, seed: int, sides: tuple[Learner, Learner, Manner, Manner], deals: int
    ) -> Doubles:
        """Return the mean utility of the first side in each deal."""
        players, rng, found = game.num_players(), new_rng(seed), []
        out: Integers = np.zeros(players, np.int64)
        for _ in range(deals):  # one call for each deal, so that Ctrl-C takes effect
            self._kernel.duel(game.prepared.array, memory, rng, *sides, 1, out)
            found.append(out.mean() / UNITS)
        return np.array(found)

    def _looked_at(self) -> int:
        """Return the number of actions to try in a measurement. It is the default if the lessons' players are greedy."""
        width = self.settings.constants.width
        return width if width > 1 else Constants().width

    def _learner(self, learned: Learned) -> Learner:
        """Return the kernel's learner, which changes the given arrays."""
        whole = learned.weights[self._shared] if len(self._first) else np.zeros(0, np.float32)
        return Learner(*learned, self._shared, whole, self._first, self._features)

    def _manner(self, game: Game, width: int | None = None, explore: float | None = None, before: int = 0) -> Manner:
        """Return the manner of a game that comes after `before` other games."""
        constants: Constants = self.settings.constants
        return Manner(
            constants.width if width is None else width,
            constants.opening,
            round(CHANCES * (constants.explore if explore is None else explore)),
            constants.trace,
            constants.rate / (1 + before / constants.decay) if constants.decay else constants.rate,
            constants.decay == 0,
            not game.spec.perfect_information,
            getattr(self._module, "ENDS", False),
        )


def _new_memory(game: Game) -> Memory:
    players, rows = game.num_players(), game.rules.MAX_MOVES + 1
    most: int = game.rules.MAX_LEGAL
    legal, worth = (np.zeros(most, np.int64) for _ in range(2))
    active = rows * players * learned_module(game.spec).ACTIVE
    return Memory(
        game.new_array(STATES),
        legal,
        worth,
        np.zeros(most, np.float32),
        np.zeros(active, np.int64),
        np.zeros(rows * players, np.int64),
        np.zeros(rows * players, np.float32),
        np.zeros(players, np.float32),
        np.zeros(rows, np.int64),
        np.zeros(players, np.int64),
        np.zeros(4, np.uint64),
    )
