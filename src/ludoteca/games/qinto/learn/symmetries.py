"""The symmetries of Q!nto for learners: permutations of colours and of shapes, colours exchanged with shapes, and rows with
columns.

Black and the shape `!` keep their names, because there is no wild for them. If colours are exchanged with shapes, black is
exchanged with `!`. The tiles of the hand are in the order of their kinds, so new names also give them other slots.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np

from ludoteca.core.contract import Floats, Integers
from ludoteca.core.symmetries import Factor, Symmetry
from ludoteca.games.qinto.learn.features import (
    ATTRIBUTES,
    OF_PLAYER,
    OF_SLOT,
    OF_TURN,
    PASS,
    PHASES,
    PLACES,
    PLANES,
    PLAYERS_AT,
    PUT,
    UNDER_AT,
    UNSEEN_AT,
    WILD_KINDS,
    WINDOW,
    turn_at,
)
from ludoteca.games.qinto.names import COLOURS, SHAPES
from ludoteca.games.qinto.rules import HAND
from ludoteca.games.qinto.tiles import COLOUR_WILDS, FIRST_WILD, KINDS, OPEN, SHAPE_WILDS, VALUES, colour_of, shape_of

WITHOUT_WILD: Final = 1
"""The number of the shape for which there is no wild. The colour for which there is none is 0."""
SAME: Final = tuple(range(2 * ATTRIBUTES))
"""The new number of each attribute if nothing changes: shapes, an open shape, then colours, an open colour."""
_ATTRIBUTES_OF: Final = {kind: (shape_of(kind), ATTRIBUTES + colour_of(kind)) for kind in range(1, KINDS + 1)}
_KIND_WITH: Final = {frozenset(attributes): kind for kind, attributes in _ATTRIBUTES_OF.items()}


def factors(parameters: Mapping[str, Any]) -> list[Factor]:
    """Return the groups of symmetries: permutations of colours, permutations of shapes, exchanging colours with shapes, and
    exchanging rows with columns.
    """
    players = parameters["players"]
    colours = [ATTRIBUTES + colour for colour in COLOUR_WILDS]
    all_shapes = [WITHOUT_WILD, *SHAPE_WILDS, OPEN]
    all_colours = [ATTRIBUTES, *colours, ATTRIBUTES + OPEN]
    exchanged = changed([*all_shapes, *all_colours], [*all_colours, *all_shapes])
    return [
        _new_names("colours", COLOURS, colours, players),
        _new_names("shapes", SHAPES, SHAPE_WILDS, players),
        Factor(
            2, lambda number: relabelled(*(("colours and shapes exchanged", exchanged) if number else ("", SAME)), players)
        ),
        Factor(2, lambda number: transposed(players) if number else relabelled("", SAME, players)),
    ]


def _new_names(what: str, letters: str, values: Sequence[int], players: int) -> Factor:
    """Return the group of all permutations of some values, which are colours or shapes. The name of a symmetry lists the new
    values: `colours bBGYR` exchanges red and yellow.
    """
    ways = list(permutations(values))
    first = ATTRIBUTES if what == "colours" else 0

    def element(number: int) -> Symmetry:
        becomes = changed(values, ways[number])
        name = f"{what} {''.join(letters[becomes[first + value] - first] for value in range(VALUES))}"
        return relabelled(name if number else "", becomes, players)

    return Factor(len(ways), element)


def changed(some: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """Return SAME, except that each attribute in `some` becomes the one at the same index in `others`."""
    becomes = dict(zip(some, others, strict=True))
    return tuple(becomes.get(attribute, attribute) for attribute in SAME)


def kind_after(kind: int, becomes: Sequence[int]) -> int:
    """Return the kind that a kind of tile becomes. `becomes` has the new number of each attribute, as SAME."""
    return _KIND_WITH[frozenset(becomes[attribute] for attribute in _ATTRIBUTES_OF[kind])]


def relabelled(name: str, becomes: Sequence[int], players: int) -> Symmetry:
    """Return the symmetry that replaces each shape and colour by its entry in `becomes`, which has the order of SAME."""
    attributes = np.argsort(becomes)
    planes = np.concatenate([attributes, np.arange(len(SAME), PLANES)])
    cells = (PLACES * planes[:, None] + np.arange(PLACES)).ravel()
    kinds = np.array([KINDS + 1, *(kind_after(kind, becomes) for kind in range(1, KINDS + 1))])
    fixed = _behind_the_hand(kinds[1:] - 1, players)
    in_slot = np.append(attributes, 2 * ATTRIBUTES)

    def by_hand(shown: Floats) -> tuple[Integers, Integers]:
        order = np.argsort(kinds[kinds_in(shown)], axis=-1, kind="stable")[..., None]
        many = order.shape[:-2]
        of_slots = (OF_SLOT * order + in_slot).reshape(*many, -1)
        of_actions = (PLACES * order + np.arange(PLACES)).reshape(*many, -1)
        return (
            np.concatenate([of_slots, np.broadcast_to(fixed, (*many, len(fixed)))], axis=-1),
            np.concatenate([of_actions, PUT + order[..., 0], np.full((*many, 1), PASS)], axis=-1),
        )

    return Symmetry(name, cells, by_hand=by_hand)


def kinds_in(numbers: Floats) -> Integers:
    """Return the kind of the tile in each slot of the hand, (..., slots), from the numbers of observations. Empty slots have
    0.
    """
    slots = numbers[..., : HAND * OF_SLOT].reshape(*numbers.shape[:-1], HAND, OF_SLOT)
    shapes, colours = slots[..., :ATTRIBUTES], slots[..., ATTRIBUTES : 2 * ATTRIBUTES]
    kinds: Integers = np.where(shapes.any(-1), _KINDS[shapes.argmax(-1), colours.argmax(-1)], 0)
    return kinds


_KINDS: Final = np.array(
    [
        [_KIND_WITH.get(frozenset((shape, ATTRIBUTES + colour)), 0) for colour in range(ATTRIBUTES)]
        for shape in range(ATTRIBUTES)
    ]
)
"""The kind of tile with a shape and a colour, or 0 if there is none."""


def _behind_the_hand(kinds: Integers, players: int) -> Integers:
    """Return the indices from which the numbers after those of the hand come. `kinds` has the new kind, minus one, for each
    kind.
    """
    source = np.arange(turn_at(players) + OF_TURN)
    for first in (UNSEEN_AT, UNDER_AT):
        source[first + kinds] = first + np.arange(KINDS)
    wilds = kinds[FIRST_WILD - 1 :] - (FIRST_WILD - 1)
    for player in range(players):
        first = PLAYERS_AT + OF_PLAYER * (player + 1) - WILD_KINDS
        source[first + wilds] = first + np.arange(WILD_KINDS)
    return source[HAND * OF_SLOT :]


def transposed(players: int) -> Symmetry:
    """Return the symmetry that exchanges rows and columns."""
    window = np.arange(PLACES).reshape(WINDOW, WINDOW).T.ravel()
    planes = (PLACES * np.arange(PLANES)[:, None] + window).ravel()
    actions = np.append((PLACES * np.arange(HAND)[:, None] + window).ravel(), np.arange(PUT, PASS + 1))
    row = turn_at(players) + PHASES
    numbers = np.arange(turn_at(players) + OF_TURN)
    numbers[[row, row + 1]] = row + 1, row
    return Symmetry("transposed", planes, numbers, actions)
