"""Names of Q!nto's tiles and places, the tiles of a position by name, and the grid as text. Notation, pages and text
programs use them.

A tile is named by its shape and its colour, as in the document: `1b` to `5Y`. A wild tile leaves its shape or its colour
open, or both, and has `W` in its name for the open part: `1W`, `WG`, `WW`. A place is (row, column), counted downwards and
to the right from the first tile, which is at 0,0. The grid is a torus of 64 x 64 cells without an edge, so that row 1,
row 65 and row -63 are the same row.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import dropwhile
from typing import Final, NamedTuple, TypeAlias

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.games.qinto.hidden import HANDS, PLACES_AT, has_own_pile, pile_of
from ludoteca.games.qinto.legal import ADDING, COLUMN, ROW
from ludoteca.games.qinto.rim import SIDE, below, beside
from ludoteca.games.qinto.tiles import FIRST_WILD, KINDS, SWAPPED, colour_of, copies, shape_of

SHAPES: Final = "12345W"
COLOURS: Final = "bBGRYW"
WILD: Final = "W"
"""The character in a tile's name for the shape or the colour that a wild leaves open."""
HIDDEN: Final = "?"
"""The name of a tile that the seat does not see."""
END: Final = "end"
"""The action that ends a turn."""
HALF: Final = SIDE // 2

_NAMES: Final = (HIDDEN, *(SHAPES[shape_of(kind)] + COLOURS[colour_of(kind)] for kind in range(1, KINDS + 1)))
KIND_OF: Final = {name: kind for kind, name in enumerate(_NAMES) if name != HIDDEN}
"""The number of each kind by its name."""
COPIES: Final = {name: copies(kind) for name, kind in KIND_OF.items()}
"""The number of tiles in the deck (1 or 2) by the name of the kind."""


def kind_name(kind: int) -> str:
    """Return the name of a kind, such as `5b`. Kind 0 is a tile that the viewer does not see, and its name is `?`."""
    return _NAMES[kind]


def read_kind(text: str) -> int:
    """Return the kind of tile with a name. Raises NotationError if no tile has this name, also for `?`, the name of an
    unseen tile.
    """
    if text not in KIND_OF:
        raise NotationError(("unread.tile", repr(text[:20])), __package__)
    return KIND_OF[text]


# Places and cells


Place: TypeAlias = tuple[int, int]
"""Row and column."""
PLACE: Final = "(-?[0-9]{1,3}),(-?[0-9]{1,3})"
"""The regular expression for a place, with a group for the row and one for the column."""


def place_name(place: Place) -> str:
    """Return a place as text, such as `-1,2`: row and column, each as its equal number in -32..31."""
    row, column = wrapped(place)
    return f"{row},{column}"


def read_place(text: str) -> Place:
    """Return the place with a name, such as `-1,2`. Raises NotationError if the text is not two numbers of at most three
    digits each.
    """
    found = re.fullmatch(PLACE, text)
    if not found:
        raise NotationError(("unread.cell", repr(text[:20])), __package__)
    return int(found[1]), int(found[2])


def cell_of(place: Place) -> int:
    """Return the number of the grid's cell at a place, 64 * row + column, from 0 in the upper left corner."""
    row, column = place
    return (row + HALF) % SIDE * SIDE + (column + HALF) % SIDE


def place_of(cell: int) -> Place:
    """Return the place of a grid's cell, with row and column in -32..31."""
    row, column = divmod(int(cell), SIDE)
    return row - HALF, column - HALF


def wrapped(place: Place) -> Place:
    """Return the same place with row and column in -32..31, because numbers that differ by 64 are the same row or column."""
    row, column = place
    return _counted(row, -HALF), _counted(column, -HALF)


