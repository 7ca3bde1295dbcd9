"""Q!nto in a terminal: tiles as in the document, `5b`, on a ground of their colour. Colour is never the only sign."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT
from ludoteca.core.scene import Say
from ludoteca.games.qinto.names import (
    HIDDEN,
    Window,
    hand_of,
    piles_of,
    place_name,
    seen_in_pile,
    tiles_of,
    traces_of,
    window_around,
)
from ludoteca.games.qinto.view.scene import tile_at

COLOURS: Final = {
    "b": "bold #ffffff on #000000",
    "B": "bold #ffffff on #0072b2",
    "G": "bold #000000 on #009e73",
    "R": "bold #ffffff on #a01010",
    "Y": "bold #000000 on #f0e442",
    "W": "bold #000000 on #d0d0d0",
    HIDDEN: "dim",
}
EMPTY: Final = "·"
DIM: Final = "dim"
LIT: Final = "*"
WIDTHS: Final = {4: 1, 3: 2, 2: 4}
"""For each possible width of a cell in characters: how many columns share one printed number."""
MARGIN: Final = 4
"""The width of the numbers of rows in characters."""


def draw(view: RawPosition, marked: Collection[str], say: Say) -> RenderableType:
    """Return the grid with its marked tiles, the players' tiles, and where wilds may be."""
    return Group(_Grid(view, marked), Text(), _players(view, say), *_wilds(view, say))


def small(view: RawPosition, marked: Collection[str], say: Say) -> tuple[RenderableType, RenderableType]:
    """Return the grid with narrow cells, and the players' tiles and wilds."""
    return _Grid(view, marked, narrow=True), Group(_players(view, say), *_wilds(view, say))


class _Grid:
    """The tiles with an empty line around them, and the numbers of rows and columns. In narrow terminals the cells are
    narrower.
    """

    def __init__(self, view: RawPosition, marked: Collection[str], *, narrow: bool = False) -> None:
        self._tiles = tiles_of(view)
        self._marked = marked
        self._window: Window = window_around(self._tiles)
        self._narrow = narrow

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = MARGIN + self._window.columns * self._cell_width(options)
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, (top, left, rows, columns) = self._cell_width(options), self._window
        step = WIDTHS[width]
        numbers = [f"{_number(column):<{width * step}}" for column in range(left, left + columns, step)]
        text = Text(" " * MARGIN + "".join(numbers)[: columns * width] + "\n", no_wrap=True)
        for row in range(top, top + rows):
            text.append(f"{_number(row):>{MARGIN - 1}} ")
            for place in [(row, column) for column in range(left, left + columns)]:
                if name := self._tiles.get(place):
                    text.append(name, COLOURS[name[1]])
                    text.append((LIT if tile_at(place) in self._marked else " ").ljust(width - 2)[: width - 2])
                else:
                    text.append(EMPTY.ljust(width), DIM)
            text.append("\n")
        text.rstrip()
        yield text

    def _cell_width(self, options: ConsoleOptions) -> int:
        room = 0 if self._narrow else options.max_width - MARGIN
        return next((width for width in WIDTHS if width * self._window.columns <= room), min(WIDTHS))


def _number(line: int) -> str:
    """Return the number of a row or column, as moves name it."""
    return place_name((line, 0)).split(",")[0]


def _players(view: RawPosition, say: Say) -> Table:
    """Return the hands, and the sizes of piles with the tiles at the bottom that the viewing player has put there."""
    table = Table("", say(("heading.hand",)), say(("heading.pile",)), box=None, header_style="bold")
    for player in range(int(view.players)):
        name, pile = f"{'>' if player == view.mover else ' '} {say((SEAT, player))}", Text()
        if player in piles_of(view):
            size, seen = int(view.piled[player]), seen_in_pile(view, player)
            pile = Text(f"{say(('screen.bottom', size))} ") + _tiles(seen) if seen else Text(str(size))
        table.add_row(name, _tiles(hand_of(view, player)), pile)
    return table


def _wilds(view: RawPosition, say: Say) -> Iterator[Text]:
    """Yield where wilds may be."""
    for name, players, places in traces_of(view):
        key = "trace.hand" if len(players) == 1 and not places else "trace.maybe"
        for player in players:
            yield Text(say((key, name, (SEAT, player))))
        if places:
            yield Text(say(("trace.pile", name)))


def _tiles(names: Iterable[str]) -> Text:
    text = Text()
    for name in names:
        text.append(name, COLOURS[name[-1]])
        text.append(" ")
    return text
