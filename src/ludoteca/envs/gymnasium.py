"""Every game as a Gymnasium environment for one player: `pip install 'ludoteca[gymnasium]'`.

    import gymnasium
    import ludoteca.envs.gymnasium

    env = gymnasium.make("ludoteca/Okupacio-v0", players=3, opponents="greedy")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Importing this module registers the games. Agents play the other seats.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ludoteca.agents.agent import Agent, new_agent
from ludoteca.core import registry
from ludoteca.core.errors import MissingExtraError, ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.levels import needs_compiling
from ludoteca.core.words import counted

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
from ludoteca.envs.spaces import DEALS, LegalActions, deal, game_of, mask_of, new_seed, observed, space_of

NewAgent = Callable[[Game, int], Agent]
"""Makes an agent from a game and a seed."""
Opponent = str | NewAgent

DEFAULT: Final = "random"
RANDOM_SEAT: Final = "random"


class GameEnvironment(gymnasium.Env[Any, Any]):
    """One seat of a game. Within a step, agents play the other seats, with the knowledge of their seats.

    `game` is a name with parameters, or a `Game`. `opponents` is the name of an agent (`docs/agents.md`), or a
    sequence with a name for each seat after this one, in turn order. A function that makes an agent from the game and a seed
    can replace a name. `seat` is a player's number, or `"random"` to draw one for each game. `observation` is `"row"`,
    `"masked"` or `"planes"` (`envs.spaces`). `rewards` are `"returns"`, `"zero_sum"` or `"score"` (`envs.rewards`). If
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
        opponents: Opponent | Sequence[Opponent] = DEFAULT,
        seat: int | str = 0,
        observation: str = "row",
        rewards: str = "returns",
        compiled: bool | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        names = [opponents] if isinstance(opponents, str) or callable(opponents) else [*opponents]
        self.game = game_of(game, parameters, compiled=compiled is True)
        searching = any(isinstance(name, str) and needs_compiling(name, self.game) for name in names)
        if searching and compiled is None and isinstance(game, str):
            self.game = Game(self.game.spec, self.game.parameters, compiled=True)
        self.layout = self.game.features.layout
        """The layout of rows. `layout.split(row)` gives planes and numbers, and `layout` has their names."""
        self.render_mode = check_mode(render_mode)
        self.action_space: LegalActions = LegalActions(self.layout.actions, new_seed(self.np_random))
        self.observation_space: Space[Any] = space_of(self.layout, observation)
        self.seat = 0
        """The learner's seat in this game."""
        self._seats = _seats(self.game, seat)
        self._opponents = _opponents(self.game, opponents)
        self._observation, self._rewards = observation, check_kind(rewards)
        self._state: State | None = None
        self._agents: dict[int, Agent] = {}
        self._seat_opponents()  # errors and compiling of opponents come now, and not in the first game

    def _seat_opponents(self) -> None:
        """Make new agents for the other seats, so that the same seed gives the same opponents."""
        seats = [(self.seat + 1 + i) % self.game.num_players() for i in range(len(self._opponents))]
        self._agents = {}
        for seat, opponent in zip(seats, self._opponents, strict=True):
            make = partial(new_agent, opponent) if isinstance(opponent, str) else opponent
            self._agents[seat] = make(self.game, new_seed(self.np_random))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the game of `game.new_initial_state(seed)`. Without a seed, the next game follows from the last seed.

        A game that ends before the learner's seat has moved is skipped, because Gymnasium has no such episodes.
        `options={"position": text}` begins at a position in the game's notation instead. Raises NotationError if it is no
        position of this game, and ParameterError for other options, or if DEALS games in a row ended so early.
        """
        super().reset(seed=seed)
        if unknown := set(options or {}) - {"position"}:
            raise ParameterError(f"options: read {', '.join(map(repr, unknown))}, expected 'position'")
        for _ in range(DEALS):
            state = self.game.state_from_string(options["position"]) if options else deal(self.game, seed, self.np_random)
            self.seat = int(self.np_random.choice(self._seats))
            self._seat_opponents()
            self._state, self._paid = state, 0.0
            self._let_others_play(state)
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
        self._let_others_play(state)
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

    def _let_others_play(self, state: State) -> None:
        while (mover := state.current_player()) in self._agents:
            state.apply_action(self._agents[mover].choose(state.information_state(mover)).action)

    def _observe(self, state: State) -> tuple[Any, dict[str, Any]]:
        """Return the observation and the info, and update the legal actions of the action space."""
        if self.render_mode == "human":
            self.render()
        self.action_space.legal = mask_of(state, self.seat)
        info: dict[str, Any] = {"action_mask": self.action_space.legal.copy()}
        if state.is_terminal():
            info |= {"returns": state.returns(), "scores": state.scores()}
        return observed(state, self.seat, self._observation), info


def env_id(game: str) -> str:
    """Return the id of a game for `gymnasium.make`, such as `ludoteca/Okupacio-v0`.

    >>> env_id("okupacio")
    'ludoteca/Okupacio-v0'
    """
    return f"ludoteca/{''.join(word.capitalize() for word in re.split('[^a-z0-9]', game))}-v0"


def _seats(game: Game, seat: int | str) -> list[int]:
    """Return the seats from which the learner's seat is drawn for each game."""
    seats = list(range(game.num_players()))
    if seat == RANDOM_SEAT:
        return seats
    if seat not in seats:
        raise ParameterError(f"seat: read {seat!r}, expected 0 to {seats[-1]} or {RANDOM_SEAT!r}")
    return [index(seat)]


def _opponents(game: Game, opponents: Opponent | Sequence[Opponent]) -> list[Opponent]:
    """Return an opponent for each seat after the learner's."""
    others = game.num_players() - 1
    if isinstance(opponents, str) or callable(opponents):
        if not others and opponents != DEFAULT:
            raise ParameterError(f"opponents: read {opponents!r}, and one plays {game.name} alone with these parameters")
        return [opponents] * others
    if len(opponents) != others:
        raise ParameterError(f"opponents: read {counted(len(opponents), 'agent')}, expected one or {others}")
    return [*opponents]


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
