"""Every game as a PettingZoo environment: `pip install 'ludoteca[pettingzoo]'`.

    from ludoteca.envs import pettingzoo

    env = pettingzoo.env("okupacio", players=3, board="8x8")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Players take turns in all games, so there are AEC environments and no parallel ones.
"""

from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.errors import MissingExtraError
from ludoteca.core.game import Game, State

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    if error.name != "pettingzoo":
        raise
    raise MissingExtraError("pettingzoo", "pettingzoo") from None

from gymnasium.spaces import Box, Discrete, Space
from gymnasium.utils import seeding

from ludoteca.envs.rendering import Frame, check_mode, metadata, render
from ludoteca.envs.rewards import check_kind, lowest, rewards_so_far
from ludoteca.envs.spaces import deal, game_of, new_seed, observed, space_of

Observation = dict[str, npt.NDArray[Any]]

ILLEGAL: Final = -1.0
"""The reward of who plays an illegal action, or the lowest that the game has where that is lower still."""


def env(
    game: str | Game,
    render_mode: str | None = None,
    *,
    rewards: str = "returns",
    compiled: bool = False,
    **parameters: Any,
) -> wrappers.BaseWrapper[str, Any, Any]:
    """The environment in the wrappers that PettingZoo's classic games have.

    An illegal action ends the game: who played it gets -1, or the game's lowest reward where that is lower, and the others
    nothing. What is called in a wrong order, or acts with a number outside of the action space, fails. Raises as `raw_env`.
    """
    raw = raw_env(game, render_mode, rewards=rewards, compiled=compiled, **parameters)
    ending = wrappers.TerminateIllegalWrapper(raw, illegal_reward=min(ILLEGAL, lowest(raw.game, rewards)))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ending))


def raw_env(
    game: str | Game,
    render_mode: str | None = None,
    *,
    rewards: str = "returns",
    compiled: bool = False,
    **parameters: Any,
) -> "GameEnvironment":
    """The bare environment, whose `step` raises IllegalActionError, says which numbers are legal, and changes nothing.

    `game` is a name with parameters, or a `Game`, which has its own and runs as it runs. `rewards` are `"returns"`,
    `"zero_sum"` or `"score"` (`envs.rewards`). Raises UnknownGameError, ParameterError, and ContractError for a game
    without features.
    """
    return GameEnvironment(game_of(game, parameters, compiled=compiled), render_mode, check_kind(rewards))


class GameEnvironment(AECEnv[str, Any, Any]):
    """A game between agents `player_0`, `player_1`, ...

    It can be copied and pickled at any moment, and the copy plays on alike.

    Observations are dictionaries: `"observation"` is what the agent's seat knows, a row of float32, and `"action_mask"` has
    an int8 for each action, 1 where it is legal; all are 0 for agents that are not to move. Nobody is ever truncated.
    """

    def __init__(self, game: Game, render_mode: str | None, rewards: str) -> None:
        self.game = game
        self.layout = game.features.layout
        """What rows hold: `layout.split(row)` takes them apart into planes and numbers, which it names."""
        self.render_mode = check_mode(game, render_mode)
        self.metadata = {**metadata(), "name": f"{game.name}_v0", "is_parallelizable": False}
        self.possible_agents = [f"player_{player}" for player in range(game.num_players())]
        self.agents = []
        self.observation_spaces = {agent: space_of(self.layout, "masked") for agent in self.possible_agents}
        self._random = seeding.np_random()[0]
        self.action_spaces = {agent: Discrete(self.layout.actions, new_seed(self._random)) for agent in self.possible_agents}
        layout = self.layout
        self.state_space = Box(layout.low, layout.high, (game.num_players(), layout.size), np.float32)
        self._rewards = rewards
        self._state: State = game.new_initial_state(0)

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the game of `game.new_initial_state(seed)`; without a seed, the next of those that the last seed leads to.

        A deal that is over before anybody has moved gives way to the next one.

        `options["position"]` begins at a position in the game's notation; other options are not looked at, as PettingZoo's
        own `api_test` gives some.
        """
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        position = (options or {}).get("position")
        if position is not None:
            self._state = self.game.state_from_string(position)
        else:
            self._state = deal(self.game, seed, self._random)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self._state.is_terminal())
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._paid = [0.0] * len(self.agents)
        self._select()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play the action of a number, or None for an agent whose game is over. Raises IllegalActionError."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._state.apply_action(self._state.decode_action(index(action)))
        self._cumulative_rewards[agent] = 0.0
        paid, self._paid = self._paid, rewards_so_far(self._state, self._rewards)
        self.rewards = {each: now - before for each, now, before in zip(self.agents, self._paid, paid, strict=True)}
        self._accumulate_rewards()
        if self._state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {each: {"scores": self._state.scores()} for each in self.agents}
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        mover = self._state.current_player()
        self.agent_selection = self.possible_agents[max(mover, 0)]

    def observe(self, agent: str) -> Observation:
        told: Observation = observed(self._state, self.possible_agents.index(agent), "masked")
        return told

    def state(self) -> npt.NDArray[np.float32]:
        """The rows of all players, (players, size), for training alone: all that they know together, and no more."""
        return np.stack([self._state.observation_tensor(player) for player in range(self.game.num_players())])

    def render(self) -> Frame | None:
        """The board as the agent to move sees it; when the game is over, as a spectator does. None without a render_mode."""
        mover = self._state.current_player()
        player = SPECTATOR if mover == TERMINAL else mover
        return render(self._state, player, self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """There is nothing to release."""
