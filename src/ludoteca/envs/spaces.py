"""The spaces of Gymnasium, which PettingZoo uses too: what agents observe, and the numbers by which they act."""

from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ParameterError
from ludoteca.core.features import Layout
from ludoteca.core.game import Game, State, load

Mask = npt.NDArray[np.int8]
"""One number for each action, 1 where it is legal: the form that `Discrete.sample` takes."""

MASKED: Final = ("observation", "action_mask")
"""The keys of observations that bring their mask along, as PettingZoo's classic games and RLlib's examples have them."""


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


def row_space(layout: Layout) -> Box:
    """Observations as one row: planes, then numbers (`State.observation_tensor`)."""
    return Box(layout.low, layout.high, (layout.size,), np.float32)


def masked_space(layout: Layout) -> Dict:
    """Rows with the mask of the actions that are legal."""
    row, mask = MASKED
    return Dict({row: row_space(layout), mask: Box(0, 1, (layout.actions,), np.int8)})


def row_of(state: State, player: int) -> npt.NDArray[np.float32]:
    """What the player observes, as one row."""
    return state.observation_tensor(player)


def mask_of(state: State, player: int) -> Mask:
    """The player's legal actions; none while somebody else is to move, and when the game is over."""
    if player == SPECTATOR or state.current_player() != player:
        return np.zeros(state.game.features.layout.actions, np.int8)
    return state.action_mask().astype(np.int8)


class Drawn(np.int64):
    """A number that a `LegalActions` drew: nobody chose it, so after a reset it may stand for another (`drawn_again`)."""


class LegalActions(Discrete[np.int64]):
    """The numbers of actions. Those that are drawn from it are legal: `env.step(env.action_space.sample())` always plays."""

    legal: Mask | None = None
    """The environment keeps it up to date; None before the first reset."""

    def sample(self, mask: Mask | None = None, probability: Mask | None = None) -> np.int64:
        """A random legal number; with a mask or probabilities, what `Discrete` makes of them."""
        if mask is None and probability is None:
            mask = self.legal
        return Drawn(super().sample(mask, probability))


def drawn_again(number: int | np.int64, mask: Mask) -> int:
    """The number, or a legal one in place of a drawn one that is not.

    Gymnasium's `check_env` plays what it drew before it reset the environment.
    """
    legal = np.flatnonzero(mask)
    if isinstance(number, Drawn) and not mask[number] and len(legal):
        return int(legal[number % len(legal)])
    return index(number)
