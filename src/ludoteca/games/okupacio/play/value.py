"""What a value of Okupació learned from self-play looks at: every window of 3 x 3 cells around an open cell. Two armies.

A window's pattern is a number of 18 bits, two for each cell, column by column: free, mine, theirs or wall. Patterns that a
turn or a reflection makes of each other share a weight; the phases of the game, by the share of cells that are free, do not.

    cells    a d g      the pattern: a b c d e f g h i, two bits each, a highest; e is the centre
             b e h      one column further on it is shifted by 6 bits, and the new column comes in below
             c f i
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core.bits import first, mixed, size
from ludoteca.core.contract import Floats, Integers, RawPosition, i64, index
from ludoteca.games.okupacio.rules import CELLS, FREE, MAX_LEGAL, MAX_PLAYERS, NEAR, ROW, WALL, falls_by_word

MINE, THEIRS, WALLED = 1, 2, 3
"""Kinds of cells, seen by one army; a free one is 0."""
PHASES: Final = 4
FURTHEST: Final = 24
"""A lead in cells that is larger counts as this one."""

_PATTERN: Final = (1 << 18) - 1
_CENTRE: Final = 8
"""Where the centre's bits begin in a pattern."""
_OUTSIDE: Final = 63
"""A column of walls."""
_KINDS: Final = sum(THEIRS << (2 * player) for player in range(MAX_PLAYERS)) | WALLED << (2 * WALL)

LEADS_AT: Final = PHASES << 18
_LEADS: Final = 2 * FURTHEST + 1
CAPTURES_AT: Final = LEADS_AT + 2 * PHASES * _LEADS
FEATURES: Final = CAPTURES_AT + 3 * PHASES
ACTIVE: Final = CELLS + 2
"""The windows of all cells, and two numbers."""

RATE: Final = 5.0
TRACE: Final = 0.8
EXPLORE: Final = 0.03
OPENING: Final = 6
WIDTH: Final = MAX_LEGAL
"""How it is trained (`ludoteca.training.settings.Constants`); a rate of 10 was no better. All actions take less time to
value than those that look best to the heuristics take to find."""


def weights(parameters: Mapping[str, Any]) -> str:
    """Every board has the same weights; more than two armies have none."""
    return "two" if parameters["players"] == 2 else ""


def sharing() -> Integers:
    """The patterns that are the same but for a turn or a reflection share a weight; those around a wall are never active."""
    patterns = np.arange(1 << 18)
    cells = np.stack([patterns >> (16 - 2 * place) & 3 for place in range(9)]).reshape(3, 3, -1)
    images = [image for turns in range(4) for image in (np.rot90(cells, turns), np.rot90(cells, turns)[::-1])]
    places = [(column, row, 16 - 6 * column - 2 * row) for column in range(3) for row in range(3)]
    alike = [sum(image[column, row] << at for column, row, at in places) for image in images]
    least = np.where(cells[1, 1] == WALLED, WALLED << _CENTRE, np.min(alike, axis=0))
    numbers = np.unique(least, return_inverse=True)[1].astype(np.int64)
    windows = [numbers + phase * (numbers.max() + 1) for phase in range(PHASES)]
    rest = np.arange(FEATURES - LEADS_AT, dtype=np.int64) + PHASES * (numbers.max() + 1)
    return np.concatenate([*windows, rest])


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    """The windows around open cells, seen by the player; the lead in cells, with the free ones odd or even; captures."""
    rows, columns = i64(state.rows), i64(state.columns)
    kinds = _kinds_for(player)
    phase = _phase(_open_cells(state), i64(state.n_free))
    count = i64(0)
    for row in range(rows):
        at = (row + 1) * ROW
        pattern = _OUTSIDE << 6 | _column(state, at, kinds)
        for cell in range(at, at + columns):
            pattern = (pattern << 6 | _column(state, cell + 1, kinds)) & _PATTERN
            out[index(count)] = phase << 18 | pattern
            count += 1 if (pattern >> _CENTRE) & 3 != WALLED else 0
    cells, captured = state.cells, state.captured
    lead = i64(cells[index(player)]) - i64(cells[index(1 - player)])
    ahead = i64(captured[index(player)]) - i64(captured[index(1 - player)])
    out[index(count)] = _of_lead(phase, i64(state.n_free), lead)
    out[index(count + 1)] = _of_captures(phase, ahead)
    return count + 2


