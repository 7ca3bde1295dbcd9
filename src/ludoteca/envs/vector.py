"""Batches as vector environments of Gymnasium, with one seat in each game: `pip install 'ludoteca[gymnasium]'`.

from ludoteca.envs.vector import GameVectorEnv

envs = GameVectorEnv("okupacio", 512, players=2, board="8x8", opponents="heuristics", seat="alternate")
observations, infos = envs.reset(seed=1)
observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from ludoteca.core.contract import Floats
from ludoteca.core.errors import ArrayError, MissingExtraError, ParameterError
from ludoteca.core.game import Game
from ludoteca.envs.batch import Batch, Policy, Seat
from ludoteca.envs.buffers import Bools

try:
    from gymnasium.spaces import Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise MissingExtraError("gymnasium", "gymnasium") from None

from ludoteca.envs.spaces import MASKED, game_of, space_of

REWARDS: Final = ("returns", "zero_sum")


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """One seat in each of `num_envs` games. The other seats are played within the step.

    `game` is a name with parameters, compiled unless `compiled` is False, or a `Game`. `opponents` are `"random"`, or
    `"heuristics"` for the playout policy of the game's heuristics. `seat` is a player's number, or `"alternate"` for the
    next seat in every deal. `observation` is `"row"`, `"masked"` or `"planes"` (`envs.spaces`). `"planes"` is much faster.
    `rewards` are the seat's `"returns"`, or `"zero_sum"`, the return minus the mean of the others' returns.

    When a game ends, the next game is dealt in the same step (`AutoresetMode.SAME_STEP`). `infos["final_obs"]` and
    `infos["final_info"]` have the end of the old one. With `AutoresetMode.DISABLED`, `reset(options={"reset_mask": ...})`
    deals. With `copy=False`, the next step writes to the same arrays.

    >>> envs = GameVectorEnv("okupacio", 4, compiled=False, board="4x4")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
    >>> rewards.tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponents: Policy = "random",
        seat: Seat = 0,
        observation: Literal["row", "masked", "planes"] = "row",
        rewards: Literal["returns", "zero_sum"] = "returns",
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        compiled: bool = True,
        **parameters: Any,
    ) -> None:
        """Make the games. Raises errors as `GameEnvironment`."""
        _choose("rewards", rewards, REWARDS)
        game = game_of(game, parameters, compiled=compiled)
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.NEXT_STEP:
            raise ParameterError(f"autoreset_mode: read {mode}, expected SameStep or Disabled")
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self._same_step = mode is AutoresetMode.SAME_STEP
        self.batch = Batch(
            game,
            num_envs,
            threads=threads,
            auto_reset=self._same_step,
            finals=self._same_step,
            seat=seat,
            opponents=opponents,
        )
        self.game, self.num_envs, self.layout = game, num_envs, game.features.layout
        self._kind, self._zero_sum, self._copy = observation, rewards == "zero_sum" and game.num_players() > 1, copy
        self._rows = np.zeros((num_envs if observation != "planes" else 0, self.layout.size), np.float32)
        self._truncations = np.zeros(num_envs, np.bool_)
        self.single_observation_space = space_of(self.layout, observation)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = Discrete(self.layout.actions)
        self.action_space = LegalActions(self.batch)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal the first games of a seed, or of a seed for each game (`Batch.deal_seed`), or else the next games.

        `options={"reset_mask": mask}` deals only the games with True in the mask. Raises ParameterError for other options.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        if unknown := set(options or {}) - {"reset_mask"}:
            raise ParameterError(f"options: read {', '.join(map(repr, unknown))}, expected 'reset_mask'")
        self.batch.reset(seed, where=(options or {}).get("reset_mask"))
        return self._observations(), {"action_mask": self._mask()}

    def step(self, actions: Any) -> tuple[Any, Floats, Bools, Bools, dict[str, Any]]:
        """Play a number in each game, and the turns of the other seats. Games are never truncated.

        Raises IllegalActionError, with the first game and its legal numbers, if a number is not legal. Raises ArrayError if
        the actions are not whole numbers, one for each game. No game is stepped then.
        """
        numbers = np.asarray(actions)
        if numbers.dtype.kind not in "iu":
            raise ArrayError(f"actions: read {numbers.dtype}, expected whole numbers")
        seats = self.batch.seats
        buffers = self.batch.step(numbers.astype(np.int64, copy=False))
        paid = buffers.rewards[np.arange(self.num_envs), seats]
        if self._zero_sum:
            players = buffers.rewards.shape[1]
            paid = (players * paid - buffers.rewards.sum(axis=1)) / np.float32(players - 1)
        ended = buffers.terminated.copy() if self._copy else buffers.terminated
        infos: dict[str, Any] = {"action_mask": self._mask()}
        if self._same_step and ended.any():
            infos |= self._finals(ended.copy())
        truncations = self._truncations.copy() if self._copy else self._truncations
        return self._observations(), paid, ended, truncations, infos

    def action_masks(self) -> Bools:
        """Return True for each legal action, bool, (games, actions), for the masked learners of sb3-contrib."""
        return self.batch.buffers.masks.astype(np.bool_)

    def _mask(self) -> npt.NDArray[np.int8]:
        mask = self.batch.buffers.masks.view(np.int8)
        return mask.copy() if self._copy else mask

    def _observations(self) -> Any:
        planes, numbers = self.batch.buffers.planes, self.batch.buffers.numbers
        if self._kind == "planes":
            return {"planes": planes.copy(), "numbers": numbers.copy()} if self._copy else _pair(planes, numbers)
        self._rows[:, : self.layout.cells] = planes.reshape(self.num_envs, -1)
        self._rows[:, self.layout.cells :] = numbers
        rows = self._rows.copy() if self._copy else self._rows
        return rows if self._kind == "row" else dict(zip(MASKED, (rows, self._mask()), strict=True))

    def _finals(self, ended: Bools) -> dict[str, Any]:
        """Return Gymnasium's infos of the games that ended: the last observation of each, and the returns."""
        buffers = self.batch.buffers
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            planes, numbers = buffers.final_planes[i].copy(), buffers.final_numbers[i].copy()
            row = np.concatenate([planes.ravel(), numbers], dtype=np.float32)
            mask = np.zeros(self.layout.actions, np.int8)
            if self._kind == "planes":
                final[i] = _pair(planes, numbers)
            else:
                final[i] = row if self._kind == "row" else dict(zip(MASKED, (row, mask), strict=True))
        told = {"returns": buffers.rewards.copy(), "_returns": ended}
        return {"final_obs": final, "_final_obs": ended, "final_info": told, "_final_info": ended}


class LegalActions(MultiDiscrete):
    """A number for each game. It draws legal numbers, so `envs.step(envs.action_space.sample())` always plays."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(np.full(batch.n, batch.game.features.layout.actions))
        self._batch = batch

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[Any]:
        """Return a random legal number for each game, 0 if it is over. With masks, `MultiDiscrete` draws from them."""
        if mask is not None or probability is not None:
            drawn: npt.NDArray[Any] = super().sample(mask, probability)
            return drawn
        masks = self._batch.buffers.masks
        numbers: npt.NDArray[Any] = np.argmax((self.np_random.random(masks.shape, np.float32) + 1) * masks, axis=1)
        return numbers


def _pair(planes: npt.NDArray[Any], numbers: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    return {"planes": planes, "numbers": numbers}


def _choose(name: str, read: str, possible: tuple[str, ...]) -> None:
    if read not in possible:
        raise ParameterError(f"{name}: read {read!r}, expected {', '.join(possible)}")
