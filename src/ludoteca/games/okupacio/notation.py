"""Text for Okupació: moves, and a whole position in one line.

A move is a cell, row then column (`ab`), or `00`, which gives up. A position has four parts:

    AA#./##B./###./#CC# A 3 0:2,0:1,0:0

the rows of the board (`.` free, `#` wall, a letter the army that owns the cell), the army to move (`-` when the game is
over), the turns played, and for each army the cells it took from others and its turns without a move (`-` once it has
given up).
"""

import re
from typing import Final

from ludoteca.core.contract import TERMINAL, RawPosition, i64
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import Message
from ludoteca.core.words import counted
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.board import BLANKS

GIVE_UP: Final = "00"
NOBODY: Final = "-"
MOST: Final = 10**6 - 1
"""The highest number that a position may hold: `rules.rank` gives each twenty bits."""


# Moves


def action_to_string(state: RawPosition, action: int) -> str:
    """`ab`, or `00`."""
    return GIVE_UP if action == rules.CONCEDE else cell_name(action + rules.ROW)


def string_to_action(state: RawPosition, text: str) -> int:
    """The action of a move, which may have blanks in it. Raises NotationError when it names no cell of this board."""
    move = re.sub(f"[{BLANKS}]", "", text)
    if move == GIVE_UP:
        return rules.CONCEDE
    if not re.fullmatch("[a-z][a-z]", move):
        raise NotationError(
            f"{text!r} is no move: expected two letters, row and column, such as ab, or {GIVE_UP} to give up"
        )
    row, column = (ord(letter) - ord("a") for letter in move)
    if row >= state.rows or column >= state.columns:
        raise NotationError(f"{move} is outside the board, which has {_extent(state)}")
    return rules.ROW * row + column


def refusal(state: RawPosition, action: int) -> Message:
    """Why an action is not legal here."""
    row, column = divmod(action, rules.ROW)
    if not (0 <= row < state.rows and 0 <= column < state.columns):
        return "refused.outside", action, letter(state.rows - 1), letter(state.columns - 1)
    cell = action + rules.ROW
    if state.owner[cell] == rules.WALL:
        return "refused.wall", cell_name(cell)
    return "refused.taken", cell_name(cell), army_name(i64(state.owner[cell]))


def cell_name(cell: int) -> str:
    """Row and column letter of a cell."""
    row, column = divmod(int(cell) - rules.ROW, rules.ROW)
    return letter(row) + letter(column)


def letter(number: int) -> str:
    """The letter of a row or column."""
    return chr(ord("a") + int(number))


def army_name(player: int) -> str:
    """The letter of an army."""
    return chr(ord("A") + int(player))


def _extent(state: RawPosition) -> str:
    return f"rows a to {letter(state.rows - 1)} and columns a to {letter(state.columns - 1)}"


# Positions


def picture(state: RawPosition, free: str = ".") -> list[str]:
    """The board's rows, one character a cell: `free`, `#` for a wall, an army's letter."""
    signs = {rules.FREE: free, rules.WALL: "#"}
    owner = state.owner.tolist()
    starts = (rules.cell_at(row, 0) for row in range(state.rows))
    return [
        "".join(signs.get(cell) or army_name(cell) for cell in owner[start : start + int(state.columns)]) for start in starts
    ]


def position_to_string(state: RawPosition) -> str:
    """The position in one line."""
    mover = NOBODY if rules.is_terminal(state) else army_name(state.mover)
    armies = ",".join(_army(state, player) for player in range(state.players))
    return f"{'/'.join(picture(state))} {mover} {state.turn} {armies}"


def _army(state: RawPosition, player: int) -> str:
    if not rules.is_playing(state, player):
        return NOBODY
    return f"{state.captured[player]}:{rules.idle(state, player)}"


def string_to_position(state: RawPosition, text: str) -> None:
    """Change the prepared position (all cells free) into that of the text. Raises NotationError: what is wrong."""
    parts = text.split()
    if len(parts) != 4:
        raise NotationError(
            f"the position has {counted(len(parts), 'part')}: expected 4: rows, army to move, turns played, armies"
        )
    rows, mover, turn, armies = parts
    state.turn = _natural(turn, "the turns played")
    _read_armies(state, armies.split(","))
    _read_rows(state, rows.split("/"))
    _read_mover(state, mover)


def _read_armies(state: RawPosition, armies: list[str]) -> None:
    if len(armies) != state.players:
        raise NotationError(f"the position has {counted(len(armies), 'army', 'armies')}: this game has {state.players}")
    for player, text in enumerate(armies):
        if text == NOBODY:
            state.playing ^= 1 << player
            state.last[player] = 0
            continue
        captured, colon, idle = text.partition(":")
        if not colon:
            raise NotationError(f"army {army_name(player)} is {text!r}: expected cells taken:turns without a move, or -")
        state.captured[player] = _natural(captured, f"the cells taken by army {army_name(player)}")
        state.last[player] = state.turn - _natural(idle, f"the turns without a move of army {army_name(player)}")
    _check_armies(state)


def _check_armies(state: RawPosition) -> None:
    playing = [player for player in range(state.players) if rules.is_playing(state, player)]
    if not playing:
        raise NotationError("every army has given up: the last one that is left cannot")
    moved: dict[int, int] = {}
    for player in playing:
        other = moved.setdefault(rules.idle(state, player), player)
        if other != player:
            raise NotationError(f"armies {army_name(other)} and {army_name(player)} moved last in the same turn")


def _read_rows(state: RawPosition, rows: list[str]) -> None:
    if len(rows) != state.rows:
        raise NotationError(f"the position has {counted(len(rows), 'row')}: this game's board has {state.rows}")
    for row, cells in enumerate(rows):
        if len(cells) != state.columns:
            raise NotationError(
                f"row {letter(row)} has {counted(len(cells), 'cell')}: this game's board has {state.columns} columns"
            )
        for column, sign in enumerate(cells):
            _read_cell(state, rules.cell_at(row, column), sign)


def _read_cell(state: RawPosition, cell: int, sign: str) -> None:
    is_wall = state.owner[cell] == rules.WALL
    if (sign == "#") != is_wall:
        raise NotationError(f"{cell_name(cell)} is {sign!r}: on this game's board it is {'a wall' if is_wall else 'open'}")
    if sign in ".#":
        return
    player = ord(sign) - ord("A")
    if not (0 <= player < state.players and rules.is_playing(state, player)):
        raise NotationError(f"{cell_name(cell)} is {sign!r}: expected . or # or an army that is playing")
    rules.take_free(state, cell, player)


def _read_mover(state: RawPosition, mover: str) -> None:
    over = rules.has_to_end(state)
    if over != (mover == NOBODY):
        raise NotationError(f"the army to move is {mover!r}: the game is {'over: expected -' if over else 'not over'}")
    if over:
        state.mover = TERMINAL
        return
    player = ord(mover) - ord("A") if len(mover) == 1 else -1
    if not (0 <= player < state.players and rules.is_playing(state, player)):
        raise NotationError(f"the army to move is {mover!r}: expected the letter of an army that is playing")
    state.mover = player


def _natural(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MOST):
        raise NotationError(f"{what}: read {text[:20]!r}, expected a number from 0 to {MOST}")
    return int(text)
