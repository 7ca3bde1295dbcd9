"""Spaces of observations and actions, for Gymnasium and PettingZoo."""

import re
from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ParameterError
from ludoteca.core.features import FeatureLayout
from ludoteca.core.game import Game, State, load

Mask = npt.NDArray[np.int8]
"""A number for each action, 1 if it is legal, as `Discrete.sample` takes it."""

KINDS: Final = ("row", "masked", "planes")
"""Kinds of observations. `"row"` is a row of float32, planes before numbers (`State.observation_tensor`). `"masked"` is a
dictionary of the row and the mask. `"planes"` is a dictionary of the planes, uint8, and the numbers."""
MASKED: Final = ("observation", "action_mask")
"""The keys of observations with a mask, as in PettingZoo's classic games and RLlib's examples."""

DEALS: Final = 100


def game_of(game: str | Game, parameters: dict[str, Any], *, compiled: bool) -> Game:
    """Return the game with this name, or the game itself.

    Raises UnknownGameError if there is no such game, ParameterError or NotationError if it refuses a parameter, and
    ContractError if it has no features for learners.
    """
    game = load(game, compiled=compiled, **parameters)
    _ = game.features
    return game


def env_id(game: str) -> str:
    """Return the id of a game for `gymnasium.make` and `pettingzoo.make`, such as `ludoteca/Okupacio-v0`."""
    return f"ludoteca/{''.join(word.capitalize() for word in re.split('[^a-z0-9]', game))}-v0"


def new_seed(random: np.random.Generator) -> int:
    """Return a seed for a game, an agent or a space.

    A space without a seed draws one at its first use, and its copies draw different ones.
    """
    return int.from_bytes(random.bytes(16))


def deal(game: Game, seed: int | None, random: np.random.Generator) -> State:
    """Return the deal of a seed. Without a seed, or if the game of that deal is over at once, draw seeds from the generator.

    PettingZoo and Gymnasium have no games that are over before they begin. Raises ParameterError if DEALS of them are drawn
    in a row.
    """
    for _ in range(DEALS):
        state = game.new_initial_state(new_seed(random) if seed is None else seed)
        if not state.is_terminal():
            return state
        seed = None
    raise ParameterError(f"{game!r}: {DEALS} deals in a row left nothing to choose")


def space_of(layout: FeatureLayout, kind: str) -> Space[Any]:
    """Return the space of observations of a kind. Raises ParameterError, which lists the kinds, if there is no such kind.

    >>> from ludoteca import load
    >>> layout = load("okupacio", board="4x4").features.layout
    >>> sorted(space_of(layout, "masked").spaces)
    ['action_mask', 'observation']
    >>> space_of(layout, "row").shape, space_of(layout, "planes")["planes"].shape
    ((54,), (3, 4, 4))
    """
    row = Box(layout.low, layout.high, (layout.size,), np.float32)
    if kind == "row":
        return row
    if kind == "masked":
        return Dict(dict(zip(MASKED, (row, Box(0, 1, (layout.actions,), np.int8)), strict=True)))
    if kind == "planes":
        numbers = Box(layout.low, layout.high, (len(layout.numbers),), np.float32)
        return Dict({"planes": Box(0, int(layout.high), layout.shape, np.uint8), "numbers": numbers})
    raise ParameterError(f"observation: read {kind!r}, expected {', '.join(KINDS)}")


def observed(state: State, player: int, kind: str) -> Any:
    """Return the player's observation of this kind."""
    if kind == "planes":
        return state.observation(player)._asdict()
    row = state.observation_tensor(player)
    return row if kind == "row" else dict(zip(MASKED, (row, mask_of(state, player)), strict=True))


def mask_of(state: State, player: int) -> Mask:
    """Return the player's legal actions. There are none in the turn of another player, and after the game."""
    if player == SPECTATOR or state.current_player() != player:
        return np.zeros(state.game.features.layout.actions, np.int8)
    return state.action_mask().astype(np.int8)


class Drawn(np.int64):
    """A number that a `LegalActions` drew. After a reset, a legal number may replace it."""


class LegalActions(Discrete):
    """The action numbers. It draws legal numbers, so `env.step(env.action_space.sample())` always plays."""

    legal: Mask | None = None
    """The legal actions now. The environment updates them. None before the first reset."""

    def sample(self, mask: Mask | None = None, probability: Mask | None = None) -> np.int64:
        """Return a random legal number. With a mask or probabilities, `Discrete` draws it from them."""
        if mask is None and probability is None:
            mask = self.legal
        return Drawn(super().sample(mask, probability))

    def drawn_again(self, number: int | np.int64) -> int:
        """Return the number, or a random legal number if it was drawn from this space and is not legal.

        Gymnasium's `check_env` needs this: it draws a number, resets the environment, and only then plays the number.
        """
        if isinstance(number, Drawn) and self.legal is not None and self.legal.any() and not self.legal[number]:
            legal = np.flatnonzero(self.legal)
            return int(legal[number % len(legal)])
        return index(number)
