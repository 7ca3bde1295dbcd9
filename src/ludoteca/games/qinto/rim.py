"""The grid of Q!nto as the rules store it: the tiles, and the *rim*, which is the set of the empty cells next to tiles.

The grid is a torus of 64 x 64 cells, 64 * row + column. 60 tiles never reach around it, so it has no visible edge.

A *run* is a number that summarizes the colours and shapes of adjacent tiles (`tiles` explains it). For each cell of the rim,
one word stores the four runs of tiles that end next to the cell, 16 bits each:

    bits 0..15 left of it, 16..31 right of it, 32..47 above it, 48..62 below it

This word is called `around` in this module. A new tile joins these runs to a row and a column. This changes only the words
of the four cells at the ends of the row and the column, so no line is searched tile by tile. Each cell of the rim has a
number, its *slot*, from 1 on. Slot 0 is for all other cells. It has no runs, and no kind of tile fits it.
"""

from typing import Final

from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.qinto.tiles import EVERY_KIND, FIRST_WILD, RUN_OF, SWAPPED, TILES, fitting, join, length

SIDE: Final = 64
CELLS: Final = SIDE * SIDE
START: Final = SIDE * (SIDE // 2) + SIDE // 2
"""The cell of the first tile. All cells of an empty grid are alike."""
RIM: Final = 2 * TILES + 2
"""The most cells of the rim. The first tile has four, and each other tile fills one of them and adds at most three."""

LEFT, RIGHT, UP, DOWN = 0, 16, 32, 48
_RUN: Final = 0xFFFF


def beside(cell: int, n: int) -> int:
    """Return the cell n columns to the right of a cell, or to the left if n is negative."""
    return (cell & (CELLS - SIDE)) | ((cell + n) & (SIDE - 1))


def below(cell: int, n: int) -> int:
    """Return the cell n rows below a cell, or above it if n is negative."""
    return (cell + SIDE * n) & (CELLS - 1)


def run_at(around: int, side: int) -> int:
    """Return the run on one side of a cell. `around` is the word with its four runs. `side` is LEFT, RIGHT, UP or DOWN."""
    return (around >> side) & _RUN


def row_length(around: int) -> int:
    """Return the length of the row that a tile on an empty cell would make, including the tile. `around` has the runs around
    the cell.
    """
    return 1 + length(run_at(around, LEFT)) + length(run_at(around, RIGHT))


def column_length(around: int) -> int:
    """Return the length of the column that a tile on an empty cell would make, including the tile. `around` has the runs
    around the cell.
    """
    return 1 + length(run_at(around, UP)) + length(run_at(around, DOWN))


def fitting_in(around: int) -> int:
    """Return the set of the kinds of tiles that fit a cell with these runs around it, both in its row and in its column:
    “each direction on its own”.
    """
    row = join(run_at(around, LEFT), run_at(around, RIGHT))
    return fitting(row) & fitting(join(run_at(around, UP), run_at(around, DOWN)))


def open_rim(state: RawPosition) -> None:
    """Prepare an empty grid: the only cell on which a tile may be laid is START, and every kind fits there."""
    state.fits_row[:] = EVERY_KIND
    state.fits_column[:] = EVERY_KIND
    state.fits[1] = EVERY_KIND
    state.rim[1] = START
    state.slots[START] = 1
    state.n_rim = 1


def clear_rim(state: RawPosition) -> None:
    """Undo `open_rim`, so that the first tile may be laid on any cell."""
    state.n_rim = 0
    state.slots[START] = 0


def around_rim(state: RawPosition, cell: int) -> int:
    """Return the word with the four runs around an empty cell. It is 0 if the cell is not next to a tile."""
    return i64(state.around[index(state.slots[index(cell)])])


def around_tile(state: RawPosition, cell: int) -> int:
    """Return the word with the four runs around a tile of the grid, without the tile."""
    left, right = _run_from(state, cell, -1, 0), _run_from(state, cell, 1, 0)
    up, down = _run_from(state, cell, 0, -1), _run_from(state, cell, 0, 1)
    return left | right << RIGHT | up << UP | down << DOWN


def fitting_row(state: RawPosition, cell: int) -> int:
    """Return the set of kinds that could replace a tile of the grid, as far as its row is concerned."""
    return fitting(join(_run_from(state, cell, -1, 0), _run_from(state, cell, 1, 0)))


def fitting_column(state: RawPosition, cell: int) -> int:
    """Return the set of kinds that could replace a tile of the grid, as far as its column is concerned."""
    return fitting(join(_run_from(state, cell, 0, -1), _run_from(state, cell, 0, 1)))


def lay(state: RawPosition, kind: int, cell: int) -> None:
    """Put a tile of a kind on an empty cell. Write the four empty cells at the ends of its row and of its column to
    `state.ends`.

    Only the stored data of the tile's cell and of these four cells change. The tiles of a valid grid may be laid in any
    order.
    """
    slot, around = i64(state.slots[index(cell)]), i64(0)
    if slot != 0:  # the last of the rim takes the slot of the cell
        rim, runs, last = state.rim, state.around, i64(state.n_rim)
        around = i64(runs[index(slot)])
        moved = i64(rim[index(last)])
        rim[index(slot)] = moved
        runs[index(slot)] = runs[index(last)]
        state.fits[index(slot)] = state.fits[index(last)]
        state.fits_row[index(slot)] = state.fits_row[index(last)]
        state.fits_column[index(slot)] = state.fits_column[index(last)]
        state.slots[index(moved)] = slot
        state.slots[index(cell)] = 0
        state.n_rim = last - 1
    _write(state, kind, cell)
    if kind >= FIRST_WILD:
        n = i64(state.n_wilds)
        state.wilds[index(n)] = cell
        state.n_wilds = n + 1
    _connect(state, kind, cell, around)


def replace(state: RawPosition, kind: int, cell: int) -> int:
    """Put a tile of a kind on a cell in exchange for the wild that is there. Return the kind of the wild.

    If the new tile is wild too, SWAPPED is added to its kind on the grid, because it cannot be swapped again in this turn.
    """
    taken = i64(state.grid[index(cell)])
    pairs = i64(state.on_grid[1]) & (i64(1) << taken)
    state.on_grid[1] ^= pairs
    state.on_grid[0] ^= (i64(1) << taken) ^ pairs
    _write(state, kind, cell)
    if kind >= FIRST_WILD:
        state.grid[index(cell)] = kind + SWAPPED
    else:  # the last of the list takes the place of the wild that is gone
        wilds = state.wilds
        n = i64(state.n_wilds) - 1
        for i in range(n):
            if i64(wilds[index(i)]) == cell:
                wilds[index(i)] = wilds[index(n)]
        state.n_wilds = n
    _connect(state, kind, cell, around_tile(state, cell))
    clear_ends(state, 0, 4)
    return taken


def clear_ends(state: RawPosition, first: int, after: int) -> None:
    """Set `state.ends`, the cells at the ends of this turn's line, to 0, from index `first` to the one before `after`."""
    for end in range(first, after):
        state.ends[index(end)] = 0


def unmark(state: RawPosition) -> None:
    """Subtract SWAPPED from the wilds to which it was added in this turn."""
    grid, wilds = state.grid, state.wilds
    for i in range(state.n_wilds):
        cell = i64(wilds[index(i)])
        grid[index(cell)] = i64(grid[index(cell)]) & (SWAPPED - 1)


def _write(state: RawPosition, kind: int, cell: int) -> None:
    bit = i64(1) << kind
    state.grid[index(cell)] = kind
    state.on_grid[1] |= i64(state.on_grid[0]) & bit
    state.on_grid[0] |= bit


def _run_from(state: RawPosition, cell: int, columns: int, rows: int) -> int:
    """Return the run of the tiles that begin next to a cell in one direction. `columns` and `rows` are the step of that
    direction.
    """
    grid = state.grid
    run = i64(0)
    at = beside(below(cell, rows), columns)
    while grid[index(at)] != 0:
        run = join(run, i64(RUN_OF[index(grid[index(at)])]))
        at = beside(below(at, rows), columns)
    return run


def _connect(state: RawPosition, kind: int, cell: int, around: int) -> None:
    """Join a new tile with the runs around its cell to a row and a column, and store both at their four ends. `around` has
    the runs.
    """
    tile = i64(RUN_OF[index(kind)])
    left, right = run_at(around, LEFT), run_at(around, RIGHT)
    up, down = run_at(around, UP), run_at(around, DOWN)
    row, column = join(join(left, tile), right), join(join(up, tile), down)
    ends = state.ends
    rows, columns = state.fits_row, state.fits_column
    ends[0] = _store(state, beside(cell, -1 - length(left)), row, RIGHT, LEFT, rows, columns)
    ends[1] = _store(state, beside(cell, 1 + length(right)), row, LEFT, RIGHT, rows, columns)
    ends[2] = _store(state, below(cell, -1 - length(up)), column, DOWN, UP, columns, rows)
    ends[3] = _store(state, below(cell, 1 + length(down)), column, UP, DOWN, columns, rows)


def _store(state: RawPosition, cell: int, run: int, side: int, other: int, along: Integers, across: Integers) -> int:
    """Store that an empty cell has this run of tiles on one side. Return the cell.

    The cell may be new in the rim, or may already have another run on the `other` side. `along` are the kinds that fit in
    the line of the run (row or column), and `across` the kinds that fit in the other line, both by slot.
    """
    known = i64(state.slots[index(cell)])
    new = i64(known == 0)  # without a branch: a processor would guess it wrong
    n = i64(state.n_rim) + new
    state.n_rim = n
    slot = known + n * new
    state.rim[index(slot)] = cell
    state.slots[index(cell)] = slot
    around = i64(state.around[index(known)])
    fits, rest = fitting(join(run, run_at(around, other))), i64(across[index(known)])
    state.around[index(slot)] = (around & ~(i64(_RUN) << side)) | run << side
    along[index(slot)] = fits
    across[index(slot)] = rest
    state.fits[index(slot)] = fits & rest
    return cell
