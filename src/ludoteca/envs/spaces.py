"""The spaces of Gymnasium, which PettingZoo uses too: what agents observe, and the numbers by which they act."""

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
"""One number for each action, 1 where it is legal: the form that `Discrete.sample` takes."""

KINDS: Final = ("row", "masked", "planes")
"""Observations: `"row"` is planes, then numbers, as one row of float32 (`State.observation_tensor`); `"masked"` a dictionary
of the row and the mask; `"planes"` a dictionary of the planes, uint8, and the numbers."""
MASKED: Final = ("observation", "action_mask")
"""The keys of observations that bring their mask along, as PettingZoo's classic games and RLlib's examples have them."""

DEALS: Final = 100


def game_of(game: str | Game, parameters: dict[str, Any], *, compiled: bool) -> Game:
    """The game of that name, or the game itself.

    Raises UnknownGameError, ParameterError, and ContractError for a game without features.
    """
    if isinstance(game, str):
        game = load(game, compiled=compiled, **parameters)
    elif parameters:
        raise ParameterError(f"{game!r} has all its parameters: read {', '.join(parameters)} besides it")
    _ = game.features
    return game


def new_seed(random: np.random.Generator) -> int:
    """A seed for a game, an agent or a space.

    Spaces without a seed draw one when they are first used, and copies of them another one.
    """
    return int.from_bytes(random.bytes(16))


def deal(game: Game, seed: int | None, random: np.random.Generator) -> State:
    """The deal of the seed, or the generator's next where there is none, and where the deal leaves nothing to choose.

    Neither library has a way to say that a game is over before it begins, as some deals of a game may be. Raises
    ParameterError after DEALS of them in a row.
    """
    for _ in range(DEALS):
        state = game.new_initial_state(new_seed(random) if seed is None else seed)
        if not state.is_terminal():
            return state
        seed = None
    raise ParameterError(f"{game!r}: {DEALS} deals in a row left nothing to choose")


def space_of(layout: FeatureLayout, kind: str) -> Space[Any]:
    """The space of observations of a kind. Raises ParameterError, which says what kinds there are."""
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
    """What the player observes, in one of these kinds."""
    if kind == "planes":
        return state.observation(player)._asdict()
    row = state.observation_tensor(player)
    return row if kind == "row" else dict(zip(MASKED, (row, mask_of(state, player)), strict=True))


def mask_of(state: State, player: int) -> Mask:
    """The player's legal actions; none while somebody else is to move, and when the game is over."""
    if player == SPECTATOR or state.current_player() != player:
        return np.zeros(state.game.features.layout.actions, np.int8)
    return state.action_mask().astype(np.int8)


class Drawn(np.int64):
    """A number that a `LegalActions` drew: nobody chose it, so after a reset it may stand for another."""


class LegalActions(Discrete):
    """The numbers of actions. Those that are drawn from it are legal: `env.step(env.action_space.sample())` always plays."""

    legal: Mask | None = None
    """The environment keeps it up to date; None before the first reset."""

    def sample(self, mask: Mask | None = None, probability: Mask | None = None) -> np.int64:
        """A random legal number; with a mask or probabilities, what `Discrete` makes of them."""
        if mask is None and probability is None:
            mask = self.legal
        return Drawn(super().sample(mask, probability))

    def drawn_again(self, number: int | np.int64) -> int:
        """The number, or a legal one in place of a drawn one that is not.

        Gymnasium's `check_env` plays what it drew before it reset the environment.
        """
        if isinstance(number, Drawn) and self.legal is not None and self.legal.any() and not self.legal[number]:
            legal = np.flatnonzero(self.legal)
            return int(legal[number % len(legal)])
        return index(number)
