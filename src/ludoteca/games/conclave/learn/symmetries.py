"""The symmetries of Conclave for learners: permutations of the magics, of the brotherhoods, of the places of hands, and of
the two piles.

The rules treat all magics alike, and also all brotherhoods, places and piles. The board cannot be turned or mirrored,
because its holes are filled in reading order.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np

from ludoteca.core.contract import Integers
from ludoteca.core.symmetries import Factor, Symmetry
from ludoteca.games.conclave.deck import BROTHERHOODS, INFLUENCES, MAGICS
from ludoteca.games.conclave.learn.features import (
    BROTHERHOOD_NAMES,
    GIVE,
    HANDS,
    KEEP,
    MAGIC_NAMES,
    PILES,
    PLACES,
    TAKE,
    UNSEEN,
    layout,
)
from ludoteca.games.conclave.rules import HAND
from ludoteca.games.conclave.sets import CELLS, FACES

PILE_NAMES: Final = ("left", "right")

Arrays = tuple[Integers, Integers, Integers]
"""For each byte of the planes, each number and each action: the index from which its value comes."""


def factors(parameters: Mapping[str, Any]) -> list[Factor]:
    """Return the groups of symmetries: 720 permutations of magics, 6 of brotherhoods, 24 of the places of all hands, and 2
    of the piles.
    """
    shape = layout(parameters)

    def factor(names: Sequence[str], change: Callable[[Arrays, Integers], None]) -> Factor:
        orders = list(permutations(range(len(names))))

        def element(number: int) -> Symmetry:
            arrays = np.arange(shape.cells), np.arange(len(shape.numbers)), np.arange(shape.actions)
            order = np.array(orders[number])
            change(arrays, order)
            moved = [f"{names[old]} as {names[new]}" for new, old in enumerate(orders[number]) if new != old]
            return Symmetry(" and ".join(moved), *arrays)

        return Factor(len(orders), element)

    places = [f"place {place}" for place in range(HAND)]
    return [
        factor(MAGIC_NAMES, _change_magics),
        factor(BROTHERHOOD_NAMES, _change_brotherhoods),
        factor(places, _change_places),
        factor([f"the {name} pile" for name in PILE_NAMES], _change_piles),
    ]


# The functions below change the sources: thing `order[new]` becomes thing `new`.


def _change_magics(arrays: Arrays, order: Integers) -> None:
    planes, numbers, actions = arrays
    for begin in (0, HANDS, UNSEEN, PILES, PILES + MAGICS * CELLS):
        _reorder(planes[begin : begin + MAGICS * CELLS].reshape(MAGICS, CELLS), order)
    followers = numbers[: len(actions[GIVE:]) + MAGICS]  # those of the receivers of cessions, and the player's own
    _reorder(followers.reshape(-1, MAGICS).T, order)
    _reorder(actions[GIVE:].reshape(-1, MAGICS).T, order)


def _change_brotherhoods(arrays: Arrays, order: Integers) -> None:
    planes = arrays[0]
    for begin in (MAGICS * CELLS, HANDS + MAGICS * CELLS):
        _reorder(planes[begin : begin + BROTHERHOODS * CELLS].reshape(BROTHERHOODS, CELLS), order)
    unseen = planes[UNSEEN:PILES].reshape(MAGICS, CELLS)[:, :FACES]
    for faces in unseen:
        _reorder(faces.reshape(BROTHERHOODS, INFLUENCES), order)


def _change_places(arrays: Arrays, order: Integers) -> None:
    planes, _, actions = arrays
    _reorder(planes[HANDS:UNSEEN].reshape(PLACES * CELLS // HAND, HAND).T, order)
    _reorder(actions[:KEEP].reshape(HAND, CELLS), order)


def _change_piles(arrays: Arrays, order: Integers) -> None:
    planes, numbers, actions = arrays
    _reorder(planes[PILES:].reshape(2, MAGICS * CELLS), order)
    _reorder(numbers[-2:], order)
    _reorder(actions[TAKE:GIVE], order)


def _reorder(rows: Integers, order: Integers) -> None:
    """Put the rows of an array into this order. The array is changed in place, because it is a view of another array."""
    rows[:] = rows[order]
