"""Every game as a PettingZoo environment: `pip install 'ludoteca[pettingzoo]'`.

    from ludoteca.envs import pettingzoo

    env = pettingzoo.env("okupacio", players=3, board="8x8")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Players take turns in all games, so there are AEC environments and no parallel ones. Importing this module registers them:
`pettingzoo.make("aec", "ludoteca/Okupacio-v0", players=3)`.
"""

from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.errors import MissingExtraError
from ludoteca.core.game import Game, State
from ludoteca.core.quantities import whole_number
from ludoteca.core.seeds import SEED_BITS

try:
    import pettingzoo
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    if error.name != "pettingzoo":
        raise
    raise MissingExtraError("pettingzoo", "pettingzoo") from None

from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.utils import seeding

from ludoteca.envs.rendering import Frame, check_mode, metadata, render
from ludoteca.envs.rewards import check_kind, lowest, rewards_so_far
from ludoteca.envs.spaces import deal, env_id, game_of, new_seed, observed, space_of

Observation = dict[str, npt.NDArray[Any]]

ILLEGAL: Final = -1.0
"""The reward of a player for an illegal action, unless the game's lowest reward is lower."""


def env(
    game: str | Game,
    render_mode: str | None = None,
    *,
    rewards: str = "returns",
    compiled: bool = False,
    **parameters: Any,
) -> wrappers.BaseWrapper[str, Any, Any]:
    """Return the environment in the wrappers of PettingZoo's classic games.

    An illegal action ends the game. Its player gets -1, or the game's lowest reward if it is lower, and the others get 0.
    Calls in a wrong order and numbers outside of the action space raise errors. Raises the errors of `raw_env`.

    >>> table = env("okupacio", board="4x4")
    >>> table.reset(seed=1)
    >>> table.agent_selection
    'player_0'
    >>> observation = table.observe("player_0")
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((54,), 16)
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
    """Return the environment without wrappers. If an action is not legal, `step` raises IllegalActionError.

    `game` is a name with parameters, or a `Game`. `rewards` are `"returns"`, `"zero_sum"` or `"score"` (`envs.rewards`).
    Raises UnknownGameError if there is no such game, ParameterError if one of these values is not allowed, ParameterError or
    NotationError if the game refuses a parameter, and ContractError if the game has no features for learners.

    >>> raw_env("okupacio", players=3, board="4x4").possible_agents
    ['player_0', 'player_1', 'player_2']
    """
    return GameEnvironment(game_of(game, parameters, compiled=compiled), render_mode, check_kind(rewards))


class GameEnvironment(AECEnv[str, Any, Any]):
    """A game between agents `player_0`, `player_1`, ...

    You can copy and pickle it at any moment. The same calls give the same results in the copy.

    Observations are dictionaries. `"observation"` is a row of float32 with the knowledge of the agent's seat.
    `"action_mask"` has an int8 for each action, 1 if it is legal. It is all 0 for agents that are not to move.
    Games are never truncated.
    """

    def __init__(self, game: Game, render_mode: str | None, rewards: str) -> None:
        self.game = game
        self.layout = game.features.layout
        """The layout of rows. `layout.split(row)` gives planes and numbers, and `layout` has their names."""
        self.render_mode = check_mode(render_mode)
        self.metadata = {**metadata(), "name": f"{game.name}_v0", "is_parallelizable": False}
        self.possible_agents = [f"player_{player}" for player in range(game.num_players())]
        self.agents = []
        self.observation_spaces = {agent: space_of(self.layout, "masked") for agent in self.possible_agents}
        self._random = seeding.np_random()[0]
        self.action_spaces = {agent: Discrete(self.layout.actions, new_seed(self._random)) for agent in self.possible_agents}
        layout = self.layout
        self.state_space = Box(layout.low, layout.high, (game.num_players(), layout.size), np.float32)
        self._rewards = rewards
        self._game: State | None = None

    @property
    def _state(self) -> State:
        if self._game is None:
            raise ResetNeeded("there is no game yet: call reset first")
        return self._game

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the game of `game.new_initial_state(seed)`. Without a seed, the next game follows from the last seed.

        A deal that is over before the first move is skipped.

        `options["position"]` begins at a position in the game's notation. Other options are ignored, because PettingZoo's
        `api_test` passes some.
        """
        if seed is not None:
            seed = whole_number("seed", seed, SEED_BITS)
            self._random = seeding.np_random(seed)[0]
        position = (options or {}).get("position")
        if position is not None:
            self._game = self.game.state_from_string(position)
        else:
            self._game = deal(self.game, seed, self._random)
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
        """Play the action of a number. Use None for an agent whose game is over.

        Raises IllegalActionError if the number is not legal now, that is, if `action_mask` is 0 there. Nothing is changed
        then.
        """
        state, agent = self._state, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state.apply_action(state.decode_action(index(action)))
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
        """Return what all players know together, as one row for each player, (players, size). Use it only for training,
        because it includes hidden information.
        """
        return np.stack([self._state.observation_tensor(player) for player in range(self.game.num_players())])

    def render(self) -> Frame | None:
        """Return the board as the agent to move sees it, or a spectator at the end. None without a render_mode."""
        mover = self._state.current_player()
        player = SPECTATOR if mover == TERMINAL else mover
        return render(self._state, player, self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """There is nothing to release."""


def _register() -> None:
    """Register the games for `pettingzoo.make`, which older versions do not have."""
    if hasattr(pettingzoo, "register"):
        for name in registry.names():
            if env_id(name) not in pettingzoo.aec_registry:
                pettingzoo.register("aec", env_id(name), f"{__name__}:{env.__name__}", kwargs={"game": name})


_register()
