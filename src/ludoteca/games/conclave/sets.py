"""Bit sets in Conclave: of the 16 cells of the board, and of the faces of a magic (the 15 combinations of brotherhood and
influence).
"""

from typing import Final

from ludoteca.core.bits import members, set_of
from ludoteca.core.contract import i64, index
from ludoteca.core.tables import table

SIDE: Final = 4
CELLS: Final = SIDE * SIDE
FACES: Final = 15
"""The number of cards of a magic."""
ALL_CELLS: Final = (1 << CELLS) - 1
ALL_FACES: Final = (1 << FACES) - 1


def row_run(occupied: int, cell: int) -> int:
    """Return the set of the occupied cells in the row of an emissary's cell that touch each other without a gap, with that
    cell: “en contacte els uns amb els altres (incloent l'emissari)”.
    """
    row = cell & 12
    return i64(_RUN[index((occupied >> row) & 15), index(cell & 3)]) << row


def column_run(occupied: int, cell: int) -> int:
    """Return the set of the occupied cells in the column of an emissary's cell that touch each other without a gap, with
    that cell.
    """
    column = cell & 3
    line = (((occupied >> column) & 0x1111) * 0x1248 >> 12) & 15  # the four bits of the column, next to each other
    return i64(_UPRIGHT[index(_RUN[index(line), index(cell >> 2)])]) << column


def _run(line: int, place: int) -> int:
    """Return the bit set of the occupied places in a line of four that are connected with `place` without a gap. `line` is
    the bit set of the occupied places.
    """
    run = {place}
    for step in (-1, 1):
        at = place + step
        while 0 <= at < SIDE and line >> at & 1:
            run.add(at)
            at += step
    return set_of(run)


_RUN: Final = table([[_run(line, place) for place in range(SIDE)] for line in range(1 << SIDE)])
_UPRIGHT: Final = table([set_of(SIDE * bit for bit in members(line)) for line in range(1 << SIDE)])
"""The set of cells in column 0 for each set of places in a line of four."""
