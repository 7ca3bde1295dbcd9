"""The observations and action numbers of Okupació for learners: planes as large as the board, and an action number for each
cell.

The planes do not settle who wins: between armies with equally many cells the captured cells decide, and then the time of the
last move. So each army has numbers for these, too.

The number of an action is the index of its cell on the board, row by row, so that numbers and planes match. Giving up has no
number. A cell that is 0 in every plane is a wall, like everything around the board, so a plane of walls would add no
information.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.contract import Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import FeatureLayout
from ludoteca.core.tables import read_word, table, write_word
from ludoteca.games.okupacio.board import read_numbers
from ludoteca.games.okupacio.rules import CELLS, CONCEDE, FREE, MAX_SIDE, ROW, is_playing, is_terminal

_EIGHT_ONES: Final = 0x01_01_01_01_01_01_01_01
"""A word of eight bytes, each 1. A number below 128 times this word is a word with that number in each byte."""
_ROW_OF: Final = table([cell // ROW - 1 for cell in range(CELLS)])
_INVERSE: Final = table([0, *(-(-(1 << 16) // columns) for columns in range(1, MAX_SIDE + 1))])


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """Return the names of the planes and numbers of an observation. The observer's army comes first, then the other armies
    in turn order.
    """
    rows = read_numbers(parameters["board"])
    armies = ["own", *(f"+{i}" for i in range(1, parameters["players"]))]
    return FeatureLayout(
        planes=("own cells", *(f"cells of army {army}" for army in armies[1:]), "free"),
        rows=len(rows),
        columns=len(rows[0]),
        numbers=tuple(f"{what}: {army}" for what in ("captured", "last move", "to move") for army in armies),
        actions=len(rows) * len(rows[0]),
    )


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Write the planes of 0 and 1 (the cells of each army, and the free cells), and the numbers, up to 1. For a spectator
    the armies begin with A.
    """
    players, size = i64(state.players), i64(state.rows) * i64(state.columns)
    army = max(player, i64(0))
    for plane in range(players):
        _mark(state, army, planes, plane * size)
        numbers[plane] = min(i64(state.captured[index(army)]), size) / size
        numbers[players + plane] = _last_move(state, army, players)
        numbers[2 * players + plane] = 1 if army == i64(state.mover) else 0
        army = army + 1 if army + 1 < players else i64(0)
    _mark(state, i64(FREE), planes, players * size)


def _last_move(state: RawPosition, army: int, players: int) -> float:
    """Return the army's place in the order of last moves, latest first, divided by the number of armies; 0 if it gave up."""
    place = i64(0)
    if is_playing(state, army):
        for other in range(players):
            if is_playing(state, i64(other)) and state.last[other] >= state.last[index(army)]:
                place += 1
    return place / players


def action_mask(state: RawPosition, out: Bytes) -> None:
    """Write 1 for each free cell, which may be taken, and 0 for the others."""
    if not is_terminal(state):
        _mark(state, i64(FREE), out, i64(0))


def _mark(state: RawPosition, holder: int, out: Bytes, at: int) -> None:
    """Write 1 for each cell that belongs to `holder` (an army or FREE), and 0 for the other cells, to `out` from index `at`
    on.

    Blocks of four rows and eight columns are written without branches. The last blocks may overlap the blocks before them.
    """
    owner, rows, columns, match = state.owner, i64(state.rows), i64(state.columns), holder * _EIGHT_ONES
    if columns < 8:
        _mark_narrow(owner, match, rows, columns, out, at)
        return
    for across in range((columns + 7) >> 3):
        column = min(8 * across, columns - 8)
        for down in range((rows + 3) >> 2):
            row = min(4 * down, rows - 4)
            place, cell = at + columns * row + column, ROW * (row + 1) + column
            for i in range(4):
                write_word(out, index(place + columns * i), _equal(owner, cell + ROW * i, match))


def _mark_narrow(owner: Bytes, match: int, rows: int, columns: int, out: Bytes, at: int) -> None:
    """Write 1 for each cell with a holder, and 0 for the other cells, on a board of fewer than eight columns. Each row is
    written as eight cells. `match` is a word with the holder in each byte.

    The cells beyond the end of a row are walls, and the next row overwrites them. After the last row of `out` there is no
    room for them. So the eight cells that end with this row are added to the values that are there already.
    """
    beyond = columns - 8
    for row in range(1, rows + 1):
        if at + 8 <= len(out):
            write_word(out, index(at), _equal(owner, ROW * row, match))
        else:
            before = read_word(out, index(at + beyond))
            write_word(out, index(at + beyond), before | _equal(owner, ROW * row + beyond, match))
        at += columns


def _equal(owner: Bytes, cell: int, match: int) -> int:
    """Compare eight cells, from `cell` on, with one holder. Return a word whose bytes are 1 for cells with this holder and 0
    for others. `match` is a word with the holder in each byte.

    Holders are below 16. So 16 minus the difference is 16 for equal cells, and less for others.
    """
    differing = read_word(owner, index(cell)) ^ match
    return ((16 * _EIGHT_ONES - differing) >> 4) & _EIGHT_ONES


def encode_action(state: RawPosition, action: int) -> int:
    return _number(action + ROW, i64(state.columns)) if action < CONCEDE else i64(-1)


def decode_action(state: RawPosition, number: int) -> int:
    columns = i64(state.columns)
    row = (number * i64(_INVERSE[index(columns)])) >> 16  # number // columns, without a division
    action = number + row * (ROW - columns)
    return action if not is_terminal(state) and i64(state.owner[index(action + ROW)]) == FREE else i64(-1)


def _number(cell: int, columns: int) -> int:
    return cell - ROW - i64(_ROW_OF[index(cell)]) * (ROW - columns)
