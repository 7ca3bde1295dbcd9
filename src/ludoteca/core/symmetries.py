"""The symmetries of games: changes such as a turned board that leave the rules of a game as they are. Programs that train a
learner use them to make more positions from one position.

A game's `symmetries.py` has a function `factors(parameters)`, which returns a list of `Factor`. Each factor is a group of
symmetries that is independent of the others, such as the four rotations. One element of each factor, applied one after
another, makes one symmetry of the game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod
from random import Random
from typing import TYPE_CHECKING, overload

import numpy as np

from ludoteca.core.contract import Bytes, Floats, Integers
from ludoteca.core.game import Game, load

if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True)
class Symmetry:
    """One symmetry: how it moves the entries of an observation and the action numbers of a learner
    (`core.contract.FeatureFunctions`).

    Each of the three arrays holds indices: entry `i` of the changed game is entry `array[i]` of the unchanged game.
    """

    name: str
    planes: Integers
    """Indices into the bytes of all planes of an observation, flattened: plane by plane, and each plane row by row."""
    numbers: Integers = field(default_factory=lambda: np.arange(0))
    actions: Integers = field(default_factory=lambda: np.arange(0))
    by_hand: Callable[[Floats], tuple[Integers, Integers]] | None = None
    """A function that replaces `numbers` and `actions` if these depend on the player's hand. It takes the numbers after the
    planes, (..., numbers), and returns the two arrays for each position, (..., numbers) and (..., actions)."""

    def planes_of(self, planes: Bytes) -> Bytes:
        """Return the planes of the changed game. `planes` are those of the unchanged game. Both have the shape (..., planes,
        rows, columns).
        """
        flat: Bytes = planes.reshape(*planes.shape[:-3], -1)[..., self.planes].reshape(planes.shape)
        return flat

    def numbers_of(self, numbers: Floats) -> Floats:
        """Return the numbers that follow the planes, for the changed game. `numbers` are those of the unchanged game. Both
        have the shape (..., numbers).
        """
        changed: Floats = np.take_along_axis(numbers, self._arrays(numbers)[0], axis=-1)
        return changed

    def actions_of(self, values: "np.ndarray[Any, Any]", numbers: Floats | None = None) -> "np.ndarray[Any, Any]":
        """Return the values of actions in the order of the action numbers of the changed game.

        `values` has one entry for each action number of the unchanged game, such as a mask, a policy or visits, of shape
        (..., actions). `numbers` are the numbers that follow the planes in the observations of the unchanged positions, of
        shape (..., numbers). Raises TypeError if this symmetry depends on the hand and `numbers` is missing.
        """
        if self.by_hand is None:
            return values[..., self.actions]
        if numbers is None:
            raise TypeError(f"{self.name}: the actions depend on the hand: pass the numbers of the observations")
        return np.take_along_axis(values, self.by_hand(numbers)[1], axis=-1)

    def then(self, other: "Symmetry") -> "Symmetry":
        """Return the symmetry that applies this one first and `other` second. Its name joins both names by a comma."""
        named = ", ".join(name for name in (self.name, other.name) if name)
        planes = self.planes[other.planes]
        if self.by_hand is None and other.by_hand is None:
            return Symmetry(named, planes, self.numbers[other.numbers], self.actions[other.actions])

        def both(numbers: Floats) -> tuple[Integers, Integers]:
            of_numbers, of_actions = self._arrays(numbers)
            then_numbers, then_actions = other._arrays(self.numbers_of(numbers))
            return (
                np.take_along_axis(of_numbers, then_numbers, axis=-1),
                np.take_along_axis(of_actions, then_actions, axis=-1),
            )

        return Symmetry(named, planes, by_hand=both)

    def _arrays(self, numbers: Floats) -> tuple[Integers, Integers]:
        """Return the index arrays for numbers and for actions, one row for each position. `numbers` are the numbers after
        the planes in the observations of these positions.
        """
        if self.by_hand is not None:
            return self.by_hand(numbers)
        many = numbers.shape[:-1]
        of_actions = np.broadcast_to(self.actions, (*many, len(self.actions)))
        return np.broadcast_to(self.numbers, (*many, len(self.numbers))), of_actions


@dataclass(frozen=True)
class Factor:
    """A group of symmetries, such as the rotations of a board.

    `order` is the count of its elements. `element(i)` makes the element `i`, from 0 to `order` - 1. Element 0 changes
    nothing.
    """

    order: int
    element: Callable[[int], Symmetry]


class Symmetries(Sequence[Symmetry]):
    """All symmetries of a game with its parameters, as a sequence. The first symmetry changes nothing. Each one is made when
    it is read, because there can be millions.
    """

    def __init__(self, game: "Game") -> None:
        layout = game.features.layout
        planes, numbers, actions = map(np.arange, (layout.cells, len(layout.numbers), layout.actions))
        self._identity = Symmetry("", planes, numbers, actions)
        known = game.spec.has("symmetries")
        self._factors: Sequence[Factor] = game.spec.module("symmetries").factors(game.parameters) if known else ()

    def __len__(self) -> int:
        return prod(factor.order for factor in self._factors)

    @overload
    def __getitem__(self, number: int) -> Symmetry: ...
    @overload
    def __getitem__(self, number: slice) -> list[Symmetry]: ...
    def __getitem__(self, number: int | slice) -> Symmetry | list[Symmetry]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(f"symmetry {number}: there are {len(self)}")
        chosen, rest = list[Symmetry](), number % len(self)
        for factor in self._factors:
            rest, one = divmod(rest, factor.order)
            chosen.append(factor.element(one))
        return reduce(Symmetry.then, chosen, self._identity)

    def random(self, random: Random) -> Symmetry:
        """Return one of the symmetries, drawn from the given generator with equal chances."""
        return self[random.randrange(len(self))]


def symmetries(game: "str | Game") -> Symmetries:
    """Return the symmetries of a game with its parameters. `game` may be the name of a game, which then has its default
    parameters. For a game without a module `symmetries` the only one changes nothing. Raises ContractError if the game has
    no observations for learners.

    >>> from ludoteca import load
    >>> [symmetry.name for symmetry in symmetries(load("okupacio", board="4x5"))]
    ['', 'turned 180 degrees', 'mirrored', 'mirrored and turned 180 degrees']
    """
    return Symmetries(load(game))