def place_near(tiles: Collection[Place], cell: int) -> Place:
    """Return the place of a cell. Of its possible rows and columns, 64 apart, those nearest to the given tiles
    are chosen.
    """
    middles = [(min(lines) + max(lines) + 1) // 2 for lines in zip(*tiles, strict=True)] or [0, 0]
    row, column = place_of(cell)
    return _counted(row, middles[0] - HALF), _counted(column, middles[1] - HALF)


def _counted(line: int, first: int) -> int:
    """Return the number of a row or column that is in the 64 numbers from `first` on. It differs from `line` by a multiple
    of 64.
    """
    return first + (line - first) % SIDE


# The tiles of a position


def tiles_of(state: RawPosition) -> dict[Place, str]:
    """Return the names of the tiles on the grid, by place.

    The numbers of adjacent rows and columns always follow each other, so they may be outside -32..31 if the tiles reach so
    far.
    """
    grid, cells = state.grid.tobytes(), list[int]()
    rest = grid.lstrip(b"\0")
    while rest:  # a loop over all cells takes ten times as long
        cells.append(len(grid) - len(rest))
        rest = rest[1:].lstrip(b"\0")
    places, kinds = [place_of(cell) for cell in cells], [grid[cell] for cell in cells]
    top, left = (_first_of(set(lines)) for lines in zip(*places, strict=True)) if places else (0, 0)
    named = zip(places, kinds, strict=True)
    return {(_counted(row, top), _counted(column, left)): kind_name(kind % SWAPPED) for (row, column), kind in named}


def _first_of(lines: set[int]) -> int:
    """Return the first row, or column, that has a tile. The rows with tiles have no gap between them, and row 0 is one of
    them.
    """
    first = 0
    while _counted(first - 1, -HALF) in lines:
        first -= 1
    return first


def line_of_turn(state: RawPosition) -> list[int]:
    """Return the first and the last cell of the line to which this turn has added tiles. If it has added one tile, return
    its cell alone.

    The list is empty if the turn has added no tile.
    """
    left, right, up, down = state.ends.tolist()
    if state.line == ROW:
        return [beside(left, 1), beside(right, -1)]
    if state.line == COLUMN:
        return [below(up, 1), below(down, -1)]
    return [left // SIDE * SIDE + up % SIDE] if state.phase == ADDING else []


def hand_of(state: RawPosition, player: int) -> list[str]:
    """Return the names of the tiles in a player's hand, in the order of their kinds. If the position is a view that hides
    the hand, each name is `?`.
    """
    held, paired = int(state.held[player]), int(state.paired[player])
    names = [kind_name(kind) for kind in members(held) for _ in range(1 + (paired >> kind & 1))]
    return names or int(state.in_hand[player]) * [HIDDEN]


def piles_of(state: RawPosition) -> range:
    """Return the numbers of the piles: one for each player in Light, else one."""
    return range(int(state.players)) if has_own_pile(state) else range(1)


def pile_size(state: RawPosition, player: int) -> int:
    """Return the number of tiles in the pile from which a player draws."""
    return int(state.piled[pile_of(state, player)])


def pile_names(state: RawPosition, pile: int) -> list[str]:
    """Return the names of the tiles of a pile from the top down, `?` for tiles that the viewer does not see."""
    start = pile * int(state.share)
    return [kind_name(kind) for kind in state.piles[start : start + int(state.piled[pile])].tolist()][::-1]


def seen_in_pile(state: RawPosition, pile: int) -> list[str]:
    """Return the names of the tiles of a pile from the top down, without the unseen tiles above the first tile
    that is seen.
    """
    return list(dropwhile(HIDDEN.__eq__, pile_names(state, pile)))


class Trace(NamedTuple):
    """A wild that a swap took from the grid to a hand. It is now in the hand of one of the `seats`, or in one of the
    `places` of a pile.
    """

    name: str
    seats: list[int]
    places: list[int]
    """Places of a pile, counted from 0 at the bottom."""


def traces_of(state: RawPosition) -> list[Trace]:
    """Return the wilds that swaps took from the grid to a hand, with the seats and places where each may be now."""
    return [
        Trace(wild_name(number), members(region & HANDS), members(region >> PLACES_AT))
        for number, region in enumerate(state.traces.tolist())
        if region
    ]


def wild_name(number: int) -> str:
    """Return the name of the wild to which `state.traces[number]` belongs. The last two traces belong to the Q!nto tiles,
    `WW`.
    """
    return kind_name(min(FIRST_WILD + number, KINDS))


# The printed grid, as in the document's figures 3 to 5


class Window(NamedTuple):
    """The part of the grid that is printed. The place (`top`, `left`) is printed as 1,1. `rows` and `columns` are the
    numbers of printed rows and columns.

    A move may name places outside of the window.
    """

    top: int
    left: int
    rows: int
    columns: int

    def printed(self, place: Place) -> Place:
        """Return the row and column under which a place is printed. The first printed row and column are 1."""
        return place[0] - self.top + 1, place[1] - self.left + 1

    def place(self, printed: Place) -> Place:
        """Return the place that is printed with this row and column. The first printed row and column are 1."""
        return printed[0] + self.top - 1, printed[1] + self.left - 1


def window_around(places: Iterable[Place]) -> Window:
    """Return the smallest window that has all these places and an empty row or column on each of its four sides.

    If there are no places, the window has only the place 0,0.
    """
    rows, columns = zip(*places, strict=True) if (places := list(places)) else ((), ())
    if not rows:
        return Window(0, 0, 1, 1)
    return Window(min(rows) - 1, min(columns) - 1, max(rows) - min(rows) + 3, max(columns) - min(columns) + 3)


def grid_lines(tiles: Mapping[Place, str], window: Window, new: Collection[Place] = ()) -> Iterator[str]:
    """Yield the lines of text that show a window of the grid, with row and column numbers from 1.

    `tiles` are the names of the tiles by place. Tiles at the places `new` are in brackets: `[1b]`.
    """
    rule = 3 * " " + "-" * (5 * window.columns + 1)
    yield 4 * " " + "".join(f"{number:>3}  " for number in range(1, window.columns + 1)) + 2 * " "
    yield rule
    for row in range(1, window.rows + 1):
        places = (window.place((row, column)) for column in range(1, window.columns + 1))
        yield f"{row:<3}|" + "".join(
            f"[{tiles[place]}]|" if place in new else f" {tiles.get(place, ''):2} |" for place in places
        )
        yield rule
