"""The printed grid, as in the document's figures 3 to 5. It is a window onto the grid, which has no edge.

Places are (row, column), numbered from 1 in the printed window. A move may name places outside it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int]
"""Row and column."""


class Window(NamedTuple):
    """The place that is printed as 1,1, and the numbers of rows and columns."""

    top: int
    left: int
    rows: int
    columns: int

    def printed(self, place: Place) -> Place:
        """The numbers under which a place is printed."""
        return place[0] - self.top + 1, place[1] - self.left + 1

    def place(self, printed: Place) -> Place:
        """The place that is printed under these numbers."""
        return printed[0] + self.top - 1, printed[1] + self.left - 1


def window_around(places: Iterable[Place]) -> Window:
    """The smallest window that has an empty line on each side of the places. Without places, the one place 0,0."""
    rows, columns = zip(*places, strict=True) if (places := list(places)) else ((), ())
    if not rows:
        return Window(0, 0, 1, 1)
    return Window(min(rows) - 1, min(columns) - 1, max(rows) - min(rows) + 3, max(columns) - min(columns) + 3)


def grid_lines(tiles: Mapping[Place, str], window: Window, new: Collection[Place] = ()) -> Iterator[str]:
    """The lines of the window. A tile is its name of two characters. New tiles are in brackets: `[1b]`."""
    rule = 3 * " " + "-" * (5 * window.columns + 1)
    yield 4 * " " + "".join(f"{number:>3}  " for number in range(1, window.columns + 1)) + 2 * " "
    yield rule
    for row in range(1, window.rows + 1):
        places = (window.place((row, column)) for column in range(1, window.columns + 1))
        yield f"{row:<3}|" + "".join(
            f"[{tiles[place]}]|" if place in new else f" {tiles.get(place, ''):2} |" for place in places
        )
        yield rule
