"""Where things lie in a scene of Q!nto, in cells: other players above, the grid below them, the own hand at the bottom.

+------------------------------------------+
| seat hand pile     seat hand pile   ...  |  a group for each other player, in turn order
|      -1  0  1  2  3                      |
|  -1                                      |  the tiles with a free rim around them, and more when they are few:
|   0      [] [] []                        |  what is added moves the others as little as possible
|   1                                      |
| seat   [5b] [2Y] [3G] [4R] [WW]     pile |
|                   known tiles at its bottom
+------------------------------------------+
"""

from collections.abc import Collection
from functools import cache
from typing import Final, NamedTuple

from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.names import place_name, place_of

NUMBERS: Final = 0.75
"""Room for the numbers of rows and columns."""
EDGE: Final = 0.25
NARROWEST: Final = 9.0
FEWEST_COLUMNS: Final = 7
FEWEST_ROWS: Final = 5

GROUP: Final = 4.4
"""The width of a group. These sizes are for a narrow scene: all but the grid is scaled with its width."""
GROUP_HEIGHT: Final = 1.0
SMALL: Final = 0.62
"""A tile in a group."""
LARGE: Final = 1.15
"""A tile of the player's own hand."""
HAND_STEP: Final = 1.25
HAND_HEIGHT: Final = 1.75
UNDER_HEIGHT: Final = 0.75
"""A row of the tiles that the player knows to be in the pile."""
IN_A_ROW: Final = 20
"""The most tiles of a pile that lie open in one row, partly one upon the other."""
IN_A_GROUP: Final = 10
"""The same in a group."""
LARGEST_GROUP: Final = 1.25
LARGEST: Final = 1.7
"""The largest scales of groups, and of the hand and the pile at the bottom."""


class Corner(NamedTuple):
    """The upper left of the grid that is drawn: its first row and column, and where they begin."""

    top: int
    left: int
    x: float
    y: float


class Frame(NamedTuple):
    """The places and sizes of the parts of a scene."""

    top: int
    """The row at the top of the grid that is drawn; then the column at its left, and the numbers of rows and columns."""
    left: int
    rows: int
    columns: int
    across: int
    """The number of groups that stand side by side."""
    groups: int
    own: bool
    """True if there is a hand at the bottom."""
    under: int
    """The number of rows of known tiles below that hand."""
    piles: int
    """The number of rows of tiles below each group, where their piles lie open."""
    width: float
    group_scale: float
    """The scale of groups; then that of hand and pile at the bottom."""
    own_scale: float

    @property
    def grid_left(self) -> float:
        """The left edge of the first column."""
        return (self.width - self.columns - NUMBERS - EDGE) / 2 + NUMBERS

    @property
    def grid_top(self) -> float:
        return round(-(-self.groups // self.across) * self.group_height * self.group_scale, 2) + NUMBERS

    @property
    def group_height(self) -> float:
        """The height of a group, before it is scaled."""
        return GROUP_HEIGHT + self.piles * UNDER_HEIGHT

    @property
    def corner(self) -> Corner:
        return Corner(self.top, self.left, self.grid_left, self.grid_top)

    @property
    def bottom(self) -> float:
        """The lower edge of the grid."""
        return self.grid_top + self.rows + EDGE / 2

    @property
    def height(self) -> float:
        own = (HAND_HEIGHT if self.own else 0) + self.under * UNDER_HEIGHT
        return round(self.bottom + self.own_scale * own, 2)

    def group(self, number: int) -> tuple[float, float]:
        """The left end of a group, and its middle line."""
        row, column = divmod(number, self.across)
        return column * self.width / self.across, (row * self.group_height + GROUP_HEIGHT / 2) * self.group_scale


def rows_for(tiles: int, most: int) -> int:
    """The number of rows for the tiles of a pile that lie open."""
    return -(-tiles // most)


def frame_around(places: Collection[Place], groups: int, *, own: bool, under: int, piles: int) -> Frame:
    """The frame for tiles at these places, with so many rows of tiles under the hand and under each group."""
    rows, columns = zip(*places, strict=True) if places else ((0,), (0,))
    top, height = _widened(min(rows), max(rows), FEWEST_ROWS)
    left, width = _widened(min(columns), max(columns), FEWEST_COLUMNS)
    across = max(NARROWEST, width + NUMBERS + EDGE)
    abreast = min(int(across / GROUP), max(groups, 1))
    group_scale, own_scale = min(across / abreast / GROUP, LARGEST_GROUP), min(across / NARROWEST, LARGEST)
    return Frame(top, left, height, width, abreast, groups, own, under, piles, across, group_scale, own_scale)


def _widened(low: int, high: int, fewest: int) -> tuple[int, int]:
    """The first of the lines that are drawn, and their number: one more on each side, and more if they are few."""
    number = high - low + 3
    lacking = max(fewest - number, 0)
    return low - 1 - (lacking + 1) // 2, number + lacking


@cache
def name_at(row: int, column: int) -> str:
    """The name of a place."""
    return place_name((row, column))


@cache
def name_of(cell: int) -> str:
    """The name of a cell."""
    return place_name(place_of(cell))
