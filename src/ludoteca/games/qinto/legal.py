"""The steps of a turn as numbers: the legal ones, and a random one of them.

Steps are numbered as `rules` shows. Here a hand is a set of kinds.
"""

from typing import Final

from ludoteca.core.bits import first, member_of_five, size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.games.qinto.rim import CELLS, fitting_column, fitting_row
from ludoteca.games.qinto.tiles import KINDS, SWAPPED

TRADE: Final = CELLS * (KINDS + 1)
"""A trade is TRADE + kind. TRADE itself is a trade as the other seats see it."""
END: Final = TRADE + KINDS + 1

CHOOSING, ADDING, SWAPPING, TRADING = 0, 1, 2, 3
"""The phases of a turn: the sort of its steps so far, or CHOOSING before the first step."""
EITHER, ROW, COLUMN = 0, 1, 2
"""The line of a turn that is ADDING: EITHER after its first tile, then the one that the second tile decides."""


def kind_in(action: int) -> int:
    """Return the kind of an action that adds or swaps."""
    return action >> 12


def cell_in(action: int) -> int:
    """Return the cell of an action that adds or swaps."""
    return action & (CELLS - 1)


def list_kinds(kinds: int, base: int, factor: int, out: Integers, n: int) -> int:
    """Write `base + factor * kind` for each of the kinds to `out` from n on. Return the number of actions in `out`."""
    while kinds != 0:
        out[n] = base + factor * first(kinds)
        kinds &= kinds - 1
        n += 1
    return n


def list_adds(state: RawPosition, hand: int, out: Integers, n: int) -> int:
    """List the first tiles that a turn may add, each next to another tile: “adicionar [...] à grelha”."""
    for slot in range(1, i64(state.n_rim) + 1):
        n = list_kinds(i64(state.fits[index(slot)]) & hand, i64(state.rim[index(slot)]), CELLS, out, n)
    return n


def list_adds_in_line(state: RawPosition, hand: int, out: Integers, n: int) -> int:
    """List the tiles that continue the line of this turn: “numa única linha reta”, “connected with what lies there (through
    old tiles too)”.
    """
    for end in range(4):
        n = list_kinds(fitting_end(state, hand, i64(end)), i64(state.ends[index(end)]), CELLS, out, n)
    return n


def list_swaps(state: RawPosition, hand: int, out: Integers, n: int) -> int:
    """List “trocar [...] cartas da sua mão por wildcards já jogadas”."""
    for i in range(state.n_wilds):
        cell = i64(state.wilds[index(i)])
        n = list_kinds(swappable(state, hand, cell), cell, CELLS, out, n)
    return n


def swappable(state: RawPosition, hand: int, cell: int) -> int:
    """Return the kinds of a hand that may be swapped for a wild: “not for an equal tile, and each cell only once a turn”."""
    wild = i64(state.grid[index(cell)])
    fits = 0 if wild >= SWAPPED else fitting_row(state, cell) & hand & ~(i64(1) << wild)
    return fits & fitting_column(state, cell) if fits != 0 else i64(0)


def random_start(state: RawPosition, hand: int, rng: Words) -> int:
    """Return a first step of a turn, uniformly at random.

    Draw from all pairs of a kind with a cell of the rim, a wild or the pile, and from the end of the turn, until the step is
    legal. This stops, because the end of the turn is always legal.
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
"""The factors that divide a number up to 2^12 by 1, 1, 2, 3, 4 and 5, after a shift by 16 bits."""


def random_add_in_line(state: RawPosition, hand: int, rng: Words) -> int:
    """Return a uniformly random tile at an end of the line, or the end of the turn."""
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
    """Return the kinds of a hand that fit at one end of this turn's line, or 0 if that end does not belong to `line`."""
    other_line = COLUMN if end < 2 else ROW
    fits = i64(state.fits[index(state.slots[index(state.ends[index(end)])])])
    return 0 if state.line == other_line else fits & hand


def random_swap(state: RawPosition, hand: int, rng: Words) -> int:
    """Return a uniformly random swap, or the end. Each wild replaces the choice so far with its share of all steps."""
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
    """Return a uniformly random trade, or the end."""
    which = draw(rng, size(hand) + 1)
    return END if which == size(hand) else TRADE + member_of_five(hand, which)
