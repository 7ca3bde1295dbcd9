"""Paths traced from tile to tile, for people and programs to look at; the rules themselves know only where paths end."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.board import Place, Train, beyond, is_centre, numbers, spaces, trains
from ludoteca.games.metro.tiles import ORIENTED, SIDES, exits

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
    side = int(state.side)
    return path_along(side, number, trails_over(side, state.faces.tolist())[number - 1].route)


def paths_of(state: RawPosition) -> list[TracedPath]:
    """The paths of all trains that have left, by number."""
    side, trails = int(state.side), trails_over(int(state.side), state.faces.tolist())
    return [path_along(side, number, trail.route) for number, trail in enumerate(trails, 1) if trail.route]


class Trail(NamedTuple):
    """What a train has travelled."""

    route: bytes
    """The oriented tiles, one after the other; none for a train that has not left."""
    at: int
    """Where it is: the entrance to the next space (`_ways`), or -1 where the board or the path ends."""


def trails_over(side: int, faces: Sequence[int], begun: Sequence[Trail] | None = None) -> list[Trail]:
    """What each train travels, given the oriented tiles on the spaces of a board.

    Where it is known what they had travelled before the last tiles were laid, they go on from there.
    """
    onward, starts = _ways(side)
    trails = []
    for trail in starts if begun is None else begun:
        at = trail.at
        if at >= 0 and faces[at // SIDES]:
            route = bytearray(trail.route)
            while at >= 0 and (face := faces[at // SIDES]):
                route.append(face)
                at = onward[at][face]
            trail = Trail(bytes(route), at)
        trails.append(trail)
    return trails


@cache
def _ways(side: int) -> tuple[list[list[int]], list[Trail]]:
    """Where trains are that enter a space across a side, after each oriented tile: each such entrance is a number.

    The entrance across side s of space n is 4 n + s; none, where the board ends, is -1. Then where the trains begin.
    """
    space_of = numbers(side)

    def entrance(place: Place, across: int) -> int:
        return SIDES * space_of[place] + across if place in space_of else -1

    onward = []
    for place in spaces(side):
        for entered in range(SIDES):
            exits_of = (face_exits[entered] for face_exits in _EXITS[1:])
            onward.append([-1, *(entrance(beyond(place, left), left ^ 2) for left in exits_of)])
    return onward, [Trail(b"", entrance(train.inside, train.side)) for train in trains_of(side)]


def path_along(side: int, number: int, route: bytes) -> TracedPath:
    """The path of a train over these oriented tiles, one after the other."""
    space_of, train = numbers(side), trains_of(side)[number - 1]
    place, entered = train.inside, train.side
    steps: list[Step] = []
    for face in route:
        left = _EXITS[face][entered]
        steps.append(Step(place, face, entered, left))
        place, entered = beyond(place, left), left ^ 2
    closed = place not in space_of
    return TracedPath(number, train, tuple(steps), place, closed, closed and is_centre(side, place))
