"""Observations and action numbers for learners: a game's `features.py`, interpreted or compiled like the game."""

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
    """The layout of a game's observations and the count of numbered actions, for chosen parameters."""

    planes: tuple[str, ...]
    """The meaning of each plane, in order. Planes hold small whole numbers, mostly 0 and 1."""
    rows: int
    columns: int
    """The size of a plane."""
    numbers: tuple[str, ...]
    """The meaning of each number after the planes, in order. Most numbers are between 0 and 1."""
    actions: int
    """The count of numbered actions."""
    low: float = 0.0
    high: float = 1.0
    """The bounds of all numbers of an observation, including the planes."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the planes: their count, rows, columns."""
        return len(self.planes), self.rows, self.columns

    @property
    def cells(self) -> int:
        """The number of bytes of all planes."""
        return len(self.planes) * self.rows * self.columns

    @property
    def size(self) -> int:
        """The length of an observation as one row (`State.observation_tensor`)."""
        return self.cells + len(self.numbers)

    def split(self, rows: Floats) -> tuple[Floats, Floats]:
        """Split rows of observations, (..., size), into planes, (..., planes, rows, columns), and numbers.

        >>> from ludoteca import load
        >>> game = load("okupacio", board="4x4")
        >>> row = game.new_initial_state(seed=1).observation_tensor(0)
        >>> planes, numbers = game.features.layout.split(row)
        >>> len(row), planes.shape, numbers.shape
        (54, (3, 4, 4), (6,))
        """
        return rows[..., : self.cells].reshape(*rows.shape[:-1], *self.shape), rows[..., self.cells :]


class Observation(NamedTuple):
    """A player's view as numbers."""

    planes: Bytes
    """uint8, (planes, rows, columns)."""
    numbers: Floats
    """float32, (numbers,)."""


class Features:
    """A game's features for its parameters (`Game.features`)."""

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
        """Return the player's knowledge of a position, complete or concealed. Use SPECTATOR for a spectator."""
        planes = np.zeros(self.layout.cells, np.uint8)
        numbers = np.zeros(len(self.layout.numbers), np.float32)
        self._steps.observe_in(position.array, player, planes, numbers)
        return Observation(planes.reshape(self.layout.shape), numbers)

    def mask(self, position: Position) -> Bytes:
        """Return one byte for each action number: 1 if its action is legal. The shape is (actions,)."""
        out = np.zeros(self.layout.actions, np.uint8)
        self._steps.action_mask_in(position.array, out)
        return out

    def encode(self, position: Position, action: int) -> int:
        """Return the number of a legal action, or -1 if it has none.

        >>> from ludoteca import load
        >>> state = load("okupacio", board="4x5").new_initial_state(seed=1)
        >>> state.encode_action(state.string_to_action("bc"))
        7
        >>> state.action_to_string(state.decode_action(7))
        'bc'
        """
        return int(self._steps.encode_action_in(position.array, action))

    def action_of(self, position: Position, number: int) -> int:
        """Return the legal action with a number, or -1 if there is none."""
        if not 0 <= number < self.layout.actions:
            return -1
        return int(self._steps.decode_action_in(position.array, number))

    def decode(self, position: Position, number: int) -> int:
        """Return the legal action with a number. Raises IllegalActionError if there is none, with the possible numbers."""
        if (action := self.action_of(position, number)) >= 0:
            return action
        legal = np.flatnonzero(self.mask(position)).tolist()
        if not legal:
            raise IllegalActionError(f"read action number {number}: the game is over")
        listed = ", ".join(map(str, legal[:20])) + (f" and {len(legal) - 20} more" if len(legal) > 20 else "")
        raise IllegalActionError(f"read action number {number}, which stands for no legal action here: expected {listed}")
