"""Points of Classic and Plus, for lines and diagonals."""

from typing import Final

from ludoteca.core.contract import RawPosition, i64, index
from ludoteca.games.qinto.rim import below, beside
from ludoteca.games.qinto.tiles import RUN_OF, VALUES, is_valid, join, length

BONUS: Final = 5


def points_of(n: int) -> int:
    """What a line of n tiles scores; a tile by itself is none."""
    return (n if n > 1 else 0) + (BONUS if n == VALUES else 0)


def points_for_diagonals(state: RawPosition, kind: int, cell: int) -> int:
    """“For each diagonal through a new tile, its longest valid window of 3..5 that holds a new tile.”

    The tiles of one turn are in one row or column, so no two are on one diagonal.
    """
    falling = _longest_window(state, kind, cell, i64(1))
    return points_of(falling) + points_of(_longest_window(state, kind, cell, i64(-1)))


def _longest_window(state: RawPosition, kind: int, cell: int, slope: int) -> int:
    """Of the windows with 3 to 5 tiles on a diagonal that hold a new tile, the length of the longest valid one; else 0."""
    for n in range(VALUES, 2, -1):
        for before in range(n):
            run = join(_diagonal_run(state, cell, -slope, -1, before), _diagonal_run(state, cell, slope, 1, n - 1 - before))
            run = join(run, i64(RUN_OF[index(kind)]))
            if length(run) == n and is_valid(run):
                return i64(n)
    return i64(0)


def _diagonal_run(state: RawPosition, cell: int, rows: int, columns: int, n: int) -> int:
    """The run of the n next cells on a diagonal, shorter where tiles are missing."""
    run = i64(0)
    for i in range(1, n + 1):
        run = join(run, i64(RUN_OF[index(state.grid[index(beside(below(cell, rows * i), columns * i))])]))
    return run
