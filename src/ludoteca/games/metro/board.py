"""The five boards, 4 x 4 to 12 x 12: spaces, lanes, trains and stations, as tables by the number of the board. Actions.

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
edge. The lane into an outer station leads into a cell outside the board, and that into a central station into the centre.

    trains are numbered 1, 2, .. 4 * side from the top right corner counter-clockwise: on 8 x 8
    1-8 along the top from right to left, 9-16 down the left, 17-24 along the bottom from left to right, 25-32 up the right

An *action* is the space and the oriented tile that is placed there. It has the tile in addition to the rotation, so that a
search over tiles to come distinguishes the actions of different tiles:

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
"""The steps from a cell to its neighbours, by the side between them."""

Place = tuple[int, int]
"""x to the right, y down. The board has 1 to side, the places around it have 0 and side + 1, too."""


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
    """Return the places of the spaces 0, 1, .. of a board."""
    places = [(x, y) for y in range(1, side + 1) for x in range(1, side + 1)]
    return tuple(place for place in places if not is_centre(side, place))


def spaces_in(words: Iterable[int]) -> list[int]:
    """Return the numbers of the spaces in a set, given its words."""
    return [WORD * number + bit for number, word in enumerate(words) for bit in members(word)]


def number_of_spaces(side: int) -> int:
    """Return the number of spaces: 12, 32, 60, 96 or 140."""
    return side * side - 4


def place_of(side: int, space: int) -> Place:
    """Return the place of a space."""
    return spaces(side)[space]


@cache
def numbers(side: int) -> dict[Place, int]:
    """Return the numbers of the spaces by their places."""
    return {place: space for space, place in enumerate(spaces(side))}


def space_at(side: int, place: Place) -> int:
    """Return the number of the space at a place. Raises KeyError if there is none."""
    return numbers(side)[place]


def beyond(place: Place, side: int) -> Place:
    """Return the neighbour of a place across a side."""
    return place[0] + STEPS[side][0], place[1] + STEPS[side][1]


def is_outside(side: int, place: Place) -> bool:
    """Return True if a place is not on the board."""
    return not all(1 <= at <= side for at in place)


def border(side: int, place: Place) -> tuple[int, ...]:
    """Return the sides of a space that are on the edge of the board."""
    return tuple(across for across in range(SIDES) if is_outside(side, beyond(place, across)))


def trains(side: int) -> list[Train]:
    """Return the trains 1, 2, .. of a board."""
    up, down = range(side, 0, -1), range(1, side + 1)
    return [
        *(Train((x, 0), (x, 1), NORTH) for x in up),
        *(Train((0, y), (1, y), WEST) for y in down),
        *(Train((x, side + 1), (x, side), SOUTH) for x in down),
        *(Train((side + 1, y), (side, y), EAST) for y in up),
    ]


def lane(place: Place, side: int) -> int:
    """Return the lane into a place across a side."""
    return SIDES * (_ROW * place[1] + place[0]) + side


def lane_out(place: Place, side: int) -> int:
    """Return the lane out of a place across a side: the lane into its neighbour there, across the opposite side."""
    return lane(beyond(place, side), side ^ 2)


def outer_stations(side: int) -> list[int]:
    """Return the lanes of the outer stations, in the order of the trains next to them."""
    return [lane_out(train.inside, train.side) for train in trains(side)]


def central_stations(side: int) -> list[int]:
    """Return the lanes of the central stations: those into the centre from a space."""
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
    """Return the rotation in which an action places the tile."""
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
    """Return True if the tile alone would lead a train to an outer station. `edges` are the sides of the tile that are on
    the edge of the board.

    No other paths have length 1, so this is the whole rule "provided that no path of length 1 arises".
    """
    return any(side in edges and way_out in edges for side, way_out in enumerate(exits(face)))


LAST_RESORT: Final = KINDS + 1
"""Added to a kind if paths of length 1 are allowed."""

# Tables


def _words(members: list[int]) -> list[int]:
    return [set_of(space % WORD for space in members if space // WORD == word) for word in range(WORDS)]


def _beside(side: int) -> Iterator[list[int]]:
    """Yield the set of neighbours of each space."""
    for place in spaces(side):
        around = (beyond(place, across) for across in range(SIDES))
        yield _words([space_at(side, other) for other in around if other in numbers(side)])
    yield from [[0] * WORDS] * (MAX_SPACES - number_of_spaces(side))


def _fits(side: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield tables of the spaces, free or not, on which a tile may be placed: one for each row, by word of the set and by
    rotation.

    A row is a kind of tile. The row kind + LAST_RESORT is for players who may also make a path of length 1.
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
"""The lane into a space across side 0, by space, MAX_SPACES for each board. Those across the other sides follow it."""
BESIDE: Final = table(list(zip(*(words for side in BOARD_SIDES for words in _beside(side)), strict=True)))
"""The set of neighbours of a space, by word and by space as above."""
SPACES: Final = table([_words(list(range(len(spaces(side))))) for side in BOARD_SIDES])
"""The set of all spaces, by board."""
RIM: Final = table(
    [_words([space for space, place in enumerate(spaces(side)) if border(side, place)]) for side in BOARD_SIDES]
)
"""The set of the spaces on the edge, by board."""
FITS: Final = table(list(zip(*(row for side in BOARD_SIDES for row in _fits(side)), strict=True)))
"""The sets of `_fits`, by word, row (MAX_SPACES for each board, most of them empty) and rotation."""
LANE_OUT: Final = table(
    [[0] * SIDES] + [[lane_out((0, 0), way_out) for way_out in exits(face)] for face in range(1, ORIENTED + 1)]
)
"""The lane on which a track leaves, from the lane across side 0 on, by oriented tile and the side on which it enters."""
