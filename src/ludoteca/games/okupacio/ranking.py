"""The document's table of the armies, in the order of their rank, and the army that controls a row or column. Pages, text
programs and Python users read them.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ludoteca.core.contract import RawPosition, i64
from ludoteca.core.game import State
from ludoteca.games.okupacio import rules


class Standing(NamedTuple):
    """A line of the document's table: the army (0 is A), its cells (CASELLES), the cells it has taken from other armies
    (ARRABASSADES), and the turns since its last move (SENSE TIRAR).
    """

    player: int
    cells: int
    captured: int
    idle: int


@dataclass(frozen=True)
class Control:
    """An army that owns every open cell of a row or column. Number 0 is row or column a."""

    player: int
    line: Literal["row", "column"]
    number: int


def standings(state: State) -> list[Standing]:
    """Return the table's line of each army that has not given up, the best army first.

    Armies are ordered by cells, then by cells taken from others, then by turns since their last move. More is better in
    each.
    """
    return standings_of(state.raw)


def standings_of(state: RawPosition) -> list[Standing]:
    """Return the table's line of each army that has not given up, the best army first, for a raw position or view."""
    playing = [player for player in range(state.players) if rules.is_playing(state, player)]
    cells, captured = state.cells.tolist(), state.captured.tolist()
    return [
        Standing(player, cells[player], captured[player], int(rules.idle(state, player)))
        for player in sorted(playing, key=lambda player: -rules.rank(state, player))
    ]


def control(state: State) -> Control | None:
    """Return the first row or column that one army controls, because it owns all open cells there. Rows come first, from a
    on, then columns. Return None if there is none.
    """
    return control_of(state.raw)


def control_of(state: RawPosition) -> Control | None:
    """Return the first row or column that one army controls, for a raw position or view. Return None if there is none."""
    rows, columns = int(state.rows), int(state.columns)
    for row in range(rows):
        player = i64(rules.controller(state, rules.cell_at(row, 0), 1, columns))
        if player < rules.FREE:
            return Control(int(player), "row", row)
    for column in range(columns):
        player = i64(rules.controller(state, rules.cell_at(0, column), rules.ROW, rows))
        if player < rules.FREE:
            return Control(int(player), "column", column)
    return None
