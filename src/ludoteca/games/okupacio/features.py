"""Okupació as numbers for a learner: planes as large as the board, and an action number for each of its cells.

The number of taking a cell is its place on the board, row by row, so that numbers and planes match; giving up has none.
"""

from collections.abc import Mapping
from typing import Any

from ludoteca.core.contract import Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import Layout
from ludoteca.games.okupacio.board import read_numbers
from ludoteca.games.okupacio.rules import FREE, ROW, is_terminal


def layout(parameters: Mapping[str, Any]) -> Layout:
    """The observer's army comes first, then the armies after it in turn order."""
    rows = read_numbers(parameters["board"])
    others = [f"cells of army +{i}" for i in range(1, parameters["players"])]
    return Layout(
        planes=("own cells", *others, "free", "walls"),
        rows=len(rows),
        columns=len(rows[0]),
        numbers=(),
        actions=len(rows) * len(rows[0]),
    )


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Planes of 0 and 1; a spectator counts the armies from A."""
    players, rows, columns = i64(state.players), i64(state.rows), i64(state.columns)
    first = max(player, i64(0))
    owner = state.owner
    cells = rows * columns
    place = i64(0)
    for row in range(rows):
        left = ROW * (row + 1)
        for column in range(columns):
            holder = i64(owner[index(left + column)])
            plane = players + holder - FREE if holder >= FREE else holder - first
            if plane < 0:
                plane += players
            planes[index(plane * cells + place)] = 1
            place += 1


def action_mask(state: RawPosition, out: Bytes) -> None:
    """The free cells."""
    if is_terminal(state):
        return
    free, columns = state.free, i64(state.columns)
    for i in range(i64(state.n_free)):
        out[index(_number(i64(free[index(i)]), columns))] = 1


def encode_action(state: RawPosition, action: int) -> int:
    return _number(action + ROW, i64(state.columns)) if action < ROW * i64(state.rows) else i64(-1)


def decode_action(state: RawPosition, number: int) -> int:
    columns = i64(state.columns)
    cell = ROW * (number // columns + 1) + number % columns
    return cell - ROW if not is_terminal(state) and i64(state.owner[index(cell)]) == FREE else i64(-1)


def _number(cell: int, columns: int) -> int:
    return (cell // ROW - 1) * columns + cell % ROW
