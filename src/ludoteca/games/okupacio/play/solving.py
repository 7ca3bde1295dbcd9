"""Solve whole games of Okupació: `endgame`, but a position has the same key as its turned and mirrored images."""

from typing import Final

import numpy as np

from ludoteca.core.bits import first, mixed
from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.okupacio.play.endgame import (
    CAPTURE,
    CELL,
    action_values,
    advantage,
    endgame_size,
    most_gain,
    most_loss,
    tells_actions,
)
from ludoteca.games.okupacio.rules import CONCEDE, COUNT, MAX_SIDE, ROW, WALL

__all__ = [
    "action_values",
    "advantage",
    "endgame_size",
    "lead_in_words",
    "most_gain",
    "most_loss",
    "position_key",
    "tells_actions",
]

SHALLOW: Final = 12
"""If there are fewer free cells, looking at all symmetries takes longer than searching."""
WAYS: Final = 8
"""The ways to turn and mirror a square. Bit 1 of a way swaps rows with columns, 2 reverses the rows, 4 the columns."""


def position_key(state: RawPosition) -> int:
    """Return the lowest key of the position and its turned and mirrored images."""
    least = _key(state, i64(0))
    if state.n_free >= SHALLOW:
        for way in range(1, WAYS):
            if _is_symmetry(state, i64(way)):
                least = min(least, _key(state, i64(way)))
    return least


def lead_in_words(value: int) -> str:
    """Return an advantage at the end in words. It is at least 1."""
    cells = (value + CELL // 2) // CELL
    captured = (value - cells * CELL + CAPTURE // 2) // CAPTURE
    parts = [f"{cells} {'cell' if cells == 1 else 'cells'}"] * (cells > 0)
    if captured:
        parts.append(f"{abs(captured)} captured {'more' if captured > 0 else 'fewer'}")
    return " and ".join(parts) if parts else "the later turn"


def _key(state: RawPosition, way: int) -> int:
    """Return a hash of the free cells and their open neighbours, with the owners and counts of these neighbours."""
    free = state.free
    mover = i64(state.mover)
    other = first(i64(state.playing) ^ (i64(1) << mover))
    key = mixed(i64(CONCEDE), mover)
    for i in range(state.n_free):
        cell = i64(free[index(i)])
        place = _moved(state, cell, way) << 10
        key ^= mixed(place, i64(0))
        key ^= _beside(state, cell - ROW, place, way, mover, other) ^ _beside(state, cell - 1, place, way, mover, other)
        key ^= _beside(state, cell + 1, place, way, mover, other) ^ _beside(state, cell + ROW, place, way, mover, other)
    return key


def _beside(state: RawPosition, cell: int, place: int, way: int, mover: int, other: int) -> int:
    """Return a hash of a neighbour of the free cell that moves to `place` >> 10, or 0 for a wall."""
    owner = i64(state.owner[index(cell)])
    if owner == WALL:
        return i64(0)
    word = i64(state.around[index(cell)])
    counts = ((word >> (4 * mover)) & COUNT) << 4 | ((word >> (4 * other)) & COUNT)
    kind = i64(1) if owner == mover else i64(2) if owner == other else i64(3)
    return mixed(place | _moved(state, cell, way), kind << 8 | counts)


def _is_symmetry(state: RawPosition, way: int) -> bool:
    """Return True if turning and mirroring the board this way leaves its walls unchanged."""
    if way & 1 and state.rows != state.columns:
        return False
    owner = state.owner
    for row in range(state.rows):
        for column in range(state.columns):
            cell = (i64(row) + 1) * ROW + column
            if (i64(owner[index(cell)]) == WALL) != (i64(owner[index(_moved(state, cell, way))]) == WALL):
                return False
    return True


def _moved(state: RawPosition, cell: int, way: int) -> int:
    """Return the cell to which turning and mirroring the board this way moves a cell."""
    row, column = i64(_ROW_OF[index(cell)]), i64(_COLUMN_OF[index(cell)])
    if way & 1:
        row, column = column, row
    if way & 2:
        row = i64(state.rows) - 1 - row
    if way & 4:
        column = i64(state.columns) - 1 - column
    return (row + 1) * ROW + column


def _places() -> tuple[Integers, Integers]:
    """Return the row and the column of each cell."""
    cells = np.arange((MAX_SIDE + 2) * ROW)
    row, column = cells // ROW - 1, cells % ROW
    row.flags.writeable = column.flags.writeable = False
    return row, column


_ROW_OF, _COLUMN_OF = _places()
