"""The board in a terminal. Every army has a letter and a colour, so that colour is never the only sign."""

from collections.abc import Collection
from typing import Final

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.scene import Say
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import army_name, letter
from ludoteca.games.okupacio.view.scene import stone_name

COLOURS: Final = (
    "bold #000000 on #e69f00",
    "bold #000000 on #56b4e9",
    "bold #000000 on #009e73",
    "bold #000000 on #f0e442",
    "bold #ffffff on #0072b2",
    "bold #000000 on #d55e00",
    "bold #000000 on #cc79a7",
    "bold #ffffff on #5d3a9b",
    "bold #000000 on #b2df8a",
    "bold #ffffff on #8b0000",
)
"""A colour for each army: the palette of Okabe and Ito, which suits people with colour-blindness, and three more."""
WALL: Final = "bright_black on bright_black"
FREE: Final = "dim"


def draw(view: RawPosition, marked: Collection[str], say: Say) -> RenderableType:  # the board has no words
    """Return the board with the marked pieces."""
    return _Board(view, marked)


def small(view: RawPosition, marked: Collection[str], say: Say) -> tuple[RenderableType, RenderableType]:
    """Return the board with one character per cell. Nothing is around it."""
    return _Board(view, marked, narrow=True), Text()


def sign(view: RawPosition, player: int) -> Text:  # all positions have the same signs
    """Return the army's letter in its colour."""
    return Text(f" {army_name(player)} ", COLOURS[player])


class _Board:
    """The board with two characters per cell, or with one if it is narrow or there is no room for two."""

    def __init__(self, view: RawPosition, marked: Collection[str], *, narrow: bool = False) -> None:
        self._view = view
        self._narrow = narrow
        self._marked = marked

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = (1 if self._narrow else 2) * int(self._view.columns) + 4
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._text(self._cell_width(options))

    def _cell_width(self, options: ConsoleOptions) -> int:
        return 2 if not self._narrow and 2 * self._view.columns + 4 <= options.max_width else 1

    def _text(self, width: int) -> Text:
        columns = range(self._view.columns)
        text = Text("  " + "".join(f"{letter(column):<{width}}" for column in columns) + "\n", no_wrap=True)
        for row in range(self._view.rows):
            text.append(f"{letter(row)} ")
            for column in columns:
                text.append(*self._cell(rules.cell_at(row, column), width))
            text.append(f" {letter(row)}\n")
        text.rstrip()
        return text

    def _cell(self, cell: int, width: int) -> tuple[str, str]:
        """Return the text of a cell and its style."""
        owner = int(self._view.owner[cell])
        if owner == rules.WALL:
            return "#" * width, WALL
        if owner == rules.FREE:
            return f"{'.':<{width}}", FREE
        name, is_last = army_name(owner), stone_name(cell) in self._marked
        if width == 1:
            return name.lower() if is_last else name, COLOURS[owner]
        return name + ("*" if is_last else " "), COLOURS[owner]
