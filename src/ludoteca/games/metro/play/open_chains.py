"""The chains that may still bring points in the game of one player on 8 x 8, as features of the learned value.

A feature has the beginning and the end of a chain, its number of tracks, and the fullness of the board:

    TRAIN     from a train to a free space              OUTER     from a free space to an outer station
    DEAD      from the centre, without a train          CENTRAL   from a free space to a central station
    LOOSE_FROM, LOOSE_TO     both ends of a chain with tracks between two free spaces

Further features are the number of tracks that are not paid, and the number of free spaces next to a tile and off the edge.
Tile #1 has a place only on those. Lanes that symmetries of the board map to each other are of one class.
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
"""The number of phases of the game. In each, eight more spaces are free."""
_STEPS: Final = (1, 2, 3, 4, 5, 7, 9, 12, 16, 21, 29, 40)
LENGTHS: Final = len(_STEPS) + 1
LENGTH: Final = table([sum(tracks >= step for step in _STEPS) for tracks in range(SIDES * SPACES + 1)])
"""The class of a chain's length, 0 to LENGTHS - 1, by the number of its tracks."""


def _class_of(place: tuple[int, int], side: int) -> tuple[int, int, int]:
    """Return the class of a lane. Lanes that a symmetry of the board maps to each other are alike, so the class is the
    smallest of the eight places and sides that they have.
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
    """Return the classes, by lane. Lanes out of the board and into the centre have separate classes."""
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
"""The lane out of a space across a side, from the lane in across side 0 on, by side."""

UNPAID: Final = KINDS_OF_CHAIN * PHASES * LENGTHS * CLASSES
"""The first of three features: sixteen, four and one of the tracks that are not paid. Each may occur several times."""
INNER: Final = UNPAID + 3
"""The first of the features, by the number of free spaces: 0, 1, 2 or more of them are off the edge and next to a tile."""
MOST_INNER: Final = 3
FEATURES: Final = INNER + (MOST_INNER + 1) * (SPACES + 1)


def feature(kind: int, phase: int, tracks: int, end: int) -> int:
    """Return the feature of an open chain: its kind, its number of tracks, and the class of a lane at which it can grow."""
    length = i64(LENGTH[index(tracks)])
    return ((kind * PHASES + phase) * LENGTHS + length) * CLASSES + i64(CLASS[index(end)])


def phase_of(free: int) -> int:
    """Return the phase of the game, by the number of free spaces."""
    return free >> 3


def tracks_of(word: int) -> int:
    """Return the number of tracks of a chain, from one of its words."""
    return ((word >> LANES_AT) & LANE) - 1


def inner_feature(free: int, frontier: int) -> int:
    """Return the feature for the number of free spaces off the edge, from the first word of a frontier."""
    inner = size(frontier & ~i64(RIM[BOARD // MAX_SPACES, 0]))
    return INNER + (MOST_INNER + 1) * free + min(inner, i64(MOST_INNER))
