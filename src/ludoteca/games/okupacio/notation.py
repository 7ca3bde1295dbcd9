"""Okupació as text: moves, and a whole position in one line.

A move is a cell, given by the letters of its row and its column (`ab`), or `00`, which gives up. A position has four parts:

    AA#./##B./###./#CC# A 3 0:2,0:1,0:0

- the rows of the board: `.` is a free cell, `#` is a wall, a letter is the army that owns the cell
- the army to move, or `-` if the game is over
- the number of turns played
- for each army, the number of cells that it has taken from other armies, `:`, and the number of turns since its last move;
  `-` if the army has given up
"""

import re
from collections.abc import Mapping
from typing import Final

from ludoteca.core.contract import RawPosition, i64
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import Message
from ludoteca.core.reading import DASH, read_list, read_mover, read_number, read_parts
from ludoteca.core.words import counted, quoted
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.board import BLANKS

GIVE_UP: Final = "00"
MAX_NUMBER: Final = 10**6 - 1
"""The highest number in the text of a position. `rules.rank` has twenty bits for each number."""


# Moves


def action_to_string(state: RawPosition, action: int) -> str:
    """Return the name of the action's cell, such as `ab`, or `00` if the action gives up."""
    return GIVE_UP if action == rules.CONCEDE else cell_name(action + rules.ROW)


def string_to_action(state: RawPosition, text: str) -> int:
    """Return the action of a move such as `ab` or `00`, which may contain blanks. Raises NotationError if the text is no
    move, or names no cell of this board.

    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> [string_to_action(state.raw, text) for text in ("aa", "ab", "00")]
    [0, 1, 650]
    """
    move = re.sub(f"[{BLANKS}]", "", text)
    if move == GIVE_UP:
        return rules.CONCEDE
    if not re.fullmatch("[a-z][a-z]", move):
        raise NotationError(("unread.move", quoted(text), GIVE_UP), __package__)
    row, column = (ord(letter) - ord("a") for letter in move)
    if row >= state.rows or column >= state.columns:
        raise NotationError(("unread.outside", move, letter(state.rows - 1), letter(state.columns - 1)), __package__)
    return rules.ROW * row + column


def refusal(state: RawPosition, action: int) -> Message:
    """Return the message that says why an illegal action is refused in this position."""
    row, column = divmod(action, rules.ROW)
    if not (0 <= row < state.rows and 0 <= column < state.columns):
        return "refused.outside", action, letter(state.rows - 1), letter(state.columns - 1)
    cell = action + rules.ROW
    if state.owner[cell] == rules.WALL:
        return "refused.wall", cell_name(cell)
    return "refused.taken", cell_name(cell), army_name(i64(state.owner[cell]))


def cell_name(cell: int) -> str:
    """Return the letters of the row and the column of a cell, given as its index in the arrays of the position."""
    row, column = divmod(int(cell) - rules.ROW, rules.ROW)
    return letter(row) + letter(column)


def letter(number: int) -> str:
    """Return the letter of a row or column. Rows and columns count from 0."""
    return chr(ord("a") + int(number))


def army_name(player: int) -> str:
    """Return the letter of an army."""
    return chr(ord("A") + int(player))


# Positions


def picture(state: RawPosition, free: str = ".") -> list[str]:
    """Return the rows of the board, one character per cell: `free`, `#` for a wall, or an army's letter."""
    signs = {rules.FREE: free, rules.WALL: "#"}
    owner = state.owner.tolist()
    starts = (rules.cell_at(row, 0) for row in range(state.rows))
    return [
        "".join(signs.get(cell) or army_name(cell) for cell in owner[start : start + int(state.columns)]) for start in starts
    ]


def position_to_string(state: RawPosition) -> str:
    """Return the position in one line.

    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> position_to_string(state.raw)
    '.A../..../..../.... B 1 0:0,0:1'
    """
    mover = DASH if rules.is_terminal(state) else army_name(state.mover)
    armies = [
        f"{state.captured[player]}:{rules.idle(state, player)}" if rules.is_playing(state, player) else DASH
        for player in range(state.players)
    ]
    return f"{'/'.join(picture(state))} {mover} {state.turn} {','.join(armies)}"


def string_to_position(state: RawPosition, text: str) -> None:
    """Fill a prepared position, in which all open cells are free, with the position that the text describes.

    Raises NotationError if a part is malformed, if the walls are not those of this board, or if the parts contradict each
    other: for example, if two armies moved last in the same turn.
    """
    rows, mover, turn, armies = read_parts(text, "rows", "army to move", "turns played", "armies")
    state.turn = read_number(turn, "the turns played", MAX_NUMBER)
    playing = _read_armies(state, read_list(armies, ",", int(state.players), "army", plural="armies"))
    for row, cells in enumerate(read_list(rows, "/", int(state.rows), "row")):
        if len(cells) != state.columns:
            raise NotationError(f"row {letter(row)} has {counted(len(cells), 'cell')}: expected {state.columns}")
        for column, sign in enumerate(cells):
            _read_cell(state, rules.cell_at(row, column), sign, playing)
    state.mover = read_mover(mover, rules.has_to_end(state), playing, "the army to move")


def _read_armies(state: RawPosition, armies: list[str]) -> dict[str, int]:
    """Read the part of a position's text about the armies into the position. Return the players who have not given up, by
    the letters of their armies.

    Raises NotationError if an army's text is malformed, if two armies moved last in the same turn, or if every army has
    given up.
    """
    playing: dict[str, int] = {}
    last_mover: dict[int, str] = {}
    for player, text in enumerate(armies):
        name = army_name(player)
        if text == DASH:
            state.playing ^= 1 << player
            state.last[player] = 0
            continue
        captured, colon, idle = text.partition(":")
        if not colon:
            raise NotationError(f"army {name} is {quoted(text)}: expected cells taken:turns without a move, or {DASH}")
        state.captured[player] = read_number(captured, f"the cells taken by army {name}", MAX_NUMBER)
        turns = read_number(idle, f"the turns without a move of army {name}", MAX_NUMBER)
        state.last[player] = state.turn - turns
        playing[name] = player
        if last_mover.setdefault(turns, name) != name:
            raise NotationError(f"armies {last_mover[turns]} and {name} moved last in the same turn")
    if not playing:
        raise NotationError("every army has given up: the last one that is left cannot")
    return playing


def _read_cell(state: RawPosition, cell: int, sign: str, playing: Mapping[str, int]) -> None:
    is_wall = state.owner[cell] == rules.WALL
    if (sign == "#") != is_wall:
        what = "a wall" if is_wall else "open"
        raise NotationError(f"{cell_name(cell)} is {quoted(sign)}: on this game's board it is {what}")
    if sign in playing:
        rules.take_free(state, cell, playing[sign])
    elif sign not in ".#":
        raise NotationError(f"{cell_name(cell)} is {quoted(sign)}: expected . or # or an army that is playing")
