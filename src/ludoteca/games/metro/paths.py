"""The paths of trains, traced from tile to tile. Agents, pages and programs use them; the rules themselves store only where
paths end.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.board import Place, Train, beyond, is_centre, numbers, trains
from ludoteca.games.metro.tiles import ORIENTED, SIDES, exits

_EXITS: Final = ((), *(exits(face) for face in range(1, ORIENTED + 1)))


class Step(Struct, frozen=True, gc=False):
    """One tile of a path, with the sides on which the path enters it and leaves it."""

    place: Place
    face: int
    entered: int
    left: int


class TracedPath(NamedTuple):
    """The path of a train, up to its end or to the first free space."""

    number: int
    """The number of the train, from 1."""
    train: Train
    steps: tuple[Step, ...]
    """The tiles in the order travelled. Empty if there is no tile in front of the train."""
    end: Place
    """The place after the last tile: outside the board or in the centre, or a free space while the path is open."""
    closed: bool
    central: bool
    """True if the path ends in the centre."""

    @property
    def points(self) -> int:
        """The points of the path: one for each tile that it passes, twice as many if it ends in the centre, and 0 while it
        is open. “Un număr de puncte egale cu numărul de cărți prin care trece”, “dublu” in the centre.
        """
        return len(self.steps) * (1 + self.central) * self.closed


@cache
def trains_of(side: int) -> tuple[Train, ...]:
    """Return the trains 1, 2, .. of a board."""
    return tuple(trains(side))


def path_of(state: RawPosition, number: int) -> TracedPath:
    """Return the path of the train with this number, which counts from 1."""
    return path_along(int(state.side), state.faces.tolist(), number)


def paths_of(state: RawPosition) -> list[TracedPath]:
    """Return the paths of all trains in front of which there is a tile, in the order of the trains' numbers."""
    return [path for path in paths_over(int(state.side), state.faces.tolist()) if path.steps]


def paths_over(side: int, faces: Sequence[int]) -> list[TracedPath]:
    """Return the paths of all trains, in the order of their numbers. `faces` has the oriented tile on each space of the
    board, 0 on a free space.
    """
    return [path_along(side, faces, number) for number in range(1, SIDES * side + 1)]


def path_along(side: int, faces: Sequence[int], number: int) -> TracedPath:
    """Return the path of the train with this number. `faces` has the oriented tile on each space of the board, 0 on a free
    space.
    """
    space_of, train = numbers(side), trains_of(side)[number - 1]
    place, entered = train.inside, train.side
    steps: list[Step] = []
    while (space := space_of.get(place)) is not None and (face := faces[space]):
        left = _EXITS[face][entered]
        steps.append(Step(place, face, entered, left))
        place, entered = beyond(place, left), left ^ 2
    closed = place not in space_of
    return TracedPath(number, train, tuple(steps), place, closed, closed and is_centre(side, place))
