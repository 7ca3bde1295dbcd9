"""Points of the variants Classic and Plus. Each added tile brings points at once, and the score of a turn is their sum."""

from typing import Final

from ludoteca.core.contract import RawPosition, i64, index
from ludoteca.games.qinto.legal import ADDING, COLUMN
from ludoteca.games.qinto.rim import DOWN, LEFT, RIGHT, UP, around_rim, below, beside, column_length, row_length, run_at
from ludoteca.games.qinto.tiles import RUN_OF, VALUES, is_valid, join, length

LIGHT, CLASSIC, PLUS = 0, 1, 2
"""The variants of the game, as `state.variant` numbers them."""
BONUS: Final = 5


def points_for(state: RawPosition, kind: int, cell: int) -> int:
    """Return the points that the mover gets for adding a tile of a kind on a cell, in Classic or Plus. The bonuses for a
    whole turn and for the end of the game are not included.

    “For each line created or extended, its length, +5 for each Q!nto completed.” The line of this turn has already brought
    points for the earlier tiles of the turn, so those points are subtracted.
    """
    around = around_rim(state, cell)
    points = points_of(row_length(around)) + points_of(column_length(around))
    if state.phase == ADDING:  # the line so far ends next to the cell
        ends, side = state.ends, i64(UP)
        if state.line != COLUMN and cell == i64(ends[0]):
            side = i64(RIGHT)
        elif state.line != COLUMN and cell == i64(ends[1]):
            side = i64(LEFT)
        elif cell == i64(ends[2]):
            side = i64(DOWN)
        points -= points_of(length(run_at(around, side)))
    return points + points_for_diagonals(state, kind, cell) if state.variant == PLUS else points


def points_of(n: int) -> int:
    """Return the points of a line of n tiles: n, and the bonus if it is a Q!nto. A single tile has no points."""
    return (n if n > 1 else 0) + (BONUS if n == VALUES else 0)


def points_for_diagonals(state: RawPosition, kind: int, cell: int) -> int:
    """Return the points that the diagonals through a new tile bring in Plus: “For each diagonal through a new tile, its
    longest valid window of 3..5 that holds a new tile.”

    The tiles of one turn are in one row or column, so no two of them are on the same diagonal.
    """
    falling = _longest_window(state, kind, cell, i64(1))
    return points_of(falling) + points_of(_longest_window(state, kind, cell, i64(-1)))


def _longest_window(state: RawPosition, kind: int, cell: int, slope: int) -> int:
    """Return the length of the longest valid row of 3 to 5 adjacent tiles on one diagonal through a new tile, or 0 if there
    is none.

    `slope` is 1 for the diagonal that falls to the right, -1 for the one that rises.
    """
    for n in range(VALUES, 2, -1):
        for before in range(n):
            run = join(_diagonal_run(state, cell, -slope, -1, before), _diagonal_run(state, cell, slope, 1, n - 1 - before))
            run = join(run, i64(RUN_OF[index(kind)]))
            if length(run) == n and is_valid(run):
                return i64(n)
    return i64(0)


def _diagonal_run(state: RawPosition, cell: int, rows: int, columns: int, n: int) -> int:
    """Return the run (the summary of colours and shapes, see `tiles`) of the tiles on the next n cells from a cell in a
    diagonal direction. `rows` and `columns` are the step. Cells without a tile add nothing to the run.
    """
    run = i64(0)
    for i in range(1, n + 1):
        run = join(run, i64(RUN_OF[index(state.grid[index(beside(below(cell, rows * i), columns * i))])]))
    return run
