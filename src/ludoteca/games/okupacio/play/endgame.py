"""Exact play at the end of Okupació, when two armies are left (`core.contract.Endgame`).

The rest of a game depends on the free cells and on their neighbours: on the owner of each neighbour, and on how many of the
neighbour's neighbours each army owns. No other cell can change hands or decide which cells fall.
"""

from typing import Final

from ludoteca.core.bits import first, mixed
from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.okupacio.rules import CONCEDE, FREE, ROW, WALL, falls_by_word, idle, is_terminal

GROWTH: Final = 13
"""Sixteenths that a free cell adds to log2 of the positions to solve: 14 cells take some 1,500 positions, 26 a million."""
MAX_FREE_CELLS: Final = 60
"""Exact play is never tried if there are more free cells."""
CELL: Final = 1 << 14
"""The worth of one cell in `advantage`. It is more than all captures and the turns without a move together."""
CAPTURE: Final = 4
"""The worth of a capture in `advantage`: more than the last tie-break, which is worth 1. Equal advantages are equal."""


def endgame_size(state: RawPosition) -> int:
    """Return the binary logarithm of the number of positions to solve, or -1 if the ending is not to be solved: not exactly
    two armies are left, or there are more than MAX_FREE_CELLS free cells.
    """
    others = i64(state.playing) & (i64(state.playing) - 1)
    if others == 0 or others & (others - 1) != 0 or state.n_free > MAX_FREE_CELLS:
        return i64(-1)
    return (GROWTH * i64(state.n_free)) >> 4


def position_key(state: RawPosition) -> int:
    """Return a hash of the parts of a position that decide the rest of the game: the free cells, their neighbours and the
    mover.
    """
    free = state.free
    mover = i64(state.mover)
    other = first(i64(state.playing) ^ (i64(1) << mover))
    key = mixed(i64(CONCEDE), mover)
    for i in range(state.n_free):
        cell = i64(free[index(i)])
        above = _described(state, cell - ROW, mover, other) << 20 | _described(state, cell - 1, mover, other) << 10
        below = _described(state, cell + 1, mover, other) << 20 | _described(state, cell + ROW, mover, other) << 10
        key ^= mixed(above | cell, below | cell)
    return key


def advantage(state: RawPosition, player: int) -> int:
    """Return by how much an army is ahead: in cells owned (CASELLES), then in cells captured (ARRABASSADES). At the end of
    the game, the turns without a move (SENSE TIRAR) break ties.
    """
    other = first(i64(state.playing) & ~(i64(1) << player))
    cells = i64(state.cells[index(player)]) - i64(state.cells[index(other)])
    captured = i64(state.captured[index(player)]) - i64(state.captured[index(other)])
    ahead = cells * CELL + captured * CAPTURE
    if is_terminal(state):
        ahead += 1 if idle(state, player) > idle(state, other) else -1
    return ahead


def most_gain(state: RawPosition, player: int) -> int:
    """Return a bound on the advantage that the player can still gain."""
    return _at_stake(state, player)


def most_loss(state: RawPosition, player: int) -> int:
    return _at_stake(state, first(i64(state.playing) & ~(i64(1) << player)))


def tells_actions(state: RawPosition) -> bool:
    return True


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """Write a value for each action to `out`, so that the solver tries good actions first. The worth of the cells that fall
    if the mover takes the cell counts twice, and the worth of those that would fall if the other army took it counts once.
    """
    mover = i64(state.mover)
    other = first(i64(state.playing) ^ (i64(1) << mover))
    for i in range(count):
        cell = i64(actions[i]) + ROW
        out[i] = 0 if actions[i] == CONCEDE else 2 * _taken(state, cell, mover) + _taken(state, cell, other)


def _taken(state: RawPosition, cell: int, player: int) -> int:
    return (
        _worth(state, cell - ROW, player)
        + _worth(state, cell - 1, player)
        + _worth(state, cell + 1, player)
        + _worth(state, cell + ROW, player)
    )


def _worth(state: RawPosition, neighbour: int, player: int) -> int:
    """Return the worth of a neighbour to an army that takes the cell next to it: 2 for a capture, 1 for a free cell, 0 if it
    does not fall.
    """
    word = i64(state.around[index(neighbour)]) + (i64(1) << (4 * player))
    owner = i64(state.owner[index(neighbour)])
    falls = falls_by_word(word, owner, player)
    return falls if owner == FREE else 2 * falls


def _at_stake(state: RawPosition, player: int) -> int:
    """Return a bound on the advantage that an army can gain: it could get every free cell, and every cell of the other army
    next to a free cell.

    A free cell may count twice, because the army can capture it after the other army has taken it. Any other cell counts
    once: each later capture of the same cell only undoes a capture by the other army.
    """
    free, owner = state.free, state.owner
    cells, captures = i64(state.n_free), i64(0)
    for i in range(state.n_free):
        cell = i64(free[index(i)])
        captures += _is_others(i64(owner[index(cell - ROW)]), player) + _is_others(i64(owner[index(cell - 1)]), player)
        captures += _is_others(i64(owner[index(cell + 1)]), player) + _is_others(i64(owner[index(cell + ROW)]), player)
    return cells * (CELL + CAPTURE) + captures * (2 * CELL + CAPTURE) + 1


def _is_others(owner: int, player: int) -> int:
    return i64(1) if owner not in (player, FREE, WALL) else i64(0)


def _described(state: RawPosition, cell: int, mover: int, other: int) -> int:
    """Return ten bits that describe a cell: its owner (the mover, the other army, none or a wall), and how many of its
    neighbours each of the two armies owns.
    """
    word, owner = i64(state.around[index(cell)]), i64(state.owner[index(cell)])
    counts = ((word >> (4 * mover)) & 15) << 4 | ((word >> (4 * other)) & 15)
    kind = i64(0) if owner == mover else i64(1) if owner == other else i64(2) if owner == FREE else i64(3)
    return kind << 8 | counts
