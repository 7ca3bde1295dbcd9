"""The steps of a turn of Q!nto as action numbers: functions that list the legal steps, and functions that return a random
one.

A turn is played in steps: each tile that is added to the grid, swapped for a wild or put under the pile is one action, and
the end of the turn is one. `rules` explains the numbers. A `hand` in this module is a set of kinds of tiles, as bits.
Functions that list actions write them to `out` from index n on, and return the number of actions that are in `out`
afterwards. Quoted sentences are from the rules of the game.
"""

from typing import Final

from ludoteca.core.bits import first, member_of_five, size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.games.qinto.rim import CELLS, fitting_column, fitting_row
from ludoteca.games.qinto.tiles import KINDS, SWAPPED

TRADE: Final = CELLS * (KINDS + 1)
"""Putting a tile under the pile is TRADE + its kind. Other players do not see the kind: for them it is TRADE itself."""
END: Final = TRADE + KINDS + 1

CHOOSING, ADDING, SWAPPING, TRADING = 0, 1, 2, 3
"""The phases of a turn: the sort of its steps so far (a turn has only one sort), or CHOOSING before the first step."""
EITHER, ROW, COLUMN = 0, 1, 2
"""The direction of a turn's added line: EITHER after its first tile, then ROW or COLUMN, as the second tile decides."""


def kind_in(action: int) -> int:
    """Return the kind of an action that adds or swaps."""
    return action >> 12


def cell_in(action: int) -> int:
    """Return the cell of an action that adds or swaps."""
    return action & (CELLS - 1)


def list_kinds(kinds: int, base: int, factor: int, out: Integers, n: int) -> int:
    """Write the action `base + factor * kind` to `out` for each kind of a set, from index n on. Return the number of actions
    in `out`.
    """
    while kinds != 0:
        out[n] = base + factor * first(kinds)
        kinds &= kinds - 1
        n += 1
    return n


def list_adds(state: RawPosition, hand: int, out: Integers, n: int) -> int:
    """List the actions that add the first tile of a turn, next to another tile: “adicionar [...] à grelha”."""
    for slot in range(1, i64(state.n_rim) + 1):
        n = list_kinds(i64(state.fits[index(slot)]) & hand, i64(state.rim[index(slot)]), CELLS, out, n)
    return n


def list_adds_in_line(state: RawPosition, hand: int, out: Integers, n: int) -> int:
    """List the actions that add another tile at an end of this turn's line: “numa única linha reta”, “connected with what
    lies there (through old tiles too)”.
    """
    for end in range(4):
        n = list_kinds(fitting_end(state, hand, i64(end)), i64(state.ends[index(end)]), CELLS, out, n)
    return n


def list_swaps(state: RawPosition, hand: int, out: Integers, n: int) -> int:
    """List the actions that swap a tile of the hand for a wild on the grid: “trocar [...] cartas da sua mão por wildcards já
    jogadas”.
    """
    for i in range(state.n_wilds):
        cell = i64(state.wilds[index(i)])
        n = list_kinds(swappable(state, hand, cell), cell, CELLS, out, n)
    return n


def swappable(state: RawPosition, hand: int, cell: int) -> int:
    """Return the set of kinds in a hand that may be swapped for the wild on a cell: “not for an equal tile, and each cell
    only once a turn”.
    """
    wild = i64(state.grid[index(cell)])
    fits = 0 if wild >= SWAPPED else fitting_row(state, cell) & hand & ~(i64(1) << wild)
    return fits & fitting_column(state, cell) if fits != 0 else i64(0)


def random_start(state: RawPosition, hand: int, rng: Words) -> int:
    """Return a legal first step of a turn, uniformly at random.

    The function draws candidates until one of them is legal. The candidates are each kind of the hand on each cell of the
    rim (the empty cells next to tiles), for each wild on the grid and under the pile, and the end of the turn. The loop
    stops, because the end of the turn is always legal.
    """
    kinds, cells, wilds = size(hand), i64(state.n_rim), i64(state.n_wilds)
    rows = cells + wilds
    while True:
        which = draw(rng, kinds * (rows + 1) + 1)
        row = (which * i64(_RECIPROCAL[index(kinds)])) >> 16
        nth = which - row * kinds
        if row < cells:
            fits = i64(state.fits[index(row + 1)]) & hand
            if nth < size(fits):
                return CELLS * member_of_five(fits, nth) + i64(state.rim[index(row + 1)])
        elif row < rows:
            cell = i64(state.wilds[index(row - cells)])
            fits = swappable(state, hand, cell)
            if nth < size(fits):
                return CELLS * member_of_five(fits, nth) + cell
        elif row == rows:
            return TRADE + member_of_five(hand, nth)
        else:
            return END


_RECIPROCAL: Final = (65536, 65536, 32768, 21846, 16384, 13108)
"""`(x * _RECIPROCAL[n]) >> 16` is `x // n`, for n up to 5 and x up to 2^12. A multiplication is faster than a division."""


def random_add_in_line(state: RawPosition, hand: int, rng: Words) -> int:
    """Return a uniformly random action: one that adds a tile at an end of this turn's line, or the end of the turn."""
    left, right = fitting_end(state, hand, 0), fitting_end(state, hand, 1)
    up, down = fitting_end(state, hand, 2), fitting_end(state, hand, 3)
    a = size(left)
    b = a + size(right)
    c = b + size(up)
    which = draw(rng, c + size(down) + 1)
    if which == c + size(down):
        return END
    end = i64(which >= a) + i64(which >= b) + i64(which >= c)
    before = c if end == 3 else (b if end == 2 else (a if end == 1 else 0))
    return CELLS * member_of_five(fitting_end(state, hand, end), which - before) + i64(state.ends[index(end)])


def fitting_end(state: RawPosition, hand: int, end: int) -> int:
    """Return the set of kinds in a hand that fit at one end of this turn's line: end 0 is left, 1 right, 2 up and 3 down.

    The set is empty (0) if the line runs in the other direction.
    """
    other_line = COLUMN if end < 2 else ROW
    fits = i64(state.fits[index(state.slots[index(state.ends[index(end)])])])
    return 0 if state.line == other_line else fits & hand


def random_swap(state: RawPosition, hand: int, rng: Words) -> int:
    """Return a uniformly random action among the legal swaps and the end of the turn.

    The loop makes one pass over the wilds: a swap of each wild replaces the choice so far with the probability that makes
    all actions equally likely.
    """
    chosen, total = i64(END), i64(1)
    for i in range(state.n_wilds):
        cell = i64(state.wilds[index(i)])
        fits = swappable(state, hand, cell)
        if fits != 0:
            total += size(fits)
            which = draw(rng, total)
            if which < size(fits):
                chosen = CELLS * member_of_five(fits, which) + cell
    return chosen


def random_trade(hand: int, rng: Words) -> int:
    """Return a uniformly random action: one that puts a tile of the hand under the pile, or the end of the turn."""
    which = draw(rng, size(hand) + 1)
    return END if which == size(hand) else TRADE + member_of_five(hand, which)
