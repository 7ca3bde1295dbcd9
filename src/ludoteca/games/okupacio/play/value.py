"""The features of a learned value of positions with two armies: the pattern of the window of 3 x 3 cells around every open
cell.

A window's pattern is a number of 18 bits, two for each cell, column by column: free, mine, theirs or wall. Patterns share a
weight if turning or mirroring makes them equal. The share of free cells decides the phase of the game. There are separate
weights for each phase.

    cells    a d g      the pattern: a b c d e f g h i, two bits each, a in the highest bits. The centre is e
             b e h      the window one column to the right: shift by 6 bits, and put the new column in the lowest bits
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
"""The kinds of cells as an army sees them. A free cell is 0."""
PHASES: Final = 4
FURTHEST: Final = 24
"""The largest lead in cells that has a feature. Larger leads use the same feature."""

_PATTERN: Final = (1 << 18) - 1
_CENTRE: Final = 8
"""The lowest bit of the centre in a pattern."""
_OUTSIDE: Final = 63
"""A column of walls."""
_KINDS: Final = sum(THEIRS << (2 * player) for player in range(MAX_PLAYERS)) | WALLED << (2 * WALL)

LEADS_AT: Final = PHASES << 18
_LEADS: Final = 2 * FURTHEST + 1
CAPTURES_AT: Final = LEADS_AT + 2 * PHASES * _LEADS
FEATURES: Final = CAPTURES_AT + 3 * PHASES
ACTIVE: Final = CELLS + 2
"""The most active features: the windows of all cells, and the leads in cells and captures."""

RATE: Final = 5.0
TRACE: Final = 0.8
EXPLORE: Final = 0.03
OPENING: Final = 6
WIDTH: Final = MAX_LEGAL
"""The constants of training (`ludoteca.training.settings.Constants`). A rate of 10 was no better. WIDTH is the number of all
actions, because computing the value of all takes less time than finding the best by the heuristics."""


def weights(parameters: Mapping[str, Any]) -> str:
    """Return the name of the file of weights for two armies, which serves for every board.

    With more armies, return an empty text, because there are no weights.
    """
    return "two" if parameters["players"] == 2 else ""


def sharing() -> Integers:
    """Return the index of the weight of each feature. Patterns that become equal by turning or mirroring share a weight.

    Patterns around a wall never occur as features. They all share one weight, so that they take no memory.
    """
    images = [[[_image(column, value, turn) for value in range(64)] for column in range(3)] for turn in range(8)]
    numbers, count = [-1] * (1 << 18), 0
    for pattern in range(1 << 18):
        if numbers[pattern] >= 0:
            continue
        if pattern >> _CENTRE & 3 == WALLED:
            for at in range(pattern, 1 << 18, 4 << _CENTRE):
                numbers[at : at + (1 << _CENTRE)] = [count] * (1 << _CENTRE)
        for left, middle, right in images:
            numbers[left[pattern >> 12] | middle[pattern >> 6 & 63] | right[pattern & 63]] = count
        count += 1
    windows = [number + phase * count for phase in range(PHASES) for number in numbers]
    return np.array([*windows, *range(PHASES * count, PHASES * count + FEATURES - LEADS_AT)], np.int64)


def _image(column: int, value: int, turn: int) -> int:
    """Return the bits to which a symmetry maps one column of a pattern. `value` has the six bits of the column, and `turn`,
    0 to 7, is the number of the symmetry (turning or mirroring).
    """
    bits = 0
    for row in range(3):
        place = (2 - column if turn & 1 else column), (2 - row if turn & 2 else row)
        bits |= (value >> (4 - 2 * row) & 3) << (16 - 6 * place[turn >> 2] - 2 * place[1 - (turn >> 2)])
    return bits


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    """Write the active features of a position, as the player sees them: the windows around all open cells, the lead in cells
    and the lead in captures. Return their number.

    The feature of the lead in cells also depends on whether the number of free cells is odd or even.
    """
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
    """Return a hash of the position as the mover sees it: the kinds of all cells, and the lead in captures."""
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
    """Write the value after each action to `out`, until one is at least `enough`. Return how many actions were valued.

    This is quick because all windows are summed only once. Each action then changes the sum only by the windows around the
    cells that change hands. `scratch` is working memory for the patterns.
    """
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
    """Return the neighbours of a free cell that fall if the player takes the cell. Bit i is the neighbour at the step
    `_SIDES[i]`.
    """
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
    """Return how many of the falling neighbours of a cell belong to the other army. `falling` is the result of
    `_falling`.
    """
    won = i64(0)
    while falling:
        won += 0 if i64(state.owner[index(cell + _SIDES[first(falling)])]) == FREE else 1
        falling &= falling - 1
    return won


def _after_falls(
    state: RawPosition, cell: int, falling: int, base: float, phase: int, later: int, weights: Floats, patterns: Integers
) -> float:
    """Return the sum of the weights of all windows after a cell is taken and the neighbours in `falling` fall with it.

    `base` is the sum before, with the weights of `phase`. The result uses the weights of the phase `later`. `patterns` is
    restored.
    """
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
    """Return the bits that change in the kind of a cell when the player takes the cell. Kinds are as the
    opponent sees them.
    """
    return i64(THEIRS) if i64(state.owner[index(cell)]) == FREE else i64(THEIRS ^ MINE)


def _lay_out(state: RawPosition, kinds: int, patterns: Integers) -> None:
    """Write the patterns of all cells of the board, and of the walls around it, to `patterns`. The pattern of a cell is at
    index cell + 1.
    """
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
    """Return the sum of the weights of all windows. Windows around walls have weight 0."""
    summed = 0.0
    for row in range(1, i64(state.rows) + 1):
        for cell in range(row * ROW + 1, row * ROW + 1 + i64(state.columns)):
            summed += float(weights[index(phase << 18 | i64(patterns[index(cell)]))])
    return summed


def _change(cell: int, phase: int, weights: Floats, patterns: Integers) -> float:
    """Return by how much the sum of weights changes when the player takes a free cell and no neighbour falls. The opponent
    sees it as THEIRS.
    """
    change = 0.0
    for row in range(-1, 2):
        for column in range(-1, 2):
            window = phase << 18 | i64(patterns[index(cell + 1 + row * ROW + column)])
            change += float(weights[index(window ^ (THEIRS << (8 + 6 * column + 2 * row)))])
            change -= float(weights[index(window)])
    return change


def _hand_over(cell: int, kind: int, phase: int, weights: Floats, patterns: Integers) -> float:
    """Flip the bits `kind` of a cell in all patterns that contain the cell. Return by how much the sum of
    weights changes.
    """
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
    """Undo `_hand_over`: flip the bits `kind` of a cell in all patterns that contain the cell."""
    for row in range(-1, 2):
        for column in range(-1, 2):
            patterns[index(cell + 1 + row * ROW + column)] ^= kind << (8 + 6 * column + 2 * row)


def _kinds_for(player: int) -> int:
    """Return a word with two bits for each owner of a cell: free, MINE, THEIRS or WALLED, as the player sees the cell."""
    return _KINDS ^ ((MINE ^ THEIRS) << (2 * player))


def _column(state: RawPosition, cell: int, kinds: int) -> int:
    """Return six bits for three cells of a column, from the highest bits: the kinds of the cell above, of the cell itself
    and of the cell below.
    """
    owner = state.owner
    above = (kinds >> (2 * i64(owner[index(cell - ROW)]))) & 3
    below = (kinds >> (2 * i64(owner[index(cell + ROW)]))) & 3
    return above << 4 | ((kinds >> (2 * i64(owner[index(cell)]))) & 3) << 2 | below


def _open_cells(state: RawPosition) -> int:
    """Return the number of cells that are not walls."""
    return i64(state.n_free) + i64(state.cells[0]) + i64(state.cells[1])


def _phase(board: int, free: int) -> int:
    """Return the phase of the game if `free` of the `board` open cells are free."""
    return min(i64(PHASES - 1), PHASES * free // board)


def _of_lead(phase: int, free: int, lead: int) -> int:
    """Return the feature of a lead in cells."""
    return LEADS_AT + (phase << 1 | (free & 1)) * _LEADS + max(i64(-FURTHEST), min(i64(FURTHEST), lead)) + FURTHEST


def _of_captures(phase: int, ahead: int) -> int:
    """Return the feature of a lead in captures: it is ahead, behind or equal. Captures decide the game if both armies have
    equally many cells.
    """
    return CAPTURES_AT + 3 * phase + (2 if ahead > 0 else 1 if ahead < 0 else 0)
