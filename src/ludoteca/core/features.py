"""What a learner sees of a game, and by which numbers it acts: a game's `features.py`, run as the game runs."""

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
    """What a game's observations consist of, and how many actions are numbered, for chosen parameters."""

    planes: tuple[str, ...]
    """What each plane shows, in order. Planes hold small whole numbers, mostly 0 and 1."""
    rows: int
    columns: int
    """The size of a plane."""
    numbers: tuple[str, ...]
    """What each number behind the planes is, in order; most are between 0 and 1."""
    actions: int
    """Actions are numbered from 0 to one less."""
    low: float = 0.0
    high: float = 1.0
    """No number of an observation, in a plane or behind it, is lower or higher."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the planes: how many, rows, columns."""
        return len(self.planes), self.rows, self.columns

    @property
    def cells(self) -> int:
        """The bytes of all planes."""
        return len(self.planes) * self.rows * self.columns

    @property
    def size(self) -> int:
        """The length of an observation as one row (`State.observation_tensor`)."""
        return self.cells + len(self.numbers)

    def split(self, rows: Floats) -> tuple[Floats, Floats]:
        """Take rows of observations, (..., size), apart into planes, (..., planes, rows, columns), and numbers."""
        return rows[..., : self.cells].reshape(*rows.shape[:-1], *self.shape), rows[..., self.cells :]


class Observation(NamedTuple):
    """What a player sees, as numbers."""

    planes: Bytes
    """uint8, (planes, rows, columns)."""
    numbers: Floats
    """float32, (numbers,)."""


class Features:
    """A game's features for its parameters: `Game.features`."""

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
        """What the player knows of a position, whole or concealed from all others; SPECTATOR for a spectator."""
        planes = np.zeros(self.layout.cells, np.uint8)
        numbers = np.zeros(len(self.layout.numbers), np.float32)
        self._steps.observe_in(position.array, player, planes, numbers)
        return Observation(planes.reshape(self.layout.shape), numbers)

    def mask(self, position: Position) -> Bytes:
        """One byte for each number of an action, 1 where it stands for a legal one; shape (actions,)."""
        out = np.zeros(self.layout.actions, np.uint8)
        self._steps.action_mask_in(position.array, out)
        return out

    def encode(self, position: Position, action: int) -> int:
        """The number that stands for a legal action; -1 if it has none."""
        return int(self._steps.encode_action_in(position.array, action))

    def action_of(self, position: Position, number: int) -> int:
        """The legal action for which a number stands; -1 if it stands for none."""
        if not 0 <= number < self.layout.actions:
            return -1
        return int(self._steps.decode_action_in(position.array, number))

    def decode(self, position: Position, number: int) -> int:
        """The legal action for which a number stands. Raises IllegalActionError, which says which numbers do for one."""
        if (action := self.action_of(position, number)) >= 0:
            return action
        legal = np.flatnonzero(self.mask(position)).tolist()
        if not legal:
            raise IllegalActionError(f"read action number {number}: the game is over")
        listed = ", ".join(map(str, legal[:20])) + (f" and {len(legal) - 20} more" if len(legal) > 20 else "")
        raise IllegalActionError(f"read action number {number}, which stands for no legal action here: expected {listed}")
