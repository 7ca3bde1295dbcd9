"""The boards of Metro, from 4 x 4 to 12 x 12: their spaces, trains and stations, the numbers of actions, and lookup tables
for the rules. The five boards have the numbers 0 to 4, by size.

Spaces are numbered in reading order without the centre, 0 to 59 on 8 x 8:

         x  1   2   3   4   5   6   7   8
    y  1    0   1   2   3   4   5   6   7
       ..
       3   16  17  18  19  20  21  22  23
       4   24  25  26  [     ] 27  28  29        the centre has no numbers
       5   30  31  32  [     ] 33  34  35

A set of spaces is up to three words of 60 bits: space s is bit s % 60 of word s // 60, so that 8 x 8 needs one.

All boards are on one sheet of 14 x 14 cells, (x, y) at 14 * y + x, so that the places around the board are cells, too. A
*lane* is the way into a cell across one of its sides: lane 4 * cell + side. The lane from a train leads into a space on the
edge. The lane into an outer station leads into a cell outside the board, and the lane into a central station into the
centre.

    trains are numbered 1, 2, .. 4 * side from the top right corner counter-clockwise: on 8 x 8
    1-8 along the top from right to left, 9-16 down the left, 17-24 along the bottom from left to right, 25-32 up the right

An *action* is the number of a space and of the oriented tile (`face`, see `tiles`) that is placed there. It has the tile and
not only its rotation, because a search over possible future tiles has to distinguish the actions of different tiles:

    32 * space + face          4480 declines the tile
"""

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from ludoteca.core.bits import members, set_of
from ludoteca.core.tables import table
from ludoteca.games.metro.sides import BOARD_SIDES, MAX_SIDE
from ludoteca.games.metro.tiles import (
    EAST,
    FACE_OF,
    FACES,
    KINDS,
    NONE,
    NORTH,
    ORIENTED,
    SIDES,
    SOUTH,
    WEST,
    exits,
)

MAX_SPACES: Final = MAX_SIDE * MAX_SIDE - 4
WORD: Final = 60
"""The number of spaces in a word of a set."""
WORDS: Final = 3

_ROW: Final = MAX_SIDE + 2
LANES: Final = SIDES * _ROW * _ROW

STEPS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The step (x, y) from a cell to its neighbour across each side, by side: west, south, east, north."""

Place = tuple[int, int]
"""x to the right, y down. Places on the board have 1 to `side`. The places around the board have 0 and `side` + 1, too."""


class Train(NamedTuple):
    """A train's place outside the board, the place of the space that it enters, and the side across which it enters."""

    outside: Place
    inside: Place
    side: int


# Places


