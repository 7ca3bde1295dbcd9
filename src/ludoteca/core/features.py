"""The numbers that a learner, such as a neural network, receives and returns: observations of positions, and numbers for
actions. `Game.features` is the `Features` of a game, which calls the functions of the game's `features.py`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ludoteca.core import learners
from ludoteca.core.contract import Bytes, Floats
from ludoteca.core.errors import ContractError, IllegalActionError
from ludoteca.core.native import Binding
from ludoteca.core.position import Position

if TYPE_CHECKING:
    from ludoteca.core.game import Game


@dataclass(frozen=True)
class FeatureLayout:
    """The meaning and the size of a game's observations, and how many action numbers there are, for a game with its
    parameters.
    """

    planes: tuple[str, ...]
    """The meaning of each plane (a grid of small whole numbers for the board, mostly 0 and 1), in order."""
    rows: int
    columns: int
    """The size of each plane."""
    numbers: tuple[str, ...]
    """The meaning of each number after the planes, in order. Most numbers are between 0 and 1."""
    actions: int
    """The count of action numbers, which are 0 to `actions` - 1."""
    low: float = 0.0
    high: float = 1.0
    """No number of an observation, in planes or after them, is below `low` or above `high`."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the planes: their count, the rows and the columns of each."""
        return len(self.planes), self.rows, self.columns

    @property
    def cells(self) -> int:
        """The number of bytes of all planes."""
        return len(self.planes) * self.rows * self.columns

    @property
    def size(self) -> int:
        """The length of an observation in one row: the cells of all planes, and the other numbers
        (`State.observation_tensor`).
        """
        return self.cells + len(self.numbers)

    def split(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return the planes, of shape (..., planes, rows, columns), and the numbers, of shape (..., numbers), that are in
        rows of observations, of shape (..., size).

        >>> from ludoteca import load
        >>> game = load("okupacio", board="4x4")
        >>> row = game.new_initial_state(seed=1).observation_tensor(0)
        >>> planes, numbers = game.features.layout.split(row)
        >>> len(row), planes.shape, numbers.shape
        (54, (3, 4, 4), (6,))
        """
        return rows[..., : self.cells].reshape(*rows.shape[:-1], *self.shape), rows[..., self.cells :]


class Observation(NamedTuple):
    """A player's knowledge of a position as numbers for a learner. `FeatureLayout` says what each number means."""

    planes: Bytes
    """uint8, (planes, rows, columns)."""
    numbers: Floats
    """float32, (numbers,)."""


class Features:
    """Makes observations and action numbers of a game with its parameters (`Game.features`). Raises ContractError if the
    game has no module `features`.
    """

    def __init__(self, game: "Game") -> None:
        if not game.spec.has("features"):
            raise ContractError(f"{game.name} has no features module, so learners cannot see it as numbers")
        self.game = game
        self.module = game.spec.module("features")
        self.layout: FeatureLayout = self.module.layout(game.parameters)

    @cached_property
    def _steps(self) -> Binding:
        return self.game.bind(learners, features=self.module)

    def observe(self, position: Position, player: int) -> Observation:
        """Return the observation of a player in a position. The position may be complete, or concealed for this player. Use
        SPECTATOR for a spectator.
        """
        planes = np.zeros(self.layout.cells, np.uint8)
        numbers = np.zeros(len(self.layout.numbers), np.float32)
        self._steps.observe_in(position.array, player, planes, numbers)
        return Observation(planes.reshape(self.layout.shape), numbers)

    def mask(self, position: Position) -> Bytes:
        """Return a uint8 array of shape (actions,) for the player to move: 1 for each action number that means a legal
        action, else 0.
        """
        out = np.zeros(self.layout.actions, np.uint8)
        self._steps.action_mask_in(position.array, out)
        return out

    def encode(self, position: Position, action: int) -> int:
        """Return the action number of a legal action. Return -1 if the action has none, as is always so for giving up.

        >>> from ludoteca import load
        >>> state = load("okupacio", board="4x5").new_initial_state(seed=1)
        >>> state.encode_action(state.string_to_action("bc"))
        7
        >>> state.action_to_string(state.decode_action(7))
        'bc'
        """
        return int(self._steps.encode_action_in(position.array, action))

    def action_of(self, position: Position, number: int) -> int:
        """Return the legal action with an action number, or -1 if no legal action has this number."""
        if not 0 <= number < self.layout.actions:
            return -1
        return int(self._steps.decode_action_in(position.array, number))

    def decode(self, position: Position, number: int) -> int:
        """Return the legal action with an action number. Raises IllegalActionError if no legal action has this number. The
        message lists the numbers that are possible.
        """
        if (action := self.action_of(position, number)) >= 0:
            return action
        legal = np.flatnonzero(self.mask(position)).tolist()
        if not legal:
            raise IllegalActionError(f"read action number {number}: the game is over")
        listed = ", ".join(map(str, legal[:20])) + (f" and {len(legal) - 20} more" if len(legal) > 20 else "")
        raise IllegalActionError(f"read action number {number}, which is no legal action here: expected {listed}")
