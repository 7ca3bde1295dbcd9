"""Symmetries: changes of a game's looks, such as a turned board, under which its rules stay the same. Learners use them.

A game's `symmetries.py` holds `factors(parameters)`, independent groups of them: one of each, together, make a symmetry.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from random import Random
from typing import TYPE_CHECKING, overload

import numpy as np

from ludoteca.core.contract import Bytes, Floats, Integers

if TYPE_CHECKING:
    from typing import Any

    from ludoteca.core.game import Game


@dataclass(frozen=True)
class Symmetry:
    """How one symmetry acts on observations and on the learners' numbers of actions.

    Each array says where every entry of the result is taken from: `result[i] = given[array[i]]`.
    """

    name: str
    planes: Integers
    """Over the bytes of all planes, one plane after another."""
    numbers: Integers
    actions: Integers

    def planes_of(self, planes: Bytes) -> Bytes:
        """The planes, (..., planes, rows, columns), as they look in the changed game."""
        flat: Bytes = planes.reshape(*planes.shape[:-3], -1)[..., self.planes].reshape(planes.shape)
        return flat

    def numbers_of(self, numbers: Floats) -> Floats:
        """The numbers behind the planes, (..., numbers), in the changed game."""
        changed: Floats = numbers[..., self.numbers]
        return changed

    def actions_of(self, values: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """What is said of each action (a mask, a policy, visits), (..., actions), said of those of the changed game."""
        return values[..., self.actions]

    def then(self, other: "Symmetry") -> "Symmetry":
        """This symmetry, then the other."""
        named = ", ".join(name for name in (self.name, other.name) if name)
        arrays = zip((self.planes, self.numbers, self.actions), (other.planes, other.numbers, other.actions), strict=True)
        return Symmetry(named, *(first[second] for first, second in arrays))


@dataclass(frozen=True)
class Factor:
    """A group of symmetries that is made element by element; the element 0 changes nothing."""

    order: int
    element: Callable[[int], Symmetry]


class Symmetries(Sequence[Symmetry]):
    """All symmetries of a game with its parameters; the first changes nothing. `ludoteca.symmetries(game)`."""

    def __init__(self, game: "Game") -> None:
        layout = game.features.layout
        same = (np.arange(size) for size in (layout.cells, len(layout.numbers), layout.actions))
        self._identity = Symmetry("", *same)
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
        """One of them, all equally likely."""
        return self[random.randrange(len(self))]


def symmetries(game: "Game") -> Symmetries:
    """The symmetries of a game with its parameters. Raises ContractError when the game has no features."""
    return Symmetries(game)