def state_key(state: RawPosition) -> int:
    """The kinds of all cells, seen by the mover, and the lead in captures."""
    mover, owner = i64(state.mover), state.owner
    kinds = _kinds_for(mover)
    key = i64(state.captured[index(mover)]) - i64(state.captured[index(1 - mover)]) + (1 << 20)
    for row in range(1, i64(state.rows) + 1):
        code = i64(row)
        for cell in range(row * ROW, row * ROW + i64(state.columns)):
            code = code << 2 | ((kinds >> (2 * i64(owner[index(cell)]))) & 3)
        key = mixed(key, code)
    return key


def sums_after(
    state: RawPosition, actions: Integers, count: int, enough: float, weights: Floats, scratch: Integers, out: Floats
) -> int:
    """Only the windows around cells that change hands are looked up for each action; all others once for all actions."""
    player = i64(state.mover)
    kinds = _kinds_for(1 - player)
    free, board = i64(state.n_free), _open_cells(state)
    cells, captured = state.cells, state.captured
    lead = i64(cells[index(1 - player)]) - i64(cells[index(player)])
    ahead = i64(captured[index(1 - player)]) - i64(captured[index(player)])
    _lay_out(state, kinds, scratch)
    phase = _phase(board, free - 1)
    base = _windows(state, phase, weights, scratch)
    for i in range(count):
        cell = i64(actions[index(i)]) + ROW
        falling = _falling(state, cell, player)
        won = _captured(state, cell, falling)
        taken = 1 + size(falling) - won
        later = phase if falling == 0 else _phase(board, free - taken)
        if falling == 0:
            summed = base + _change(cell, phase, weights, scratch)
        else:
            summed = _after_falls(state, cell, falling, base, phase, later, weights, scratch)
        lead_after, ahead_after = lead - taken - 2 * won, ahead - won
        if free == taken:
            out[index(i)] = math.inf if lead_after < 0 or (lead_after == 0 and ahead_after < 0) else -math.inf
        else:
            summed += float(weights[index(_of_lead(later, free - taken, lead_after))])
            summed += float(weights[index(_of_captures(later, ahead_after))])
            out[index(i)] = -summed
        if out[index(i)] >= enough:
            return i + 1
    return count


_SIDES: Final = (-ROW, -1, 1, ROW)


def _falling(state: RawPosition, cell: int, player: int) -> int:
    """The neighbours of a free cell that are taken with it, as a set of `_SIDES`."""
    around, own = state.around, i64(1) << (4 * player)
    nearest = (i64(around[index(cell - ROW)]) + own) | (i64(around[index(cell - 1)]) + own)
    nearest |= (i64(around[index(cell + 1)]) + own) | (i64(around[index(cell + ROW)]) + own)
    falling = i64(0)
    if (nearest >> (4 * player)) & NEAR:
        for side in range(4):
            neighbour = cell + _SIDES[side]
            word = i64(around[index(neighbour)]) + own
            falling |= falls_by_word(word, i64(state.owner[index(neighbour)]), player) << side
    return falling


def _captured(state: RawPosition, cell: int, falling: int) -> int:
    """How many of these neighbours belong to the other army."""
    won = i64(0)
    while falling:
        won += 0 if i64(state.owner[index(cell + _SIDES[first(falling)])]) == FREE else 1
        falling &= falling - 1
    return won


def _after_falls(
    state: RawPosition, cell: int, falling: int, base: float, phase: int, later: int, weights: Floats, patterns: Integers
) -> float:
    """The sum of all windows in the phase after a cell is taken and some of its neighbours with it."""
    summed = base + _hand_over(cell, i64(THEIRS), phase, weights, patterns)
    left = falling
    while left:
        neighbour = cell + _SIDES[first(left)]
        summed += _hand_over(neighbour, _handed_over(state, neighbour), phase, weights, patterns)
        left &= left - 1
    if later != phase:
        summed = _windows(state, later, weights, patterns)
    while falling:
        neighbour = cell + _SIDES[first(falling)]
        _take_back(neighbour, _handed_over(state, neighbour), patterns)
        falling &= falling - 1
    _take_back(cell, i64(THEIRS), patterns)
    return summed


