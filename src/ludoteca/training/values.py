"""The training of a value (`core.contract.Value`): it plays games of self-play, and learns to predict their results.
`training.selfplay` explains the method.
"""

from typing import Final

import numpy as np

from ludoteca.agents.agent import search_modules
from ludoteca.core.contract import Floats, Integers
from ludoteca.core.learned import MODULE
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.value import LearnedValue, sharing
from ludoteca.training import selfplay
from ludoteca.training.batches import GameBatch, Loss, Report, Strength, new_memory
from ludoteca.training.fitting import Fit
from ludoteca.training.frozen import measure_search
from ludoteca.training.selfplay import CHANCES, Learner, Manner
from ludoteca.training.settings import Constants, Settings

AT_ONCE: Final = 20
"""The number of games between two checks for Ctrl-C."""


class ValueLoss(Loss):
    """Learns a value. In measurements, all players look one action ahead."""

    how = "at one ply"

    def __init__(self, settings: Settings, *, compiled: bool = True) -> None:
        """Load the games of the settings, and compile them or read them from the cache of compiled code. Raises
        LudotecaError if a game does not allow the parameters or cannot be compiled.
        """
        super().__init__(settings, compiled=compiled)
        spec = self._games[0].spec
        heuristics = spec.module("heuristics") if spec.has("heuristics") else None
        modules = search_modules(self._games[0]) if self._games[0].turns_have_moves() else (None, heuristics)
        self._kernel = self._games[0].bind(selfplay, *modules, value=spec.module(MODULE))
        self._memories = [
            new_memory(game, (game.rules.MAX_MOVES + 1) * game.num_players() * self._module.ACTIVE) for game in self._games
        ]
        self.reference = "greedy" if heuristics else "random"
        self.of_errors = self.unit
        shared = sharing(self._module)
        self._shared: Integers = np.arange(self._module.FEATURES) if shared is None else shared
        self.size = int(self._shared.max()) + 1
        self._first, self._features = (np.zeros(0, np.int64) for _ in range(2))
        if hasattr(self._module, "sums_after"):
            self._features = np.argsort(self._shared, kind="stable")
            self._first = np.searchsorted(self._shared[self._features], np.arange(self.size + 1))

    def play(self, batch: GameBatch, fit: Fit) -> Report:
        fit, rng = Fit(*map(np.copy, fit)), new_rng(self._seed(batch))
        learner = self._learner(fit)
        manner = self._manner(before=batch.number * self.settings.cores * self.settings.round)
        errors: Floats = np.zeros(2, np.float32)
        actions, error, looks, left, turn = 0, 0.0, 0, self.settings.round, 0
        at_once = AT_ONCE if len(self._games) == 1 else 1
        while left:
            game, memory = self._games[turn % len(self._games)], self._memories[turn % len(self._games)]
            errors[:] = 0
            number = min(at_once, left)
            actions += int(self._kernel.play_and_learn(game.prepared.array, memory, rng, learner, manner, number, errors))
            error, looks = error + float(errors[0]), looks + int(errors[1])
            turn, left = turn + 1, left - number
        return Report(fit, actions, error, looks)

    def measure_search(self, fit: Fit, old: LearnedValue | None, deals: int, seed: object) -> Strength:
        new = LearnedValue(self._module, fit.weights[self._shared], {})
        return measure_search(self._games, new, old, deals, derived_seed(self.settings.seed, "search", seed))

    def _side(self, fit: Fit | None) -> tuple[Learner, Manner]:
        width = self.settings.constants.width
        if fit:  # players are not greedy, even if those of the batches are
            return self._learner(fit), self._manner(width if width > 1 else Constants().width, explore=0)
        return self._learner(self.new()), self._manner(width=1, explore=0 if self.reference == "greedy" else 1)

    def _learner(self, fit: Fit) -> Learner:
        """Return the weights in the form for compiled code. Learning changes the given arrays."""
        whole = fit.weights[self._shared] if len(self._first) else np.zeros(0, np.float32)
        return Learner(fit, self._shared, whole, self._first, self._features)

    def _manner(self, width: int | None = None, explore: float | None = None, before: int = 0) -> Manner:
        """Return how players choose and learn in games that come after `before` other games. `width` and `explore` replace
        the constants of the settings.
        """
        constants: Constants = self.settings.constants
        steps = 1 + before / constants.decay if constants.decay else 1.0
        trace = constants.trace
        if constants.trace_end is not None:
            trace = constants.trace_end + (constants.trace - constants.trace_end) / steps
        return Manner(
            constants.width if width is None else width,
            constants.opening,
            round(CHANCES * (constants.explore if explore is None else explore)),
            trace,
            constants.rate / steps,
            constants.decay == 0,
            not self._games[0].spec.perfect_information,
            getattr(self._module, "ENDS", False),
        )
