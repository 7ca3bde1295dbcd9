"""Agents that do not look ahead, and one that does not always look at all."""

from typing import Final

import numpy as np

from ludoteca.agents.agent import Agent, Decision, Watch, derived_seed
from ludoteca.core import hints
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.rng import draw, new_rng
from ludoteca.search.knowledge import check_turn


class RandomAgent:
    """Any legal action but giving up, all equally likely."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002  # there is no wait
        """A random one."""
        state = check_turn(self.game, state)
        legal = state.redeal(self._rng).choices()
        return Decision(int(legal[draw(self._rng, len(legal))]))


class GreedyAgent:
    """The action that looks best to the game's heuristics; of equal ones, any.

    Raises ParameterError for a game that has no heuristics.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        if not game.spec.has("heuristics"):
            raise ParameterError(f"greedy: {game.name} has no heuristics to go by; there are random and the levels")
        self.game = game
        self._hints = game.bind(hints, game.spec.module("heuristics"))
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002
        """The best one."""
        state = check_turn(self.game, state)
        position = state.redeal(self._rng)
        legal = position.choices()
        values = np.zeros(len(legal), np.int64)
        self._hints.value_actions(position.array, legal, len(legal), values)
        best = legal[values == values.max()]
        return Decision(int(best[draw(self._rng, len(best))]))


class CarelessAgent:
    """Another agent that does not think about every move: some it plays at random."""

    def __init__(self, agent: Agent, share: float, seed: int = 0) -> None:
        self.game = agent.game
        self._agent = agent
        self._random = RandomAgent(agent.game, derived_seed(seed, "which"))
        self._rng = new_rng(derived_seed(seed, "when"))
        self._careless = int(share * _FINE)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """What the other agent chooses, or anything."""
        if draw(self._rng, _FINE) < self._careless:
            return self._random.choose(state)
        return self._agent.choose(state, watch)


_FINE: Final = 1 << 20
