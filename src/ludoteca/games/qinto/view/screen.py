"""Q!nto in a terminal: tiles as the document writes them, `5b`, on their colour, so that colour is never the only sign."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT
from ludoteca.core.screen import Say
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place, Window, window_around
from ludoteca.games.qinto.hidden import pile_of
from ludoteca.games.qinto.names import HIDDEN, hand_of, pile_names, place_name, place_near, tiles_of
from ludoteca.games.qinto.positions import traces_of
from ludoteca.games.qinto.rim import CELLS

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
"""The possible widths of a cell in characters, and for each how many columns share one number."""
MARGIN: Final = 4


def draw(view: RawPosition, highlighted: Collection[int], say: Say) -> RenderableType:
    """The grid above the players' tiles; the cells of the highlighted actions are marked."""
    tiles = tiles_of(view)
    marked = {place_near(tiles, action % CELLS) for action in highlighted if 0 <= action < rules.TRADE}
    return Group(_Grid(tiles, marked), Text(), _players(view, say), *_traces(view, say))


class _Grid:
    """The tiles with an empty line around them, rows and columns numbered."""

    def __init__(self, tiles: dict[Place, str], marked: Collection[Place]) -> None:
        self._tiles = tiles
        self._marked = marked
        self._window: Window = window_around(tiles)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = MARGIN + self._window.columns * self._cell_width(options)
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._text(self._cell_width(options))

    def _cell_width(self, options: ConsoleOptions) -> int:
        room = options.max_width - MARGIN
        return next((width for width in WIDTHS if width * self._window.columns <= room), min(WIDTHS))

    def _text(self, width: int) -> Text:
        top, left, rows, columns = self._window
        text = Text(" " * MARGIN + "".join(self._numbers(width)) + "\n", no_wrap=True)
        for row in range(top, top + rows):
            text.append(f"{_number(row):>{MARGIN - 1}} ")
            for column in range(left, left + columns):
                self._append(text, (row, column), width)
            text.append("\n")
        text.rstrip()
        return text

    def _numbers(self, width: int) -> Iterator[str]:
        step = WIDTHS[width]
        for at in range(0, self._window.columns, step):
            yield f"{_number(self._window.left + at):<{width * step}}"

    def _append(self, text: Text, place: Place, width: int) -> None:
        name = self._tiles.get(place, "")
        if name:
            text.append(name, COLOURS[name[1]])
            text.append((LIT if place in self._marked else " ").ljust(width - 2)[: width - 2])
        else:
            text.append(EMPTY.ljust(width), DIM)


def _number(line: int) -> str:
    """A row or column as in moves."""
    return place_name((line, 0)).split(",")[0]


def _tiles(names: Iterable[str]) -> Text:
    text = Text()
    for name in names:
        text.append(name, COLOURS[name[-1]])
        text.append(" ")
    return text


def _players(view: RawPosition, say: Say) -> Table:
    """Hands, and piles with what the seat knows to lie at the bottom of its own."""
    light = view.variant == rules.LIGHT
    table = Table("", say(("heading.hand",)), say(("heading.pile",)), box=None, header_style="bold")
    for player in range(int(view.players)):
        name = f"{'>' if player == view.mover else ' '} {say((SEAT, player))}"
        pile = _pile(view, pile_of(view, player), say) if light or player == 0 else Text()
        table.add_row(name, _tiles(hand_of(view, player)), pile)
    return table


def _pile(view: RawPosition, pile: int, say: Say) -> Text:
    names = pile_names(view, pile)
    if all(name == HIDDEN for name in names):
        return Text(str(len(names)))
    first = next(at for at, name in enumerate(names) if name != HIDDEN)
    return Text(f"{say(('screen.bottom', len(names)))} ") + _tiles(names[first:])


def _traces(view: RawPosition, say: Say) -> Iterator[Text]:
    """The wilds that everybody has seen go to a hand, and where they may be now."""
    for name, players, places in traces_of(view):
        certain = len(players) == 1 and not places
        for player in players:
            yield Text(say(("trace.hand" if certain else "trace.maybe", name, (SEAT, player))))
        if places:
            yield Text(say(("trace.pile", name)))
