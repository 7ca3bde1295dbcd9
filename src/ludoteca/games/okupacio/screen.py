"""Okupació in a terminal: every army has a letter and a colour of its own, so that colour is never the only sign."""

from collections.abc import Collection
from typing import Final

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.words import counted
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import army_name, letter
from ludoteca.games.okupacio.ranking import control_of, standings_of

HELP: Final = (
    "Take a free cell by its row and column, such as ab; the neighbours that it closes in go with it. 00 gives up: your "
    "cells become free and you are out. When no cell is free, the army with most cells wins; then the one that took "
    "most from others, then the one that has waited longest."
)

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
"""One an army: Okabe and Ito's palette, which people with colour-blindness tell apart, and three more."""
WALL: Final = "bright_black on bright_black"
FREE: Final = "dim"


def player_name(player: int) -> str:
    """What a player is called."""
    return f"army {army_name(player)}"


def draw(view: RawPosition, lit: Collection[int] = ()) -> RenderableType:
    """The board beside the table of the armies; the cells of the actions in `lit` are marked."""
    return Columns([_Board(view, {action + rules.ROW for action in lit}), _table(view)], padding=(0, 4))


def ending(view: RawPosition) -> str:
    """How the game ended."""
    best = standings_of(view)[0]
    found = control_of(view)
    line = f"{found.line} {letter(found.number)}" if found else ""
    controls = f"Army {army_name(found.player)} controls {line}." if found else "No army controls a row or column."
    cells = counted(best.cells, "cell")
    return f"Army {army_name(best.player)} wins with {cells}, {best.captured} of them taken from others. {controls}"


class _Board:
    """Two characters a cell, or one where the terminal is too narrow for that."""

    def __init__(self, view: RawPosition, lit: Collection[int]) -> None:
        self._view = view
        self._lit = lit

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = self._cell_width(options) * int(self._view.columns) + 4
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._text(self._cell_width(options))

    def _cell_width(self, options: ConsoleOptions) -> int:
        return 2 if 2 * self._view.columns + 4 <= options.max_width else 1

    def _text(self, width: int) -> Text:
        columns = range(self._view.columns)
        text = Text("  " + "".join(f"{letter(column):<{width}}" for column in columns) + "\n", no_wrap=True)
        for row in range(self._view.rows):
            text.append(f"{letter(row)} ")
            for column in columns:
                text.append(*self._cell(rules.cell_at(row, column), width))
            text.append(f" {letter(row)}\n")
        return text

    def _cell(self, cell: int, width: int) -> tuple[str, str]:
        """What stands for a cell, and its style."""
        owner = int(self._view.owner[cell])
        if owner == rules.WALL:
            return "#" * width, WALL
        if owner == rules.FREE:
            return f"{'.':<{width}}", FREE
        mark = "*" if cell in self._lit else ""
        return f"{army_name(owner)}{mark:<1}"[:width], COLOURS[owner]


def _table(view: RawPosition) -> Table:
    table = Table("army", "cells", "taken", "waiting", box=None, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for line in standings_of(view):
        name = Text(f" {army_name(line.player)} ", COLOURS[line.player])
        table.add_row(name, str(line.cells), str(line.captured), str(line.idle))
    return table
