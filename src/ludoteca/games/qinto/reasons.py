"""Why tiles cannot be added or swapped, for people: looked for when the rules have refused them, and never before.

Tiles are their names, places are (row, column) of any numbering; who tells of a reason numbers its places in his own way.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import product
from typing import Final, NamedTuple

from ludoteca.core.errors import ContractError
from ludoteca.games.qinto.grid import Place

LONGEST: Final = 5
WILD: Final = "W"
SHAPE, COLOUR = 0, 1
"""Which character of a tile's name."""


class Fault(Enum):
    """What may be wrong."""

    NOT_IN_HAND = auto()
    TAKEN = auto()
    TWICE = auto()
    BENT = auto()
    GAP = auto()
    APART = auto()
    FIRST = auto()
    TOO_LONG = auto()
    COLOURS = auto()
    SHAPES = auto()
    NOTHING_THERE = auto()
    NOT_WILD = auto()
    SAME_TILE = auto()
    SWAPPED = auto()


class Reason(NamedTuple):
    """A fault, the place and the tiles that it is about."""

    fault: Fault
    place: Place = (0, 0)
    """Of an invalid line, where it begins."""
    tiles: tuple[str, ...] = ()
    """Those of an invalid line, or the one tile that the fault is about."""
    across: bool = True
    """Whether an invalid line is a row."""


def why_not_added(
    tiles: Mapping[Place, str], hand: Counter[str], placing: Sequence[tuple[Place, str]], begun: Sequence[Place] = ()
) -> Reason:
    """Why these tiles of a hand cannot all be added in one turn.

    Of a turn that has begun, `begun` is the place of the one tile that was added, or both ends of the line as it is.
    """
    places = [place for place, _ in placing]
    return (
        _not_in_hand(hand, [tile for _, tile in placing])
        or _misplaced(tiles, places, begun)
        or _disconnected(tiles, places, begun)
        or _why_invalid({**tiles, **dict(placing)}, places)
    )


def why_not_swapped(
    tiles: Mapping[Place, str], hand: Counter[str], place: Place, tile: str, done: Collection[Place]
) -> Reason:
    """Why a tile of a hand cannot be swapped for the one at a place; `done` are the places of earlier swaps of the turn."""
    if place not in tiles:
        return Reason(Fault.NOTHING_THERE, place)
    if place in done:
        return Reason(Fault.SWAPPED, place)
    if WILD not in tiles[place]:
        return Reason(Fault.NOT_WILD, place, (tiles[place],))
    if lacking := _not_in_hand(hand, [tile]):
        return lacking
    return Reason(Fault.SAME_TILE, place, (tile,)) if tiles[place] == tile else _why_invalid({**tiles, place: tile}, [place])


def odd_ones(tiles: Sequence[str], part: int) -> tuple[str, str, str]:
    """Of tiles whose shapes (or colours) are neither all equal nor all different: two that agree, and one that does not."""
    known = [tile for tile in tiles if tile[part] != WILD]
    twice = next(value for value, number in Counter(tile[part] for tile in known).items() if number > 1)
    one, other, *_ = (tile for tile in known if tile[part] == twice)
    return one, other, next(tile for tile in known if tile[part] != twice)


def _not_in_hand(hand: Counter[str], tiles: Sequence[str]) -> Reason | None:
    needed = Counter(tiles)
    lacking = next(iter(needed - hand), None)
    return Reason(Fault.NOT_IN_HAND, tiles=needed[lacking] * (lacking,)) if lacking else None


def _misplaced(tiles: Mapping[Place, str], places: Sequence[Place], begun: Sequence[Place]) -> Reason | None:
    """“All in one straight line.”"""
    for number, place in enumerate(places):
        if place in tiles:
            return Reason(Fault.TAKEN, place, (tiles[place],))
        if place in places[:number]:
            return Reason(Fault.TWICE, place)
        rows, columns = zip(*begun, *places[: number + 1], strict=True)
        if min(len(set(rows)), len(set(columns))) > 1:
            return Reason(Fault.BENT, place)
    return None


def _disconnected(tiles: Mapping[Place, str], places: Sequence[Place], begun: Sequence[Place]) -> Reason | None:
    """“Connected with what lies there (through old tiles too), at least one touching the grid.”"""
    rows, columns = zip(*begun, *places, strict=True)
    for place in product(range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)):
        if place not in tiles and place not in places:
            return Reason(Fault.GAP, place)
    if tiles and not any(near in tiles for place in places for near in _neighbours(place)):
        return Reason(Fault.APART, places[0])
    return None


def _neighbours(place: Place) -> Iterator[Place]:
    row, column = place
    yield from ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))


def _why_invalid(tiles: Mapping[Place, str], places: Sequence[Place]) -> Reason:
    """The first line through some places that is not “2..5 adjacent tiles [...] all equal or all different”."""
    for place, across in product(places, (True, False)):
        start, line = _line(tiles, place, across=across)
        fault = _fault_of(line)
        if fault:
            return Reason(fault, start, line, across)
    raise ContractError(f"the rules refuse tiles at {places} for no reason that is known")


def _line(tiles: Mapping[Place, str], place: Place, *, across: bool) -> tuple[Place, tuple[str, ...]]:
    """The adjacent tiles in a row or column, through a place that has one, and where they begin."""
    down, right = (0, 1) if across else (1, 0)
    row, column = place
    while (row - down, column - right) in tiles:
        row, column = row - down, column - right
    start, line = (row, column), []
    while (row, column) in tiles:
        line.append(tiles[row, column])
        row, column = row + down, column + right
    return start, tuple(line)


def _fault_of(line: Sequence[str]) -> Fault | None:
    if len(line) > LONGEST:
        return Fault.TOO_LONG
    for part, fault in ((COLOUR, Fault.COLOURS), (SHAPE, Fault.SHAPES)):
        known = [tile[part] for tile in line if tile[part] != WILD]
        if 1 < len(set(known)) < len(known):
            return fault
    return None
