"""The symmetries of Metro for learners: the board may be turned and mirrored in games of one or two players.

The 24 oriented tiles turn with the board, and their mirror images are among them. The mirror image of tile #3 is #5, turned,
that of #6 is #10, and those of the others are the same tile, turned. Both tiles of such a pair have the same number of
copies. The owners of trains also move with the board. The order of players stays the same only if all move on by the same
number of seats. With two players, a mirrored board exchanges their trains. With three and more, no change keeps the order.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from ludoteca.core.contract import Floats, Integers
from ludoteca.core.symmetries import Factor, Symmetry
from ludoteca.games.metro.board import NOBODY, Place, owners, trains
from ludoteca.games.metro.learn.features import FIRST_TRAINS, PRINTED, TURNED, layout, tiles_may_turn
from ludoteca.games.metro.tiles import FACE_OF, NONE, ORIENTED, ROTATION_OF, SIDES, exits, oriented, tile_id, turnable

NO_SYMMETRY: Final = -1


class Change(NamedTuple):
    """A change of the board: if `mirrored`, left and right are exchanged. Then it is turned by 90 degrees counter-clockwise
    `turns` times.
    """

    mirrored: bool
    turns: int

    def __str__(self) -> str:
        return " and ".join(["mirrored"] * self.mirrored + [f"turned {90 * self.turns} degrees"] * bool(self.turns))

    def side(self, side: int) -> int:
        """Return the number to which a side of the board, or of a tile, is moved."""
        return ((2 - side if self.mirrored else side) + self.turns) % SIDES

    def place(self, side: int, place: Place) -> Place:
        """Return the place to which a space is moved. `side` is the number of spaces on a side of the board."""
        x, y = place
        if self.mirrored:
            x = side + 1 - x
        for _ in range(self.turns):
            x, y = y, side + 1 - x
        return x, y

    def face(self, face: int) -> int:
        """Return the oriented tile that an oriented tile becomes."""
        return _face_after(self, face)

    def kind(self, kind: int) -> int:
        """Return the kind that a kind of tile in hand becomes."""
        if kind <= ORIENTED:
            return self.face(kind)
        return turnable(tile_id(self.face(oriented(tile_id(kind), 0))))

    def seats(self, side: int, players: int) -> int:
        """Return by how many seats the change moves the owners of trains, or NO_SYMMETRY if the number is not the same for
        all players. `side` is the number of spaces on a side of the board.
        """
        own = dict(zip(((train.inside, train.side) for train in trains(side)), owners(side, players), strict=True))
        pairs = {(owner, own[self.place(side, place), self.side(across)]) for (place, across), owner in own.items()}
        moved = {(after - before) % players for before, after in pairs if NOBODY not in (before, after)}
        mixed = any((before == NOBODY) != (after == NOBODY) for before, after in pairs)
        return moved.pop() if len(moved) == 1 and not mixed else NO_SYMMETRY


@cache
def _face_after(change: Change, face: int) -> int:
    ways = {change.side(side): change.side(out) for side, out in enumerate(exits(face))}
    return next(each for each in range(1, ORIENTED + 1) if dict(enumerate(exits(each))) == ways)


CHANGES: Final = [Change(mirrored, turns) for mirrored in (False, True) for turns in range(SIDES)]


def factors(parameters: Mapping[str, Any]) -> list[Factor]:
    """Return the only group of symmetries: the changes of the board that keep the order of players."""
    side, players = parameters["side"], parameters["players"]
    kept = [change for change in CHANGES if change.seats(side, players) != NO_SYMMETRY]
    return [Factor(len(kept), lambda number: _symmetry(parameters, kept[number]))]


def _symmetry(parameters: Mapping[str, Any], change: Change) -> Symmetry:
    side, shape = parameters["side"], layout(parameters)
    cells = _cells(side, change)
    planes = np.concatenate([cells + side * side * plane for plane in _planes(len(shape.planes), change)])
    turned = tiles_may_turn(parameters)
    kinds = [*(TURNED if turned else PRINTED)]
    numbers = np.arange(len(shape.numbers))
    for first in _lists_of_kinds(parameters, len(kinds)):
        numbers[[first + kinds.index(change.kind(kind)) for kind in kinds]] = first + np.arange(len(kinds))
    decline = np.arange(SIDES * len(cells) if turned else len(cells), shape.actions)
    if not turned:
        return Symmetry(str(change), planes, numbers, np.concatenate([cells, decline]))
    actions = np.array([np.concatenate([*_rotated(cells, kind, change), decline]) for kind in kinds])
    first = parameters["players"]

    def by_tile(shown: Floats) -> tuple[Integers, Integers]:
        return np.broadcast_to(numbers, shown.shape), actions[shown[..., first : first + len(kinds)].argmax(-1)]

    return Symmetry(str(change), planes, by_hand=by_tile)


def _cells(side: int, change: Change) -> Integers:
    """Return the cell from which each entry of a changed plane comes, by cell."""
    places = np.arange(side * side).reshape(side, side)
    return np.rot90(np.fliplr(places) if change.mirrored else places, change.turns).ravel()


def _planes(count: int, change: Change) -> Integers:
    """Return the plane from which each plane of a changed observation comes. `count` is the number of planes."""
    planes = np.arange(count)
    for face in range(1, ORIENTED + 1):
        planes[change.face(face)] = face
    for first in range(FIRST_TRAINS, count, SIDES):
        planes[[first + change.side(side) for side in range(SIDES)]] = first + np.arange(SIDES)
    return planes


def _lists_of_kinds(parameters: Mapping[str, Any], kinds: int) -> list[int]:
    """Return the indices, among the numbers of an observation, at which lists with one number for each kind of tile begin:
    those of the tile to be placed, the stack, and the hands.
    """
    players = parameters["players"]
    stack = players > 1 or parameters["tiles"] == "stack"
    hands = 2 * players + kinds * (1 + stack)
    return [players, *([players + kinds] * stack), *(hands + kinds * i for i in range(players if players > 1 else 0))]


def _rotated(cells: Integers, kind: int, change: Change) -> list[Integers]:
    """Return the action numbers from which the actions of the changed game come, for each rotation of the tile that `kind`
    becomes.

    A tile may have fewer than four distinct rotations. Actions with other rotations are never legal, so they take the
    numbers that are left over.
    """
    faces = [int(face) for face in FACE_OF[kind]]
    comes_from = {int(ROTATION_OF[change.face(face)]): times for times, face in enumerate(faces) if face != NONE}
    left = [times for times in range(SIDES) if times not in comes_from.values()]
    return [cells + len(cells) * (comes_from[times] if times in comes_from else left.pop()) for times in range(SIDES)]