def is_centre(side: int, place: Place) -> bool:
    """Return True for the four spaces in the middle of the board, which take no tile: “În centrul hărții se află 4 spații
    care nu sunt disponibile pentru a pune cărți”.
    """
    return all(at in (side // 2, side // 2 + 1) for at in place)


@cache
def spaces(side: int) -> tuple[Place, ...]:
    """Return the places of all spaces of a board with this many spaces on a side, in the order of the spaces' numbers."""
    places = [(x, y) for y in range(1, side + 1) for x in range(1, side + 1)]
    return tuple(place for place in places if not is_centre(side, place))


def spaces_in(words: Iterable[int]) -> list[int]:
    """Return the numbers of the spaces in a set, in ascending order. `words` are the set's words of 60 bits each."""
    return [WORD * number + bit for number, word in enumerate(words) for bit in members(word)]


def number_of_spaces(side: int) -> int:
    """Return the number of spaces on a board, without the centre: 12, 32, 60, 96 or 140."""
    return side * side - 4


def place_of(side: int, space: int) -> Place:
    """Return the place of a space."""
    return spaces(side)[space]


@cache
def numbers(side: int) -> dict[Place, int]:
    """Return the number of each space of a board, by its place."""
    return {place: space for space, place in enumerate(spaces(side))}


def space_at(side: int, place: Place) -> int:
    """Return the number of the space at a place. Raises KeyError if the place is in the centre or outside the board."""
    return numbers(side)[place]


def beyond(place: Place, side: int) -> Place:
    """Return the neighbour of a place across a side."""
    return place[0] + STEPS[side][0], place[1] + STEPS[side][1]


def is_outside(side: int, place: Place) -> bool:
    """Return True if a place is not on the board."""
    return not all(1 <= at <= side for at in place)


def border(side: int, place: Place) -> tuple[int, ...]:
    """Return those sides of the space at a place that are on the edge of the board."""
    return tuple(across for across in range(SIDES) if is_outside(side, beyond(place, across)))


def trains(side: int) -> list[Train]:
    """Return the trains of a board in the order of their numbers 1, 2, .."""
    up, down = range(side, 0, -1), range(1, side + 1)
    return [
        *(Train((x, 0), (x, 1), NORTH) for x in up),
        *(Train((0, y), (1, y), WEST) for y in down),
        *(Train((x, side + 1), (x, side), SOUTH) for x in down),
        *(Train((side + 1, y), (side, y), EAST) for y in up),
    ]


def lane(place: Place, side: int) -> int:
    """Return the number of the lane that leads into the cell at a place across one of its sides."""
    return SIDES * (_ROW * place[1] + place[0]) + side


def lane_out(place: Place, side: int) -> int:
    """Return the number of the lane that leads out of a place across a side. It is the lane into the neighbour across the
    opposite side.
    """
    return lane(beyond(place, side), side ^ 2)


def outer_stations(side: int) -> list[int]:
    """Return the lanes into the outer stations, in the order of the trains next to the stations."""
    return [lane_out(train.inside, train.side) for train in trains(side)]


def central_stations(side: int) -> list[int]:
    """Return the lanes into the central stations: all lanes that lead from a space into the centre."""
    return [
        lane_out(place, across)
        for place in spaces(side)
        for across in range(SIDES)
        if is_centre(side, beyond(place, across))
    ]


# Actions

FACE_BITS: Final = 5
FACE: Final = (1 << FACE_BITS) - 1
DECLINE: Final = MAX_SPACES << FACE_BITS


def action_of(space: int, face: int) -> int:
    """Return the action that places an oriented tile, 1 to 24, on a space."""
    return int(space) << FACE_BITS | int(face)


def space_of(action: int) -> int:
    """Return the space on which an action places the tile."""
    return action >> FACE_BITS


def rotation_of(action: int) -> int:
    """Return the rotation, 0 to 3, in which an action places the tile."""
    return FACES[(action & FACE) - 1][1]


# Owners

NOBODY: Final = 6

_OWNED: Final = {
    3: "1 4 6 11 15 20 23 25 28 31 / 2 7 9 12 14 19 22 27 29 32 / 3 5 8 10 13 18 21 24 26 30",
    4: "4 7 11 16 20 23 27 32 / 3 8 12 15 19 24 28 31 / 1 6 10 13 18 21 25 30 / 2 5 9 14 17 22 26 29",
    5: "1 5 10 14 22 28 / 6 12 18 23 27 32 / 3 7 15 19 25 29 / 2 9 13 21 26 30 / 4 8 11 20 24 31",
    6: "1 5 10 19 27 / 2 11 18 25 29 / 4 8 14 21 26 / 6 15 20 24 31 / 3 9 13 23 30 / 7 12 22 28 32",
}
"""The numbers of each player's trains, in the published game."""


@cache
def owners(side: int, players: int) -> tuple[int, ...]:
    """Return the owner of each train, from train 1 on, as a player's number from 0. A single player owns all trains.

    With 3, 5 or 6 players two of the 32 trains are left over. Their owner is `NOBODY`.
    """
    if players <= 2:
        return tuple(number % players for number in range(SIDES * side))
    owned = [[int(number) for number in numbers.split()] for numbers in _OWNED[players].split("/")]
    owner_of = {number: player for player, numbers in enumerate(owned) for number in numbers}
    return tuple(owner_of.get(number, NOBODY) for number in range(1, SIDES * side + 1))


# The law of placement


def leads_straight_out(face: int, edges: Collection[int]) -> bool:
    """Return True if this oriented tile alone would lead a train from the edge of the board to an outer station. `edges` are
    the sides of the tile that are on the edge.

    Only such a path has length 1, so this is the whole rule "provided that no path of length 1 arises".
    """
    return any(side in edges and way_out in edges for side, way_out in enumerate(exits(face)))


LAST_RESORT: Final = KINDS + 1
"""The row of FITS for a kind, plus this number, is the row for that kind if paths of length 1 are allowed."""

# Tables


def _words(members: list[int]) -> list[int]:
    return [set_of(space % WORD for space in members if space // WORD == word) for word in range(WORDS)]


def _beside(side: int) -> Iterator[list[int]]:
    """Yield the set of neighbours of each space of a board, as words. Empty sets follow, so that every board has MAX_SPACES
    sets.
    """
    for place in spaces(side):
        around = (beyond(place, across) for across in range(SIDES))
        yield _words([space_at(side, other) for other in around if other in numbers(side)])
    yield from [[0] * WORDS] * (MAX_SPACES - number_of_spaces(side))


def _fits(side: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield the rows of the table FITS for one board. A row has the sets of the spaces, free or not, on which a kind of tile
    may be placed. It is indexed by the word of the set and by the rotation of the tile.

    There is one row for each kind. The row kind + LAST_RESORT is for players who may also make a path of length 1. Empty
    rows follow, so that every board has MAX_SPACES rows.
    """
    bordered: dict[tuple[int, ...], list[int]] = {}
    for space, place in enumerate(spaces(side)):
        bordered.setdefault(border(side, place), []).append(space)
    sets = {edges: _words(members) for edges, members in bordered.items()}
    for row in range(2 * LAST_RESORT):
        kind, any_length = row % LAST_RESORT, row >= LAST_RESORT
        fitting = [
            [sets[edges] for edges in sets if face != NONE and (any_length or not leads_straight_out(face, edges))]
            for face in FACE_OF[kind].tolist()
        ]
        yield [tuple(sum(words[word] for words in where) for where in fitting) for word in range(WORDS)]
    nowhere: list[tuple[int, ...]] = [(0,) * SIDES] * WORDS
    yield from [nowhere] * (MAX_SPACES - 2 * LAST_RESORT)


LANE_OF: Final = table(
    [
        lane(spaces(side)[space], WEST) if space < number_of_spaces(side) else 0
        for side in BOARD_SIDES
        for space in range(MAX_SPACES)
    ]
)
"""The lane into a space across side 0, by space, MAX_SPACES for each board. The lanes across sides 1 to 3 follow it."""
BESIDE: Final = table(list(zip(*(words for side in BOARD_SIDES for words in _beside(side)), strict=True)))
"""The set of neighbours of a space, by word of the set and by space, with MAX_SPACES spaces for each board."""
SPACES: Final = table([_words(list(range(len(spaces(side))))) for side in BOARD_SIDES])
"""The set of all spaces, by board."""
RIM: Final = table(
    [_words([space for space, place in enumerate(spaces(side)) if border(side, place)]) for side in BOARD_SIDES]
)
"""The set of the spaces on the edge, by board."""
FITS: Final = table(list(zip(*(row for side in BOARD_SIDES for row in _fits(side)), strict=True)))
"""The sets of spaces on which a tile may be placed, by word of the set, row and rotation. `_fits` describes the rows."""
LANE_OUT: Final = table(
    [[0] * SIDES] + [[lane_out((0, 0), way_out) for way_out in exits(face)] for face in range(1, ORIENTED + 1)]
)
"""The lane on which a track leaves minus the lane across side 0, by oriented tile and the side on which it enters."""
