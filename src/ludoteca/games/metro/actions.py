"""The numbers of actions: the space, and the oriented tile that is laid there.

    32 * space + face          4480 declines the tile

It names the tile, and not only its rotation, so that a search over tiles to come tells those of different tiles apart.
"""

from typing import Final

from ludoteca.games.metro.board import MAX_SPACES
from ludoteca.games.metro.tiles import FACES

FACE_BITS: Final = 5
FACE: Final = (1 << FACE_BITS) - 1
DECLINE: Final = MAX_SPACES << FACE_BITS


def action_of(space: int, face: int) -> int:
    """The action that lays an oriented tile, 1 to 24, on a space."""
    return int(space) << FACE_BITS | int(face)


def space_of(action: int) -> int:
    """The space on which an action lays the tile."""
    return action >> FACE_BITS


def rotation_of(action: int) -> int:
    """The rotation in which an action lays the tile."""
    return FACES[(action & FACE) - 1][1]
