"""Every game as a Gymnasium environment for one player: `pip install 'ludoteca[gymnasium]'`.

    import gymnasium
    import ludoteca.envs.gymnasium

    env = gymnasium.make("ludoteca/Okupacio-v0", players=3, opponents="greedy")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Importing this module registers the games. Agents play the other seats.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.agents.agent import Agent
from ludoteca.core import registry
from ludoteca.core.errors import MissingExtraError, ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.levels import needs_compiling
from ludoteca.core.quantities import whole_number
from ludoteca.core.seeds import SEED_BITS

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise MissingExtraError("gymnasium", "gymnasium") from None

from gymnasium.error import ResetNeeded
from gymnasium.spaces import Space

from ludoteca.envs.rendering import Frame, check_mode, metadata, render
from ludoteca.envs.rewards import check_kind, rewards_so_far
from ludoteca.envs.seating import ALTERNATE, HEURISTICS, RANDOM, Opponents, Seat, check_seat, makers, play_on, seated
from ludoteca.envs.spaces import DEALS, LegalActions, deal, env_id, game_of, mask_of, new_seed, observed, space_of


class GameEnvironment(gymnasium.Env[Any, Any]):
    """One seat of a game. Within a step, agents play the other seats, with the knowledge of their seats.

    `game` is a name with parameters, or a `Game`. `opponents` is the name of an agent (`docs/agents.md`), `"heuristics"` for
    the playout policy of the game's heuristics, or a sequence with a name for each seat after this one, in turn order. A
    function that makes an agent from the game and a seed can replace a name. `seat` is a player's number, `"random"` to draw
    one for each game, or `"alternate"` for the next one in each game. `observation` is `"row"`, `"masked"` or `"planes"`
    (`envs.spaces`). `rewards` are `"returns"`, `"zero_sum"` or `"score"` (`envs.rewards`). If
    `compiled` is None, the rules of a named game are compiled if an opponent searches.

    Raises UnknownGameError if there is no such game, ParameterError if one of these values is not allowed, ParameterError or
    NotationError if the game refuses a parameter, and ContractError if the game has no features for learners.

    >>> env = GameEnvironment("okupacio", opponents="greedy", board="4x4")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    >>> reward, terminated
    (0.0, False)
    """

    metadata = metadata()  # Gymnasium declares it for instances

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents = RANDOM,
        seat: Seat = 0,
        observation: str = "row",
        rewards: str = "returns",
        compiled: bool | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        names = [opponents] if isinstance(opponents, str) or callable(opponents) else [*opponents]
        self.game = game_of(game, parameters, compiled=compiled is True)
        searching = any(isinstance(name, str) and name != HEURISTICS and needs_compiling(name, self.game) for name in names)
        if searching and compiled is None and isinstance(game, str):
            self.game = Game(self.game.spec, self.game.parameters, compiled=True)
        self.layout = self.game.features.layout
        """The layout of rows. `layout.split(row)` gives planes and numbers, and `layout` has their names."""
        self.render_mode = check_mode(render_mode)
        self.action_space: LegalActions = LegalActions(self.layout.actions, new_seed(self.np_random))
        self.observation_space: Space[Any] = space_of(self.layout, observation)
        self.seat = 0
        """The learner's seat in this game."""
        self._seat, self._makers, self._next = check_seat(self.game, seat), makers(self.game, opponents), 0
        self._observation, self._rewards = observation, check_kind(rewards)
        self._state: State | None = None
        self._agents: dict[int, Agent] = {}
        seated(self._makers, self.game, 0, 0)  # errors and compiling of opponents come now, and not in the first game

    def _take_seats(self) -> None:
        """Set the learner's seat of the next game, and make new agents for the others."""
        players = self.game.num_players()
        if self._seat == ALTERNATE:
            self.seat, self._next = self._next, (self._next + 1) % players
        else:
            self.seat = int(self.np_random.integers(players)) if self._seat == RANDOM else int(self._seat)
        self._agents = seated(self._makers, self.game, self.seat, new_seed(self.np_random))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the game of `game.new_initial_state(seed)`. Without a seed, the next game follows from the last seed.

        A game that ends before the learner's seat has moved is skipped, because Gymnasium has no such episodes.
        `options={"position": text}` begins at a position in the game's notation instead. Raises NotationError if it is no
        position of this game, and ParameterError for other options, or if DEALS games in a row ended so early.
        """
        seed = None if seed is None else whole_number("seed", seed, SEED_BITS)
        super().reset(seed=seed)
        self._next = 0 if seed is not None else self._next
        if unknown := set(options or {}) - {"position"}:
            raise ParameterError(f"options: read {', '.join(map(repr, unknown))}, expected 'position'")
        for _ in range(DEALS):
            state = self.game.state_from_string(options["position"]) if options else deal(self.game, seed, self.np_random)
            self._take_seats()
            self._state, self._paid = state, 0.0
            play_on(state, self._agents)
            if not state.is_terminal():
                return self._observe(state)
            seed = None
        raise ParameterError(f"{DEALS} games in a row were over before player {self.seat} had moved")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, and then the turns of the other seats. Games are never truncated.

        Raises IllegalActionError, which lists the legal numbers, if the action is not legal. The game is unchanged then.
        """
        state = self._begun()
        state.apply_action(state.decode_action(self.action_space.drawn_again(action)))
        play_on(state, self._agents)
        paid, self._paid = self._paid, rewards_so_far(state, self._rewards)[self.seat]
        observation, info = self._observe(state)
        return observation, self._paid - paid, state.is_terminal(), False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return True for each legal action, for the masked learners of sb3-contrib."""
        return mask_of(self._begun(), self.seat).astype(np.bool_)

    def render(self) -> Frame | None:
        """Return the board as the learner's seat sees it, or None without a render_mode."""
        return render(self._begun(), self.seat, self.render_mode) if self.render_mode else None

    def _begun(self) -> State:
        if self._state is None:
            raise ResetNeeded("there is no game yet: call reset first")
        return self._state

    def _observe(self, state: State) -> tuple[Any, dict[str, Any]]:
        """Return the observation and the info, and update the legal actions of the action space."""
        if self.render_mode == "human":
            self.render()
        self.action_space.legal = mask_of(state, self.seat)
        info: dict[str, Any] = {"action_mask": self.action_space.legal.copy()}
        if state.is_terminal():
            info |= {"returns": state.returns(), "scores": state.scores()}
        return observed(state, self.seat, self._observation), info


def _register() -> None:
    for name in registry.names():
        if env_id(name) not in gymnasium.registry:
            gymnasium.register(
                env_id(name),
                entry_point=f"{__name__}:{GameEnvironment.__name__}",
                vector_entry_point="ludoteca.envs.vector:GameVectorEnv",
                kwargs={"game": name},
            )


_register()
