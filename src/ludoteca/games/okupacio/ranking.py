"""The document's table of the armies, and the army that controls a row or column."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ludoteca.core.contract import RawPosition, i64
from ludoteca.core.game import State
from ludoteca.games.okupacio import rules


class Standing(NamedTuple):
    """An army's line of the table: the army (0 is A), CASELLES, ARRABASSADES and SENSE TIRAR."""

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
    """Return the playing armies, best first: by cells, then cells taken from others, then turns without a move."""
    return standings_of(state.raw)


def standings_of(state: RawPosition) -> list[Standing]:
    """Return the `standings` of a position or view."""
    playing = [player for player in range(state.players) if rules.is_playing(state, player)]
    cells, captured = state.cells.tolist(), state.captured.tolist()
    return [
        Standing(player, cells[player], captured[player], int(rules.idle(state, player)))
        for player in sorted(playing, key=lambda player: -rules.rank(state, player))
    ]


def control(state: State) -> Control | None:
    """Return the first line that an army controls: rows from a, then columns from a. None if no army controls a line."""
    return control_of(state.raw)


def control_of(state: RawPosition) -> Control | None:
    """Return the `control` of a position or view."""
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
