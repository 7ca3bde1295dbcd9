"""Batches as vector environments of Gymnasium, with one seat in each game: `pip install 'ludoteca[gymnasium]'`.

from ludoteca.envs.vector import GameVectorEnv

envs = GameVectorEnv("okupacio", 512, players=2, board="8x8", opponents="heuristics", seat="alternate")
observations, infos = envs.reset(seed=1)
observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
"""

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from ludoteca.core.contract import Floats
from ludoteca.core.errors import MissingExtraError, ParameterError
from ludoteca.core.game import Game
from ludoteca.core.quantities import whole_number
from ludoteca.envs.batch import Batch
from ludoteca.envs.buffers import Bools
from ludoteca.envs.rendering import check_mode, metadata, render
from ludoteca.envs.seating import Opponents, Seat

try:
    from gymnasium.spaces import Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise MissingExtraError("gymnasium", "gymnasium") from None

from ludoteca.envs.spaces import MASKED, game_of, space_of


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """One seat in each of `num_envs` games. The other seats are played within the step.

    `game` is a name with parameters, compiled unless `compiled` is False, or a `Game`. `opponents`, `seat`, `observation`,
    `rewards` and `render_mode` have the same words as in `envs.gymnasium.GameEnvironment`. `observation="planes"` and the
    opponents `"random"` and `"heuristics"` are much faster than others. A game of more than `max_episode_steps` steps of the
    learner is truncated.

    When a game ends, the next game is dealt in the same step (`AutoresetMode.SAME_STEP`). `infos["final_obs"]` and
    `infos["final_info"]` have the end of the old one. With `AutoresetMode.NEXT_STEP` the next step deals, and its action is
    ignored. With `AutoresetMode.DISABLED`, `reset(options={"reset_mask": ...})` deals. With `copy=False`, the next step
    writes to the same arrays.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponents: Opponents = "random",
        seat: Seat = 0,
        observation: Literal["row", "masked", "planes"] = "row",
        rewards: Literal["returns", "zero_sum", "score"] = "returns",
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        copy: bool = True,
        compiled: bool = True,
        **parameters: Any,
    ) -> None:
        """Make the games. Raises errors as `GameEnvironment`."""
        game = game_of(game, parameters, compiled=compiled)
        mode = AutoresetMode(autoreset_mode)
        self.render_mode = check_mode(render_mode)
        self.metadata = {**metadata(), "autoreset_mode": mode}
        self._mode, same = mode, mode is AutoresetMode.SAME_STEP
        self.batch = Batch(
            game, num_envs, threads=threads, auto_reset=same, finals=same, seat=seat, opponents=opponents, rewards=rewards
        )
        self.game, self.num_envs, self.layout = game, self.batch.n, game.features.layout
        self._kind, self._copy = observation, copy
        self._most = None if max_episode_steps is None else whole_number("max_episode_steps", max_episode_steps, 31, 1)
        self._steps, self._over = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.bool_)
        self._rows = np.zeros((self.num_envs if observation != "planes" else 0, self.layout.size), np.float32)
        self.single_observation_space = space_of(self.layout, observation)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space = Discrete(self.layout.actions)
        self.action_space = LegalActions(self.batch)

    def reset(
        self, *, seed: SupportsIndex | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal the first games of a seed, or of a seed for each game (`Batch.deal_seed`), or else the next games.

        `options={"reset_mask": mask}` deals only the games with True in the mask. Raises ParameterError for other options.
        """
        if unknown := set(options or {}) - {"reset_mask"}:
            raise ParameterError(f"options: read {', '.join(map(repr, unknown))}, expected 'reset_mask'")
        mask = (options or {}).get("reset_mask")
        self.batch.reset(seed, where=mask)
        super().reset(seed=None if seed is None or isinstance(seed, Sequence) else int(seed))
        dealt = slice(None) if mask is None or seed is not None else mask
        self._steps[dealt], self._over[dealt] = 0, False
        self._show()
        return self._observations(), {"action_mask": self._mask()}

    def step(self, actions: Any) -> tuple[Any, Floats, Bools, Bools, dict[str, Any]]:
        """Play a number in each game, and the turns of the other seats.

        Raises IllegalActionError, with the first game and its legal numbers, if a number is not legal. Raises ArrayError if
        the actions are not whole numbers, one for each game. No game is stepped then.
        """
        waiting, seats = self._over, self.batch.seats
        rows = None if not waiting.any() else np.flatnonzero(~waiting)
        buffers = self.batch.step(actions if rows is None else np.asarray(actions)[rows], rows)
        if rows is not None:
            self.batch.reset(where=waiting)
        self._steps = np.where(waiting, 0, self._steps + 1)
        paid, ended = buffers.rewards[np.arange(self.num_envs), seats], buffers.terminated.copy()
        truncated = ~ended & (self._steps >= self._most) if self._most else np.zeros(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        over = ended | truncated
        if self._mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._finals(over, truncated)
        self._steps[over] = 0
        self._over = over if self._mode is AutoresetMode.NEXT_STEP else waiting
        self._show()
        return self._observations(), paid, ended, truncated, infos | {"action_mask": self._mask()}

    def render(self) -> tuple[Any, ...] | None:
        """Return the board of each game as the learner's seat sees it, or None without a render_mode."""
        mode, seats = self.render_mode, self.batch.seats.tolist()
        return tuple(render(self.batch.state(i), seat, mode) for i, seat in enumerate(seats)) if mode else None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

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

    def _finals(self, ended: Bools, truncated: Bools) -> dict[str, Any]:
        """Return Gymnasium's infos of the games that ended: the last observation of each, and the rewards of all players.

        Deal the next games in place of truncated ones.
        """
        buffers, rewards = self.batch.buffers, self.batch.buffers.rewards.copy()
        buffers.final_planes[truncated], buffers.final_numbers[truncated] = (
            buffers.planes[truncated],
            buffers.numbers[truncated],
        )
        if truncated.any():
            self.batch.reset(where=truncated)
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            planes, numbers = buffers.final_planes[i].copy(), buffers.final_numbers[i].copy()
            row = np.concatenate([planes.ravel(), numbers], dtype=np.float32)
            mask = np.zeros(self.layout.actions, np.int8)
            if self._kind == "planes":
                final[i] = _pair(planes, numbers)
            else:
                final[i] = row if self._kind == "row" else dict(zip(MASKED, (row, mask), strict=True))
        told = {"rewards": rewards, "_rewards": ended}
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
