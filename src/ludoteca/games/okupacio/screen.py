"""Okupació in a terminal: every army has a letter and a colour of its own, so that colour is never the only sign."""

from collections.abc import Collection
from typing import Final

from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import Record
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


def draw(view: Record, lit: Collection[int] = ()) -> RenderableType:
    """The board beside the table of the armies; the cells of the actions in `lit` are marked."""
    return Columns([_board(view, {action + rules.ROW for action in lit}), _table(view)], padding=(0, 4))


def ending(view: Record) -> str:
    """How the game ended."""
    best = standings_of(view)[0]
    found = control_of(view)
    line = f"{found.line} {letter(found.number)}" if found else ""
    controls = f"Army {army_name(found.player)} controls {line}." if found else "No army controls a row or column."
    cells = counted(best.cells, "cell")
    return f"Army {army_name(best.player)} wins with {cells}, {best.captured} of them taken from others. {controls}"


def _board(view: Record, lit: Collection[int]) -> Text:
    columns = range(view.columns)
    text = Text("  " + " ".join(letter(column) for column in columns) + "\n")
    for row in range(view.rows):
        text.append(f"{letter(row)} ")
        for column in columns:
            cell = rules.cell_at(row, column)
            _append_cell(text, int(view.owner[cell]), cell in lit)
        text.append(f" {letter(row)}\n")
    return text


def _append_cell(text: Text, owner: int, lit: bool) -> None:
    if owner == rules.WALL:
        text.append("##", WALL)
    elif owner == rules.FREE:
        text.append(". ", FREE)
    else:
        text.append(f"{army_name(owner)}{'*' if lit else ' '}", COLOURS[owner])


def _table(view: Record) -> Table:
    table = Table("army", "cells", "taken", "waiting", box=None, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for line in standings_of(view):
        name = Text(f" {army_name(line.player)} ", COLOURS[line.player])
        table.add_row(name, str(line.cells), str(line.captured), str(line.idle))
    return table
