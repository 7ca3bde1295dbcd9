"""The features of the learned value in the game of one player on 8 x 8. Most of them describe an open chain: joined tracks
that may still bring points.

A feature has the kind of chain, a lane at its open end, its number of tracks, and how full the board is. The kinds are:

    TRAIN     from a train to a free space              OUTER     from a free space to an outer station
    DEAD      from the centre, without a train          CENTRAL   from a free space to a central station
    LOOSE_FROM, LOOSE_TO     both ends of a chain with tracks between two free spaces

Further features are the number of tracks that have not brought points yet, and the number of free spaces that are next to a
tile and not on the edge. These are the only places for tile #1. Lanes that symmetries of the board map to each other are
treated as one class.
"""

from typing import Any, Final

from ludoteca.core.bits import size
from ludoteca.core.contract import i64, index
from ludoteca.core.tables import table
from ludoteca.games.metro.board import (
    LANES,
    MAX_SPACES,
    RIM,
    beyond,
    is_centre,
    lane,
    lane_out,
    number_of_spaces,
    spaces,
)
from ludoteca.games.metro.rules import LANE, LANES_AT
from ludoteca.games.metro.sides import BOARD_SIDES
from ludoteca.games.metro.tiles import SIDES

SIDE: Final = 8
"""The side of the board for which the value is learned."""
SPACES: Final = number_of_spaces(SIDE)
BOARD: Final = MAX_SPACES * BOARD_SIDES.index(SIDE)

TRAIN, CENTRAL, OUTER, DEAD, LOOSE_FROM, LOOSE_TO = range(6)
KINDS_OF_CHAIN: Final = 6
PHASES: Final = 8
"""The number of phases of the game. Each phase is eight numbers of free spaces."""
_STEPS: Final = (1, 2, 3, 4, 5, 7, 9, 12, 16, 21, 29, 40)
LENGTHS: Final = len(_STEPS) + 1
LENGTH: Final = table([sum(tracks >= step for step in _STEPS) for tracks in range(SIDES * SPACES + 1)])
"""The class of a chain's length, 0 to LENGTHS - 1, by the number of the chain's tracks."""


def _class_of(place: tuple[int, int], side: int) -> tuple[int, int, int]:
    """Return a name for the class of the lane into a place across a side. Lanes that a symmetry of the board maps to each
    other are in one class, so the name is the smallest of the eight triples (x, y, side) to which the symmetries map the
    lane.
    """
    x, y = place
    images = []
    for column, across in ((x, side), (SIDE + 1 - x, (2 - side) % SIDES)):
        row = y
        for turns in range(SIDES):
            images.append((column, row, (across + turns) % SIDES))
            column, row = row, SIDE + 1 - column
    return min(images)


def _classes() -> list[int]:
    """Return the number of the class of each lane, by lane. Lanes out of the board and into the centre have separate
    classes.
    """
    numbers: dict[Any, int] = {}
    classes = [0] * LANES
    for place in spaces(SIDE):
        for side in range(SIDES):
            classes[lane(place, side)] = numbers.setdefault(_class_of(place, side), len(numbers))
    for place in spaces(SIDE):
        for side in range(SIDES):
            if beyond(place, side) not in spaces(SIDE):
                classes[lane_out(place, side)] = numbers.setdefault(("out", _class_of(place, side)), len(numbers))
    return classes


CLASS: Final = table(_classes())
CLASSES: Final = int(CLASS.max()) + 1
FROM_CENTRE: Final = table(
    [
        int(any(lane(place, side) == number and is_centre(SIDE, beyond(place, side)) for place, side in inlets))
        for inlets in [[(place, side) for place in spaces(SIDE) for side in range(SIDES)]]
        for number in range(LANES)
    ]
)
"""1 for lanes out of the centre, else 0, by lane."""
OUT: Final = table([lane_out((1, 1), side) - lane((1, 1), 0) for side in range(SIDES)])
"""The lane out of a space across a side minus the lane into the space across side 0, by side."""

UNPAID: Final = KINDS_OF_CHAIN * PHASES * LENGTHS * CLASSES
"""The first of three features, for 16, 4 and 1 tracks that have not brought points. Each may occur several times."""
INNER: Final = UNPAID + 3
"""The first of the features, by free spaces: 0, 1, 2 or more of these are next to a tile and not on the edge."""
MOST_INNER: Final = 3
FEATURES: Final = INNER + (MOST_INNER + 1) * (SPACES + 1)


def feature(kind: int, phase: int, tracks: int, end: int) -> int:
    """Return the feature of an open chain: `kind` is one of TRAIN to LOOSE_TO, `phase` is the phase of the game, and `end` a
    lane at which the chain can grow.
    """
    length = i64(LENGTH[index(tracks)])
    return ((kind * PHASES + phase) * LENGTHS + length) * CLASSES + i64(CLASS[index(end)])


def phase_of(free: int) -> int:
    """Return the phase of the game, by the number of free spaces."""
    return free >> 3


def tracks_of(word: int) -> int:
    """Return the number of tracks of a chain, given the word that one of its ends stores."""
    return ((word >> LANES_AT) & LANE) - 1


def inner_feature(free: int, frontier: int) -> int:
    """Return the feature for the number of free spaces that are next to a tile and not on the edge.

    `free` is the number of free spaces, and `frontier` the first word of the set of free spaces on the edge or next to a
    tile.
    """
    inner = size(frontier & ~i64(RIM[BOARD // MAX_SPACES, 0]))
    return INNER + (MOST_INNER + 1) * free + min(inner, i64(MOST_INNER))
