"""The ten tiles of Metro, their rotations, and the stack of 60 tiles of the published game.

Sides are numbered as the document lists tracks, counter-clockwise from the left: W 0, S 1, E 2, N 3. A tile has a number
from 1 to 10, its *id*. An *oriented* tile is a tile in one of its rotations. There are 24 of them, and they are numbered:

    0 none   1 #1   2-5 #2 R0..R3   6-9 #3   10-11 #4 R0 R1   12-15 #5   16 #6   17-20 #7   21-22 #8   23 #9   24 #10

In the code an oriented tile is called `face`. A tile in hand is a *kind*: 1 to 24 is an oriented tile that must be placed in
that rotation, and 24 + id is a tile that may be turned.
"""

from typing import Final

from ludoteca.core.tables import table

TILES: Final = (
    (0, 0, 0, 0),
    (0, 0, 1, 3),
    (0, 1, 1, 2),
    (0, 2, 0, 2),
    (0, 2, 3, 3),
    (1, 1, 1, 1),
    (1, 2, 2, 3),
    (1, 3, 1, 3),
    (2, 2, 2, 2),
    (3, 3, 3, 3),
)
"""“Fiecare număr reprezentând pe a câta latură ajunge conexiunea față de latura de unde a pornit”, from the left side on."""
IDS: Final = len(TILES)
SIDES: Final = 4
WEST, SOUTH, EAST, NORTH = range(SIDES)
NONE: Final = 0

Tracks = tuple[int, int, int, int]


def rotated(tracks: Tracks, times: int) -> Tracks:
    """Return the tracks of a tile that is turned `times` times. A rotation shifts the list to the right: “o deplasare
    circulară a listei de conexiuni”.
    """
    a, b, c, d = tracks
    return ((a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a))[times]


def distinct_rotations(tile: int) -> int:
    """Return how many rotations of a tile look different: 1, 2 or 4. They are the rotations from 0 on."""
    return len({rotated(TILES[tile - 1], times) for times in range(SIDES)})


FACES: Final = tuple((tile, times) for tile in range(1, IDS + 1) for times in range(distinct_rotations(tile)))
"""The id and the rotation of each oriented tile, from oriented tile 1 to 24."""
ORIENTED: Final = len(FACES)
KINDS: Final = ORIENTED + IDS

_NUMBER: Final = {face: number for number, face in enumerate(FACES, 1)}


def oriented(tile: int, times: int) -> int:
    """Return the number of a tile in a rotation. Raises KeyError if that rotation looks like an earlier one."""
    return _NUMBER[tile, times]


def turnable(tile: int) -> int:
    """Return the kind of a tile that may be turned."""
    return ORIENTED + tile


def tile_id(kind: int) -> int:
    """Return the id, 1 to 10, of a kind or an oriented tile."""
    return kind - ORIENTED if kind > ORIENTED else FACES[kind - 1][0]


def rotations(kind: int) -> range:
    """Return the rotations in which a tile of this kind may be placed."""
    if kind > ORIENTED:
        return range(distinct_rotations(kind - ORIENTED))
    times = FACES[kind - 1][1]
    return range(times, times + 1)


def faces(kind: int) -> list[int]:
    """Return the oriented tiles as which a tile of this kind may be placed, in the order of rotations. The list is empty for
    kind NONE.
    """
    return [oriented(tile_id(kind), times) for times in rotations(kind)] if kind != NONE else []


def exits(face: int) -> tuple[int, ...]:
    """Return the side on which each track leaves an oriented tile, by the side on which the track enters."""
    tile, times = FACES[face - 1]
    return tuple((side + turn) % SIDES for side, turn in enumerate(rotated(TILES[tile - 1], times)))


PRINTED: Final = (0, *({7: 4, 8: 3, 9: 4}.get(tile, 2) for tile, _ in FACES))
"""The number of copies of each oriented tile in the published game: "#7 R0..R3 x4; #8 R0 R1 x3; #9 x4", the others x2."""
STACK: Final = sum(PRINTED)

FACE_OF: Final = table(
    [
        [_NUMBER.get((tile_id(kind), times), NONE) if kind and times in rotations(kind) else NONE for times in range(SIDES)]
        for kind in range(KINDS + 1)
    ],
    "int8",
)
"""The oriented tile, by kind and rotation. It is NONE if a tile of the kind cannot be placed in that rotation."""
ROTATION_OF: Final = table([0, *(rotations(kind)[0] for kind in range(1, KINDS + 1))], "int8")
"""The rotation in which a tile must be placed, by kind. It is 0 for a tile that may be turned."""
