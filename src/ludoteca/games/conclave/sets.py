"""Sets as bit sets: cells of the board, faces of a magic, piles of followers."""

from typing import Any, Final

import numpy as np

from ludoteca.core.contract import i64, index

SIDE: Final = 4
CELLS: Final = SIDE * SIDE
FACES: Final = 15
"""The cards of one magic."""
ALL_CELLS: Final = (1 << CELLS) - 1
ALL_FACES: Final = (1 << FACES) - 1


def size(members: int) -> int:
    """How many members a set has. (The compiler knows this loop: one instruction.)"""
    n = 0
    while members != 0:
        members &= members - 1
        n += 1
    return n


def first(members: int) -> int:
    """The lowest member of a set that is not empty."""
    return size((members & -members) - 1)


def member(members: int, n: int) -> int:
    """The member of a set of 32 bits that has n lower ones."""
    half = 16 if n >= size(members & 0xFFFF) else 0
    n -= size(members & 0xFFFF) if half else 0
    members >>= half
    byte = 8 if n >= size(members & 0xFF) else 0
    n -= size(members & 0xFF) if byte else 0
    return half + byte + i64(_MEMBERS[index((members >> byte) & 0xFF), index(n)])


def row_run(occupied: int, cell: int) -> int:
    """The occupied cells of the row “en contacte els uns amb els altres (incloent l'emissari)”."""
    row = cell & 12
    return i64(_RUN[index((occupied >> row) & 15), index(cell & 3)]) << row


def column_run(occupied: int, cell: int) -> int:
    column = cell & 3
    line = (((occupied >> column) & 0x1111) * 0x1248 >> 12) & 15  # the four bits of the column, put together
    return i64(_UPRIGHT[index(_RUN[index(line), index(cell >> 2)])]) << column


def table(rows: Any, kind: Any = np.int64) -> Any:
    """An array that compiled code takes for a constant."""
    entries = np.array(rows, kind)
    entries.setflags(write=False)
    return entries


def members_of(some: int) -> list[int]:
    """The members of a set of eight bits, in order."""
    return [bit for bit in range(8) if some >> bit & 1]


def _run(line: int, place: int) -> int:
    """Of the set of occupied places in a line of four, those in contact with a place."""
    run = {place}
    for step in (-1, 1):
        at = place + step
        while 0 <= at < SIDE and line >> at & 1:
            run.add(at)
            at += step
    return sum(1 << at for at in run)


_MEMBERS: Final = table([(members_of(some) + 8 * [0])[:8] for some in range(256)], np.int8)
_RUN: Final = table([[_run(line, place) for place in range(SIDE)] for line in range(1 << SIDE)])
_UPRIGHT: Final = table([sum(1 << SIDE * bit for bit in members_of(line)) for line in range(1 << SIDE)])
"""A set of places in a line as a set of cells of column 0."""
