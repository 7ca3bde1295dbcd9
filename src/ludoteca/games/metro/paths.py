"""Paths traced from tile to tile, for people and programs to look at; the rules themselves know only where paths end."""

from typing import NamedTuple

from ludoteca.core.contract import Record
from ludoteca.games.metro.board import Place, Train, beyond, is_centre, is_outside, space_at, trains
from ludoteca.games.metro.tiles import NONE, exits


class Step(NamedTuple):
    """One tile travelled: its space and face, and the sides on which the path enters it and leaves it."""

    place: Place
    face: int
    entered: int
    left: int


class Path(NamedTuple):
    """What a train travels, as far as tiles go."""

    number: int
    """The train's, from 1."""
    train: Train
    steps: tuple[Step, ...]
    """In the order travelled; empty while there is no tile before the train."""
    end: Place
    """Where it leaves its last tile for: outside the board or in the centre, a free space while it is open."""
    closed: bool
    central: bool
    """True when it ends in the centre."""

    @property
    def points(self) -> int:
        """“Un număr de puncte egale cu numărul de cărți prin care trece”, “dublu” in the centre; 0 while it is open."""
        return len(self.steps) * (1 + self.central) * self.closed


def path_of(state: Record, number: int) -> Path:
    """The path of a train, by its number."""
    side = int(state.side)
    train = trains(side)[number - 1]
    place, entered = train.inside, train.side
    steps: list[Step] = []
    while not (is_outside(side, place) or is_centre(side, place)):
        face = int(state.faces[space_at(side, place)])
        if face == NONE:
            return Path(number, train, tuple(steps), place, closed=False, central=False)
        left = exits(face)[entered]
        steps.append(Step(place, face, entered, left))
        place, entered = beyond(place, left), left ^ 2
    return Path(number, train, tuple(steps), place, closed=True, central=is_centre(side, place))


def paths_of(state: Record) -> list[Path]:
    """The paths of all trains that have left, by number."""
    every = (path_of(state, number) for number in range(1, len(trains(int(state.side))) + 1))
    return [path for path in every if path.steps]
