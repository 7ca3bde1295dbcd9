"""The final table of a format, for the terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ludoteca.arena.tables import printable
from ludoteca.core.formats import Place


def standings_table(rows: Sequence[Place]) -> Table:
    """A row for each entrant."""
    table = Table(box=None, header_style="bold")
    for heading in ("place", "bot", "games", "won", "points", ""):
        table.add_column(heading, justify="left" if heading in ("bot", "") else "right")
    for row in rows:
        cells = (str(row.place), printable(row.name), str(row.games), f"{row.won:.6g}", f"{row.points:.6g}", row.note)
        table.add_row(*map(Text, cells))
    return table
