"""The training of a policy (`core.contract.PolicyOptions`): it plays games of searches and greedy players, and learns which
options they choose.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from ludoteca.agents.agent import GreedyAgent
from ludoteca.core.contract import Floats
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.seeds import derived_seed
from ludoteca.core.value import LearnedValue
from ludoteca.search.findings import Budget
from ludoteca.search.searcher import Searcher
from ludoteca.search.searcher import Settings as HowToSearch
from ludoteca.training import imitation
from ludoteca.training.batches import GameBatch, Loss, Report, new_memory
from ludoteca.training.fitting import POSITION, Fit
from ludoteca.training.settings import Settings

NODES: Final = 200_000
"""The size of each search's tree, in nodes."""

Chooser = Callable[[InformationState], int]


class PolicyLoss(Loss):
    """Learns a policy. In measurements, players play the most probable option of the policy."""

    how = "by the likeliest option"

    def __init__(self, settings: Settings, *, compiled: bool = True) -> None:
        """Load the games of the settings, and compile them or read them from the cache of compiled code. Raises
        LudotecaError if a game does not allow the parameters or cannot be compiled.
        """
        super().__init__(settings, compiled=compiled)
        self._before = self._games[0].spec.module(self._module.BEFORE)
        self._kernel = self._games[0].bind(imitation, values=self._module)
        self._memories = [new_memory(game, game.rules.MAX_LEGAL * self._module.ACTIVE) for game in self._games]
        self.of_errors = "probability"
        self.size = self._module.FEATURES

    def play(self, batch: GameBatch, fit: Fit) -> Report:
        fit, seed = Fit(*map(np.copy, fit)), self._seed(batch)
        errors: Floats = np.zeros(2, np.float32)
        random, actions = np.random.default_rng(seed), 0
        for number in range(self.settings.round):
            greedy = random.random() < self.settings.constants.greedy
            actions += self._play_game(number % len(self._games), greedy, derived_seed(seed, "game", number), fit, errors)
        return Report(fit, actions, float(errors[0]), int(errors[1]))

    def measure_search(self, fit: Fit, old: LearnedValue | None, deals: int, seed: object) -> None:
        """Return None. Searches with two policies cannot be compared in one process, because the policy is compiled into the
        game's heuristics, which both sides use.
        """

    def _play_game(self, variant: int, greedy: bool, seed: int, fit: Fit, errors: Floats) -> int:
        """Play one game, and learn from each of its actions that is not random. Return the number of actions. `variant` is
        the index of the game's parameters.
        """
        game, memory, constants = self._games[variant], self._memories[variant], self.settings.constants
        choosers = [self._new_chooser(game, greedy, derived_seed(seed, player)) for player in range(game.num_players())]
        random, state = np.random.default_rng(seed), game.new_initial_state(derived_seed(seed, "deal"))
        while not state.is_terminal():
            player = state.current_player()
            legal = state.position.choices()
            if len(legal) == 1 or random.random() < constants.explore:
                state.apply_action(int(random.choice(legal)))
                continue
            action = choosers[player](state.information_state(player))
            memory.states[POSITION] = state.position.array[0]
            self._kernel.learn(memory, action, fit, constants.rate, errors)
            state.apply_action(action)
        return len(state.history())

    def _new_chooser(self, game: Game, greedy: bool, seed: int) -> Chooser:
        """Return the function that chooses a player's actions: a greedy player's, or that of a search with the heuristics
        that do not use the policy.
        """
        if greedy:
            agent = GreedyAgent(game, seed)
            return lambda state: agent.choose(state).action
        searcher = Searcher(game, self._before, HowToSearch(nodes=NODES), seed)
        budget = Budget(simulations=self.settings.constants.simulations)
        return lambda state: searcher.search(state, budget).action

    def _side(self, fit: Fit | None) -> tuple[Fit, bool]:
        return fit or self.new(), fit is None