def _handed_over(state: RawPosition, cell: int) -> int:
    """The bits of a cell's kind that change when the player takes it, seen by the other."""
    return i64(THEIRS) if i64(state.owner[index(cell)]) == FREE else i64(THEIRS ^ MINE)


def _lay_out(state: RawPosition, kinds: int, patterns: Integers) -> None:
    """Write the patterns of all cells, and of those around the board, which count as walls; a cell's is at cell + 1."""
    rows, columns = i64(state.rows), i64(state.columns)
    for cell in range(columns + 2):
        patterns[index(cell)] = WALLED << _CENTRE
        patterns[index((rows + 1) * ROW + cell)] = WALLED << _CENTRE
    for row in range(rows):
        at = (row + 1) * ROW
        patterns[index(at)] = patterns[index(at + columns + 1)] = WALLED << _CENTRE
        pattern = _OUTSIDE << 6 | _column(state, at, kinds)
        for cell in range(at, at + columns):
            pattern = (pattern << 6 | _column(state, cell + 1, kinds)) & _PATTERN
            patterns[index(cell + 1)] = pattern


def _windows(state: RawPosition, phase: int, weights: Floats, patterns: Integers) -> float:
    """The sum of the weights of all windows; those around walls have none."""
    summed = 0.0
    for row in range(1, i64(state.rows) + 1):
        for cell in range(row * ROW + 1, row * ROW + 1 + i64(state.columns)):
            summed += float(weights[index(phase << 18 | i64(patterns[index(cell)]))])
    return summed


def _change(cell: int, phase: int, weights: Floats, patterns: Integers) -> float:
    """How much the sum changes when a free cell, and no other, becomes theirs."""
    change = 0.0
    for row in range(-1, 2):
        for column in range(-1, 2):
            window = phase << 18 | i64(patterns[index(cell + 1 + row * ROW + column)])
            change += float(weights[index(window ^ (THEIRS << (8 + 6 * column + 2 * row)))])
            change -= float(weights[index(window)])
    return change


def _hand_over(cell: int, kind: int, phase: int, weights: Floats, patterns: Integers) -> float:
    """The same for a cell whose kind changes by these bits, and the patterns change with it."""
    change = 0.0
    for row in range(-1, 2):
        for column in range(-1, 2):
            at = index(cell + 1 + row * ROW + column)
            window = phase << 18 | i64(patterns[at])
            after = window ^ (kind << (8 + 6 * column + 2 * row))
            change += float(weights[index(after)])
            change -= float(weights[index(window)])
            patterns[at] = after & _PATTERN
    return change


def _take_back(cell: int, kind: int, patterns: Integers) -> None:
    """Undo `_hand_over`."""
    for row in range(-1, 2):
        for column in range(-1, 2):
            patterns[index(cell + 1 + row * ROW + column)] ^= kind << (8 + 6 * column + 2 * row)


def _kinds_for(player: int) -> int:
    """Two bits for each owner: its kind, seen by the player."""
    return _KINDS ^ ((MINE ^ THEIRS) << (2 * player))


def _column(state: RawPosition, cell: int, kinds: int) -> int:
    """Six bits: the kinds of a cell, the one above it, highest, and the one below it."""
    owner = state.owner
    above = (kinds >> (2 * i64(owner[index(cell - ROW)]))) & 3
    below = (kinds >> (2 * i64(owner[index(cell + ROW)]))) & 3
    return above << 4 | ((kinds >> (2 * i64(owner[index(cell)]))) & 3) << 2 | below


def _open_cells(state: RawPosition) -> int:
    """The number of cells that are no walls."""
    return i64(state.n_free) + i64(state.cells[0]) + i64(state.cells[1])


def _phase(board: int, free: int) -> int:
    """The phase when so many of the open cells are free."""
    return min(i64(PHASES - 1), PHASES * free // board)


def _of_lead(phase: int, free: int, lead: int) -> int:
    """The feature of a lead in cells."""
    return LEADS_AT + (phase << 1 | (free & 1)) * _LEADS + max(i64(-FURTHEST), min(i64(FURTHEST), lead)) + FURTHEST


def _of_captures(phase: int, ahead: int) -> int:
    """The feature of a lead in captures, which decides between equal leads in cells."""
    return CAPTURES_AT + 3 * phase + (2 if ahead > 0 else 1 if ahead < 0 else 0)
