"""Tables of tournaments for the terminal: the final table of a format, and the table of its pairs."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ludoteca.arena.figures.ratings import Duel
from ludoteca.arena.figures.tables import printable, share_bounds
from ludoteca.core.formats import Place

WIDE: Final = 160
"""The width of tables without a terminal, in columns."""


def new_console() -> Console:
    """Return the console on which tables are printed."""
    console = Console(markup=False, highlight=False)
    return console if console.is_terminal else Console(markup=False, highlight=False, width=WIDE)


def standings_table(rows: Sequence[Place]) -> Table:
    """Return a table with a row for each entrant."""
    table = Table(box=None, header_style="bold")
    for heading in ("place", "bot", "games", "won", "points", ""):
        table.add_column(heading, justify="left" if heading in ("bot", "") else "right")
    for row in rows:
        cells = (str(row.place), printable(row.name), str(row.games), f"{row.won:.6g}", f"{row.points:.6g}", row.note)
        table.add_row(*map(Text, cells))
    return table


def duels_table(rows: Iterable[Duel]) -> Table:
    """Return a table with a row for each pair."""
    table = Table(box=None, header_style="bold")
    for heading in ("bot", "against", "deals", "share", "95 %"):
        table.add_column(heading, justify="left" if heading in ("bot", "against") else "right")
    for row in rows:
        figures = ("", "")
        if row.line:
            figures = f"{100 * row.line.share:.1f} %", share_bounds(row.line)
        table.add_row(*map(Text, (printable(row.name), printable(row.other), str(row.deals), *figures)))
    return table
