"""The chains that may still bring points in the game of one player on 8 x 8, as the learned value tells them apart.

Of a chain that does it is told where it begins and ends, how many tracks it has, and how full the board is:

    TRAIN     from a train to a free space              OUTER     from a free space to an outer station
    DEAD      from the centre, where nobody starts      CENTRAL   from a free space to a central station
    LOOSE_FROM, LOOSE_TO     both ends of a chain with tracks between two free spaces

The number of tracks that are not paid counts besides, and the free spaces beside a tile where no side is the edge: #1 has a
place nowhere else. Lanes that a symmetry of the board makes of each other are of one class.
"""

from typing import Any, Final

from ludoteca.core.bits import size
from ludoteca.core.contract import i64, index
from ludoteca.core.tables import table
from ludoteca.games.metro.board import (
    BOARD_SIDES,
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
from ludoteca.games.metro.tiles import SIDES

SIDE: Final = 8
"""The board for which values are learned."""
SPACES: Final = number_of_spaces(SIDE)
BOARD: Final = MAX_SPACES * BOARD_SIDES.index(SIDE)

TRAIN, CENTRAL, OUTER, DEAD, LOOSE_FROM, LOOSE_TO = range(6)
KINDS_OF_CHAIN: Final = 6
PHASES: Final = 8
"""Spaces without a tile are counted by eights."""
_STEPS: Final = (1, 2, 3, 4, 5, 7, 9, 12, 16, 21, 29, 40)
LENGTHS: Final = len(_STEPS) + 1
LENGTH: Final = table([sum(tracks >= step for step in _STEPS) for tracks in range(SIDES * SPACES + 1)])
"""By the number of tracks: how long that is, 0 to LENGTHS - 1."""


def _class_of(place: tuple[int, int], side: int) -> tuple[int, int, int]:
    """The first of the eight places and sides that the symmetries of the board make of these."""
    x, y = place
    images = []
    for column, across in ((x, side), (SIDE + 1 - x, (2 - side) % SIDES)):
        row = y
        for turns in range(SIDES):
            images.append((column, row, (across + turns) % SIDES))
            column, row = row, SIDE + 1 - column
    return min(images)


def _classes() -> list[int]:
    """By lane: its class. Lanes out of the board and into the centre have classes of their own."""
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
"""By lane: 1 if it leads out of the centre."""
OUT: Final = table([lane_out((1, 1), side) - lane((1, 1), 0) for side in range(SIDES)])
"""By side of a space: the lane that leads out across it, from the lane across side 0 on."""

UNPAID: Final = KINDS_OF_CHAIN * PHASES * LENGTHS * CLASSES
"""Sixteen, four, one of the tracks that are not paid: each counts as often as it is there."""
INNER: Final = UNPAID + 3
"""By the number of free spaces: none, one, two, or more free ones off the edge and beside a tile."""
MOST_INNER: Final = 3
FEATURES: Final = INNER + (MOST_INNER + 1) * (SPACES + 1)


def feature(kind: int, phase: int, tracks: int, end: int) -> int:
    """The feature of a chain of that kind with that many tracks, for a lane at which it can grow."""
    length = i64(LENGTH[index(tracks)])
    return ((kind * PHASES + phase) * LENGTHS + length) * CLASSES + i64(CLASS[index(end)])


def phase_of(free: int) -> int:
    """The phase of the game, by the number of free spaces."""
    return free >> 3


def tracks_of(word: int) -> int:
    """The number of tracks of a chain, from one of its words."""
    return ((word >> LANES_AT) & LANE) - 1


def inner_feature(free: int, frontier: int) -> int:
    """The feature of how many free spaces in the first word of a frontier are off the edge."""
    inner = size(frontier & ~i64(RIM[BOARD // MAX_SPACES, 0]))
    return INNER + (MOST_INNER + 1) * free + min(inner, i64(MOST_INNER))
