"""Paths traced from tile to tile, for people and programs to look at; the rules themselves know only where paths end."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.board import Place, Train, beyond, is_centre, numbers, trains
from ludoteca.games.metro.tiles import NONE, ORIENTED, exits

_EXITS: Final = ((), *(exits(face) for face in range(1, ORIENTED + 1)))


@cache
def trains_of(side: int) -> tuple[Train, ...]:
    """The trains 1, 2, .. of a board, made once."""
    return tuple(trains(side))


class Step(NamedTuple):
    """One tile travelled: its space and face, and the sides on which the path enters it and leaves it."""

    place: Place
    face: int
    entered: int
    left: int


class TracedPath(NamedTuple):
    """The path of a train, as far as tiles go."""

    number: int
    """The number of the train, from 1."""
    train: Train
    steps: tuple[Step, ...]
    """The tiles in the order travelled; none while there is no tile before the train."""
    end: Place
    """The place after the last tile: outside the board or in the centre, or a free space while the path is open."""
    closed: bool
    central: bool
    """True when it ends in the centre."""

    @property
    def points(self) -> int:
        """“Un număr de puncte egale cu numărul de cărți prin care trece”, “dublu” in the centre; 0 while it is open."""
        return len(self.steps) * (1 + self.central) * self.closed


def path_of(state: RawPosition, number: int) -> TracedPath:
    """The path of a train, by its number."""
    return _path(int(state.side), state.faces.tolist(), number)


def paths_of(state: RawPosition) -> list[TracedPath]:
    """The paths of all trains that have left, by number."""
    return paths_over(int(state.side), state.faces.tolist())


def paths_over(side: int, faces: Sequence[int]) -> list[TracedPath]:
    """The same, of a board with these oriented tiles on its spaces."""
    every = (_path(side, faces, number) for number in range(1, len(trains_of(side)) + 1))
    return [path for path in every if path.steps]


def _path(side: int, faces: Sequence[int], number: int) -> TracedPath:
    space_of, train = numbers(side), trains_of(side)[number - 1]
    place, entered = train.inside, train.side
    steps: list[Step] = []
    while place in space_of:
        face = faces[space_of[place]]
        if face == NONE:
            return TracedPath(number, train, tuple(steps), place, closed=False, central=False)
        left = _EXITS[face][entered]
        steps.append(Step(place, face, entered, left))
        place, entered = beyond(place, left), left ^ 2
    return TracedPath(number, train, tuple(steps), place, closed=True, central=is_centre(side, place))
