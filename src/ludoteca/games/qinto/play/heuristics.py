"""Heuristics for Q!nto: the value of each step of a turn. They favour many tiles in a turn, Q!ntos, and wilds that stay in
the hand.

In Classic and Plus, they also favour points. The value of a step depends on the step and on the tiles of the hand that could
continue its line. A turn adds tiles as long as any fits. If none fits, it swaps tiles for wilds. If it can do neither, it
puts ordinary tiles under the pile.
"""

from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.choices import best_of_random
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.games.qinto.points import points_for
from ludoteca.games.qinto.rim import (
    CELLS,
    LEFT,
    RIGHT,
    UP,
    around_rim,
    below,
    beside,
    column_length,
    row_length,
    run_at,
)
from ludoteca.games.qinto.rules import (
    ADDING,
    CHOOSING,
    COLUMN,
    END,
    LIGHT,
    ROW,
    TRADE,
    random_action,
    tiles_left,
)
from ludoteca.games.qinto.tiles import EVERY_KIND, FIRST_WILD, RUN_OF, VALUES, fitting, join, length

WIDEN: Final = 0.5
EXPLORE: Final = 0.2
CUT: Final = 0
"""Playouts end with the turn. The learned value replaces the rest of the game."""
TRIES: Final = 4
"""A playout takes the best of this many random actions."""
ADD: Final = 1000
"""The value of adding a tile. It exceeds the value of all other steps."""
POINT: Final = 20
"""The value of each point that a step brings in Classic and Plus."""
QUINTO: Final = 300
"""The value of a Q!nto in Light, which gives another turn."""
NEXT: Final = 40
"""The value of each tile of the hand that could be added after this one, for at most MOST_NEXT tiles."""
MOST_NEXT: Final = 3
WILD: Final = 60
"""The value of a wild in the hand, as long as the player has more than FEW_LEFT tiles left."""
FEW_LEFT: Final = 3
SWAP: Final = 100
PASS: Final = 100
"""The loss for a turn in which nothing is done."""


def playout_action(state: RawPosition, rng: Words) -> int:
    return best_of_random(state, rng, i64(TRIES), random_action, value_of)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    for i in range(count):
        out[i] = value_of(state, i64(actions[i]))


def is_obvious(state: RawPosition, action: int) -> bool:
    """Return True if a step adds the player's last tile in Light, because this wins the game."""
    if state.variant != LIGHT or action >= TRADE or tiles_left(state, i64(state.mover)) > 1:
        return False
    return i64(state.grid[index(action & (CELLS - 1))]) == 0


def value_of(state: RawPosition, action: int) -> int:
    """Return the value of a step for the mover. The end of the turn has the value 0, or -PASS if nothing was done in the
    turn.
    """
    if action == END:
        return i64(-PASS) if state.phase == CHOOSING else i64(0)
    if action >= TRADE:
        return i64(1) - _worth(state, action - TRADE)
    kind, cell = action >> 12, action & (CELLS - 1)
    if state.grid[index(cell)] != 0:
        return i64(SWAP) - _worth(state, kind) * 3
    value = i64(ADD) - _worth(state, kind) + NEXT * min(MOST_NEXT, _next_tiles(state, kind, cell))
    if state.variant != LIGHT:
        return value + POINT * points_for(state, kind, cell)
    around = around_rim(state, cell)
    return value + (QUINTO if row_length(around) == VALUES or column_length(around) == VALUES else 0)


def _worth(state: RawPosition, kind: int) -> int:
    """Return the loss if a tile of a kind leaves the mover's hand: WILD for a wild, else 0."""
    return i64(WILD) if kind >= FIRST_WILD and tiles_left(state, i64(state.mover)) > FEW_LEFT else i64(0)


def _next_tiles(state: RawPosition, kind: int, cell: int) -> int:
    """Return how many kinds of tiles in the hand could be added after a tile of `kind` on `cell`: in its row or in its
    column, whichever allows more.
    """
    mover, bit = index(state.mover), i64(1) << kind
    hand = (i64(state.held[mover]) & ~bit) | (i64(state.paired[mover]) & bit)
    around, tile = around_rim(state, cell), i64(RUN_OF[index(kind)])
    row = column = i64(0)
    if state.phase != ADDING or _goes_along(state, cell, 0, ROW):
        row = size(_fitting_ends(state, hand, cell, tile, around, LEFT))
    if state.phase != ADDING or _goes_along(state, cell, 2, COLUMN):
        column = size(_fitting_ends(state, hand, cell, tile, around, UP))
    return max(row, column)


def _goes_along(state: RawPosition, cell: int, first: int, line: int) -> bool:
    """Return True if a cell is one of the two ends of this turn's line in the direction `line` (ROW or COLUMN). These ends
    have the indices `first` and `first + 1` in `state.ends`.
    """
    if state.line != 0 and state.line != line:
        return False
    return cell == i64(state.ends[index(first)]) or cell == i64(state.ends[index(first + 1)])


def _fitting_ends(state: RawPosition, hand: int, cell: int, tile: int, around: int, side: int) -> int:
    """Return the set of kinds in a hand that fit at one end of the row (if `side` is LEFT) or column (if it is UP) that a
    new tile makes.

    `tile` is the run of the tile, and `around` has the runs around its cell.
    """
    one, other = run_at(around, side), run_at(around, side + RIGHT)
    run = join(join(one, tile), other)
    if side == LEFT:
        ends = _free(state, beside(cell, -1 - length(one)), side) | _free(state, beside(cell, 1 + length(other)), side)
    else:
        ends = _free(state, below(cell, -1 - length(one)), side) | _free(state, below(cell, 1 + length(other)), side)
    return fitting(run) & ends & hand


def _free(state: RawPosition, cell: int, side: int) -> int:
    """Return the set of kinds that fit one line through an empty cell: the column if `side` is LEFT, otherwise the row."""
    slot = i64(state.slots[index(cell)])
    if slot == 0:
        return EVERY_KIND
    return i64(state.fits_column[index(slot)]) if side == LEFT else i64(state.fits_row[index(slot)])
