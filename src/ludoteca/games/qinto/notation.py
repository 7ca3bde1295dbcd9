"""Text for Q!nto: actions, and why one is refused; tiles and cells are in `names`, whole positions in `positions`.

    +5b@-1,2    add 5b in row -1, column 2          -1G     put 1G under the pile; -? is how others see that
    ~4Y@0,1     swap 4Y for the wild there          end     end the turn, which is a pass if nothing was done

Rows and columns are counted from the first tile, which lies on 0,0, downwards and to the right: whatever is added, a cell
keeps its numbers, so a record can be read without drawing the grid. (The text program numbers the grid as it is printed.)
The grid has no edge, but comes round after 64 rows or columns: 31 is followed by -32, and 32 reads as -32.
"""

import re
from collections import Counter
from collections.abc import Collection
from typing import Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import Message
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.names import (
    HIDDEN,
    cell_of,
    hand_of,
    kind_name,
    place_name,
    place_near,
    place_of,
    read_kind,
    read_place,
    tiles_of,
)
from ludoteca.games.qinto.positions import cell_of_turn
from ludoteca.games.qinto.positions import position_to_string as position_to_string  # part of what a notation has
from ludoteca.games.qinto.positions import string_to_position as string_to_position
from ludoteca.games.qinto.reasons import COLOUR, SHAPE, Fault, Reason, odd_ones, why_not_added, why_not_swapped
from ludoteca.games.qinto.rim import CELLS, below, beside
from ludoteca.games.qinto.tiles import FIRST_WILD, SWAPPED

ADD, SWAP, TRADE, END = "+", "~", "-", "end"
EXPECTED: Final = (
    f"expected a tile and a cell such as +5b@-1,2 (add) or ~5b@0,1 (swap), -5b (put it under the pile), or {END}"
)


def action_to_string(state: RawPosition, action: int) -> str:
    """`+5b@-1,2`, `~4Y@0,1`, `-1G`, `-?` or `end`."""
    if action >= rules.END:
        return END
    if action >= rules.TRADE:
        return TRADE + kind_name(action - rules.TRADE)
    kind, cell = divmod(action, CELLS)
    return f"{SWAP if state.grid[cell] else ADD}{kind_name(kind)}@{place_name(place_of(cell))}"


def string_to_action(state: RawPosition, text: str) -> int:
    """The action of a text, which may have blanks in it. Raises NotationError when it writes none in this position."""
    word = re.sub(r"\s", "", text)
    if word == END:
        return rules.END
    if word[:1] == TRADE:
        return rules.TRADE + (0 if word[1:] == HIDDEN else read_kind(word[1:]))
    tile, at, place = word[1:].partition("@")
    if word[:1] not in (ADD, SWAP) or not word or not at:
        raise NotationError(f"{text[:40]!r} is no action: {EXPECTED}")
    kind, cell = read_kind(tile), cell_of(read_place(place))
    if (word[0] == SWAP) != bool(state.grid[cell]):
        raise NotationError(f"{text[:40]!r}: {_lies_on(state, cell)}")
    return CELLS * kind + cell


def _lies_on(state: RawPosition, cell: int) -> str:
    """Why a tile cannot be added on a cell, or swapped for the one on it: the sign is the wrong one."""
    name, kind = place_name(place_of(cell)), int(state.grid[cell]) % SWAPPED
    if not kind:
        return f"there is no tile at {name} to swap for: to add one is {ADD}"
    return f"{name} is taken by {kind_name(kind)}{f': to swap for it is {SWAP}' if kind >= FIRST_WILD else ''}"


# Why not


SORTS: Final[dict[int, Message]] = {
    rules.ADDING: ("sort.added",),
    rules.SWAPPING: ("sort.swapped",),
    rules.TRADING: ("sort.traded",),
}
"""What a turn does to tiles, by its phase."""

ODD: Final = {Fault.COLOURS: COLOUR, Fault.SHAPES: SHAPE}


def refusal(state: RawPosition, action: int) -> Message:
    """Why an action is not legal here: which line it would make invalid, and how."""
    if not 0 <= action < rules.ACTIONS:
        return ("refused.number", action)
    kind = action // CELLS if action < rules.TRADE else action - rules.TRADE
    if not kind:
        return ("refused.tile", action)
    sort = _sort_of(state, action)
    phase = int(state.phase)
    if phase not in (rules.CHOOSING, sort):
        return ("refused.sort", SORTS[phase], SORTS[sort], END)
    return _message_of(reason_for(state, action))


def _sort_of(state: RawPosition, action: int) -> int:
    """The phase of a turn to which an action belongs."""
    if action >= rules.TRADE:
        return rules.TRADING
    return rules.SWAPPING if state.grid[action % CELLS] else rules.ADDING


def reason_for(state: RawPosition, action: int) -> Reason:
    """Why an action is not legal that names a tile, and is of the sort that the turn is of, if it has begun."""
    hand, tiles = Counter(hand_of(state, int(state.mover))), tiles_of(state)
    if action >= rules.TRADE:
        return Reason(Fault.NOT_IN_HAND, tiles=(kind_name(action - rules.TRADE),))
    tile, cell = kind_name(action // CELLS), action % CELLS
    place = place_near(tiles, cell)
    if state.grid[cell]:
        return why_not_swapped(tiles, hand, place, tile, [place] if state.grid[cell] >= SWAPPED else [])
    if not tiles and hand[tile]:
        return Reason(Fault.FIRST)
    return why_not_added(tiles, hand, [(place, tile)], _begun(state, tiles))


def _begun(state: RawPosition, tiles: Collection[Place]) -> list[Place]:
    """The place of the one tile that this turn has added, or both ends of its line; none when it has not begun."""
    left, right, up, down = state.ends.tolist()
    if state.phase != rules.ADDING:
        return []
    if state.line == rules.ROW:
        cells = [beside(left, 1), beside(right, -1)]
    elif state.line == rules.COLUMN:
        cells = [below(up, 1), below(down, -1)]
    else:
        cells = [cell_of_turn(state)]
    return [place_near(tiles, cell) for cell in cells]


def _message_of(reason: Reason) -> Message:
    """The reason as a message: its text, with the place, or with the tiles and where they are."""
    place, tiles = place_name(reason.place), " ".join(reason.tiles)
    key = f"refused.{reason.fault.name.lower()}"
    if reason.fault is Fault.TOO_LONG:
        return key, _line_of(reason), len(reason.tiles)
    if reason.fault in ODD:
        return key, _line_of(reason), ("odd", *odd_ones(reason.tiles, ODD[reason.fault]))
    return key, place, tiles


def _line_of(reason: Reason) -> Message:
    """A row or column by its number, and its tiles."""
    row, column = place_name(reason.place).split(",")
    return ("row" if reason.across else "column", row if reason.across else column, " ".join(reason.tiles))
