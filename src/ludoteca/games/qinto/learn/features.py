"""The observations and action numbers of Q!nto for learners. Planes show a window of 17 x 17 places of the grid, and there
is an action number for each tile of the hand at each place of the window.

The middle of the window is the middle of the smallest rectangle around the tiles. The window is itself a torus, of WINDOW x
WINDOW places. A larger grid continues at its opposite edge: two cells share a place if they are WINDOW rows or columns
apart. Different tiles of the hand have *slots* from 0 on, in the order of their kinds.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.bits import first, member_of_five, size
from ludoteca.core.contract import Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import FeatureLayout
from ludoteca.core.tables import table
from ludoteca.games.qinto.hidden import ONE_OF_TWO, pile_of
from ludoteca.games.qinto.legal import fitting_end, swappable
from ludoteca.games.qinto.names import kind_name
from ludoteca.games.qinto.rim import CELLS, SIDE
from ludoteca.games.qinto.rules import (
    ADDING,
    CHOOSING,
    COLUMN,
    END,
    HAND,
    MAX_SCORE,
    ROW,
    SWAPPING,
    TRADE,
    TRADING,
    is_terminal,
)
from ludoteca.games.qinto.tiles import (
    DOUBLE_KINDS,
    FIRST_WILD,
    KINDS,
    SWAPPED,
    TILES,
    VALUES,
    WILDS,
    colour_of,
    shape_of,
)

WINDOW: Final = 17
"""The rows and columns of the window. Games seldom need more."""
PLACES: Final = WINDOW * WINDOW
ATTRIBUTES: Final = VALUES + 1
"""The number of planes for shapes: one for each shape, and one for wilds of any shape. Colours have as many."""
SWAPPED_PLANE: Final = 2 * ATTRIBUTES
FITTING_PLANE: Final = SWAPPED_PLANE + 1
ENDS_PLANE: Final = FITTING_PLANE + 1
PLANES: Final = ENDS_PLANE + 1
OF_SLOT: Final = 2 * ATTRIBUTES + 1
"""The count of numbers in an observation about each slot of the hand."""
UNSEEN_AT: Final = HAND * OF_SLOT
UNDER_AT: Final = UNSEEN_AT + KINDS
PLAYERS_AT: Final = UNDER_AT + KINDS
"""The indices of the first numbers about unseen tiles, about known tiles in the pile, and about players."""
WILD_KINDS: Final = WILDS - 1
OF_PLAYER: Final = 5 + WILD_KINDS
PHASES: Final = 4
OF_TURN: Final = PHASES + 5
MOST_POINTS: Final = 200
"""Points are divided by this in an observation."""

PUT: Final = HAND * PLACES
PASS: Final = PUT + HAND
"""PUT + slot is the number of the action that puts a tile under the pile. PASS is the number of the end of the turn."""


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """Return the names of the planes and numbers of an observation. The observer comes first, then the other players in turn
    order.
    """
    who = ["own", *(f"player +{i}'s" for i in range(1, parameters["players"]))]
    shapes = [*(f"shape {value}" for value in range(1, VALUES + 1)), "open shape"]
    colours = [*(f"colour {value}" for value in ("black", "blue", "green", "red", "yellow")), "open colour"]
    kinds = [kind_name(kind) for kind in range(1, KINDS + 1)]
    return FeatureLayout(
        planes=(*shapes, *colours, "swapped in this turn", "tiles of the hand that fit", "end of the line of this turn"),
        rows=WINDOW,
        columns=WINDOW,
        numbers=(
            *(f"{what} in slot {slot}" for slot in range(1, HAND + 1) for what in (*shapes, *colours, "two tiles")),
            *(f"{kind} not seen" for kind in kinds),
            *(f"{kind} known in the pile" for kind in kinds),
            *(
                f"{whose} {what}"
                for whose in who
                for what in (
                    "turn",
                    "hand, of 5",
                    "pile, of 60",
                    "known tiles in the pile, of 60",
                    f"points, of {MOST_POINTS}",
                    *(f"hand was seen to get {kind}" for kind in kinds[FIRST_WILD - 1 :]),
                )
            ),
            *("nothing done", "adding", "swapping", "trading", "adding to a row", "adding to a column"),
            *("tiles added, of 5", "another turn follows", "turns without an added tile, of those that end the game"),
        ),
        actions=PASS + 1,
        high=MAX_SCORE / MOST_POINTS,
    )


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Write the planes and numbers that a player sees. A spectator (-1) has no hand, and the players begin with player 0."""
    me = max(player, i64(0))
    hand = i64(state.held[index(me)]) if player >= 0 else i64(0)
    _show_grid(state, hand, planes)
    if player >= 0:
        _show_hand(state, player, numbers)
    _show_unseen(state, player, numbers)
    _show_players(state, me, numbers)
    _show_turn(state, numbers)


def _show_grid(state: RawPosition, hand: int, planes: Bytes) -> None:
    rows, columns = _spans(state)
    middle_row, middle_column = _middle(rows), _middle(columns)
    grid, rim = state.grid, state.rim
    _show_tiles(state, rows, columns, planes)
    for i in range(i64(state.n_wilds)):
        cell = i64(state.wilds[index(i)])
        if grid[index(cell)] >= SWAPPED:
            planes[index(PLACES * SWAPPED_PLANE + _place(cell, middle_row, middle_column))] = 1
    for slot in range(1, i64(state.n_rim) + 1):
        at = index(PLACES * FITTING_PLANE + _place(i64(rim[index(slot)]), middle_row, middle_column))
        planes[at] = max(i64(planes[at]), size(i64(state.fits[index(slot)]) & hand))
    if state.phase == ADDING:
        for end in range(4):
            if state.line != (COLUMN if end < 2 else ROW):
                cell = i64(state.ends[index(end)])
                planes[index(PLACES * ENDS_PLANE + _place(cell, middle_row, middle_column))] = 1


def _show_tiles(state: RawPosition, rows: int, columns: int, planes: Bytes) -> None:
    """Write the planes of shapes and colours for each tile. `rows` and `columns` are the spans of the rim (the empty cells
    around the tiles), as `_spans` returns them.
    """
    grid = state.grid
    left = (columns >> _FIRST_AT) + 1
    first_right = i64(AT[index((left - _middle(columns)) & (SIDE - 1))])
    for i in range(1, (rows & _COUNT) - 1):
        row = ((rows >> _FIRST_AT) + i) & (SIDE - 1)
        down, right = WINDOW * i64(AT[index((row - _middle(rows)) & (SIDE - 1))]), first_right
        for column in range(left, left + (columns & _COUNT) - 2):
            kind = i64(grid[index(SIDE * row + (column & (SIDE - 1)))])
            shown = i64(PLANES_OF[index(kind)])
            is_tile = i64(kind != 0)  # there is no branch here, because processors would often predict it wrongly
            planes[index(down + right + (shown & _SHAPE_PLANE))] |= is_tile
            planes[index(down + right + (shown >> _COLOUR_PLANE_AT))] |= is_tile
            right = right + 1 if right + 1 < WINDOW else i64(0)


def _show_hand(state: RawPosition, player: int, numbers: Floats) -> None:
    kinds, paired = i64(state.held[index(player)]), i64(state.paired[index(player)])
    at = i64(0)
    while kinds != 0:
        kind = first(kinds)
        kinds &= kinds - 1
        shown = i64(PLANES_OF[index(kind)])
        numbers[index(at + (shown & _SHAPE_PLANE) // PLACES)] = 1
        numbers[index(at + (shown >> _COLOUR_PLANE_AT) // PLACES)] = 1
        numbers[index(at + 2 * ATTRIBUTES)] = (paired >> kind) & 1
        at += OF_SLOT


def _show_unseen(state: RawPosition, player: int, numbers: Floats) -> None:
    """Write how many tiles of each kind the player does not see, and how many tiles of each kind the player
    knows in a pile.
    """
    once, twice = i64(state.on_grid[0]), i64(state.on_grid[1])
    if player >= 0:
        held = i64(state.held[index(player)])
        twice |= i64(state.paired[index(player)]) | (once & held)
        once |= held
        known, start = i64(state.known[index(player)]), pile_of(state, player) * i64(state.share)
        while known != 0:
            kind = i64(state.piles[index(start + first(known))])
            known &= known - 1
            twice |= once & (i64(1) << kind)
            once |= i64(1) << kind
            numbers[index(UNDER_AT + kind - 1)] += 1
    for kind in range(1, KINDS + 1):
        left = 1 + ((DOUBLE_KINDS >> kind) & 1) - ((once >> kind) & 1) - ((twice >> kind) & 1)
        numbers[index(UNSEEN_AT + kind - 1)] = left


def _show_players(state: RawPosition, me: int, numbers: Floats) -> None:
    players, traces = i64(state.players), state.traces
    for i in range(players):
        seat = me + i if me + i < players else me + i - players
        at = PLAYERS_AT + OF_PLAYER * i
        numbers[index(at)] = state.mover == seat
        numbers[index(at + 1)] = i64(state.in_hand[index(seat)]) / HAND
        numbers[index(at + 2)] = i64(state.piled[index(pile_of(state, seat))]) / TILES
        numbers[index(at + 3)] = size(i64(state.known[index(seat)])) / TILES
        numbers[index(at + 4)] = i64(state.points[index(seat)]) / MOST_POINTS
        for wild in range(WILDS):
            if traces[index(wild)] == i64(1) << seat:
                numbers[index(at + 5 + min(i64(wild), ONE_OF_TWO))] += 1


def turn_at(players: int) -> int:
    """Return the index of the first number about the turn, which comes after the numbers about all players."""
    return PLAYERS_AT + OF_PLAYER * players


def _show_turn(state: RawPosition, numbers: Floats) -> None:
    at = turn_at(i64(state.players))
    numbers[index(at + i64(state.phase))] = 1
    at += PHASES
    numbers[index(at)] = state.line == ROW
    numbers[index(at + 1)] = state.line == COLUMN
    numbers[index(at + 2)] = i64(state.laid) / HAND
    numbers[index(at + 3)] = state.again
    numbers[index(at + 4)] = i64(state.idle) / (i64(state.rounds) * i64(state.players))


def leave_out(view: RawPosition) -> None:
    """Clear the order of known tiles in the pile, and the possible places of wilds that went to a hand."""
    view.piles = sorted(view.piles.tolist())
    view.known[:] = 0
    view.traces[:] = 0


def action_mask(state: RawPosition, out: Bytes) -> None:
    """Write 1 for the number of each legal action: tiles at places of the window, tiles under the pile, and the end of the
    turn.
    """
    if is_terminal(state):
        return
    phase, hand = i64(state.phase), i64(state.held[index(state.mover)])
    if phase != TRADING:
        _allow_on_grid(state, phase, hand, out)
    if phase in (CHOOSING, TRADING):
        for slot in range(size(hand)):
            out[index(PUT + slot)] = 1
    out[PASS] = 1


def _allow_on_grid(state: RawPosition, phase: int, hand: int, out: Bytes) -> None:
    rows, columns = _spans(state)
    middle_row, middle_column = _middle(rows), _middle(columns)
    if phase == CHOOSING:
        for slot in range(1, i64(state.n_rim) + 1):
            place = _place(i64(state.rim[index(slot)]), middle_row, middle_column)
            _allow(hand, i64(state.fits[index(slot)]), place, out)
    elif phase == ADDING:
        for end in range(4):
            place = _place(i64(state.ends[index(end)]), middle_row, middle_column)
            _allow(hand, fitting_end(state, hand, i64(end)), place, out)
    if phase != ADDING:
        for i in range(i64(state.n_wilds)):
            cell = i64(state.wilds[index(i)])
            _allow(hand, swappable(state, hand, cell), _place(cell, middle_row, middle_column), out)


def _allow(hand: int, allowed: int, place: int, out: Bytes) -> None:
    """Write 1 at a place of the window for each slot whose kind of tile is in the set `allowed`."""
    while hand != 0:
        out[index(place)] |= (allowed >> first(hand)) & 1
        hand &= hand - 1
        place += PLACES


def encode_action(state: RawPosition, action: int) -> int:
    """Return the action number for learners: the slot of the tile and the place of its cell in the window. On a large grid
    two cells can share a place of the window, so their actions have the same number.
    """
    hand = i64(state.held[index(state.mover)])
    if action == END:
        return i64(PASS)
    if action >= TRADE:
        return PUT + _slot_of(hand, action - TRADE)
    rows, columns = _spans(state)
    return PLACES * _slot_of(hand, action // CELLS) + _place(action & (CELLS - 1), _middle(rows), _middle(columns))


def decode_action(state: RawPosition, number: int) -> int:
    """Return the legal action with this number, or -1 if no legal action has it or the game is over.

    On a large grid two cells can share a place of the window. If both actions are legal, return one of them.
    """
    if is_terminal(state):
        return i64(-1)
    if number == PASS:
        return i64(END)
    hand = i64(state.held[index(state.mover)])
    if number >= PUT:
        may_put = state.phase in (CHOOSING, TRADING) and number - PUT < size(hand)
        return TRADE + member_of_five(hand, number - PUT) if may_put else i64(-1)
    slot = number // PLACES
    if slot >= size(hand):
        return i64(-1)
    return _cell_for(state, hand, member_of_five(hand, slot), number - PLACES * slot)


def _cell_for(state: RawPosition, hand: int, kind: int, place: int) -> int:
    """Return the legal action that plays a tile of a kind on a cell with this place in the window, or -1 if there is no such
    action.
    """
    rows, columns = _spans(state)
    down, right = place // WINDOW - WINDOW // 2, place % WINDOW - WINDOW // 2
    for i in range(len(LAPS) if max(rows & _COUNT, columns & _COUNT) > WINDOW else 1):
        row = down + i64(LAPS[index(i), 0])
        column = right + i64(LAPS[index(i), 1])
        if min(row, column) >= -SIDE // 2 and max(row, column) < SIDE // 2:
            cell = SIDE * ((_middle(rows) + row) & (SIDE - 1)) + ((_middle(columns) + column) & (SIDE - 1))
            if (_kinds_for(state, hand, cell) >> kind) & 1 == 1:
                return CELLS * kind + cell
    return i64(-1)


def _kinds_for(state: RawPosition, hand: int, cell: int) -> int:
    """Return the set of kinds in the hand that may be added to a cell, or swapped for its wild, now."""
    phase = i64(state.phase)
    if state.grid[index(cell)] != 0:
        is_wild = i64(state.grid[index(cell)]) & (SWAPPED - 1) >= FIRST_WILD
        return swappable(state, hand, cell) if is_wild and phase in (CHOOSING, SWAPPING) else i64(0)
    if phase == CHOOSING:
        return i64(state.fits[index(state.slots[index(cell)])]) & hand
    kinds = i64(0)
    if phase == ADDING:
        for end in range(4):
            if i64(state.ends[index(end)]) == cell:
                kinds |= fitting_end(state, hand, i64(end))
    return kinds


def _slot_of(hand: int, kind: int) -> int:
    return size(hand & ((i64(1) << kind) - 1))


# The window

_FIRST_AT: Final = 8
_COUNT: Final = (1 << _FIRST_AT) - 1
"""A span of rows or columns has its first line in the upper bits, and the number of its lines in these bits."""
_HALF: Final = (1 << SIDE // 2) - 1


def _spans(state: RawPosition) -> tuple[int, int]:
    """Return the spans of the rows and of the columns that have a cell of the rim. Lines are on a torus, so line 0 follows
    line 63.
    """
    rim = state.rim
    rows = columns = i64(0)
    for slot in range(1, i64(state.n_rim) + 1):
        cell = i64(rim[index(slot)])
        rows |= i64(1) << (cell // SIDE)
        columns |= i64(1) << (cell & (SIDE - 1))
    return _span(rows), _span(columns)


def _span(lines: int) -> int:
    """Return the span of a set of lines without a gap, on a ring of 64. It begins with the line whose neighbour before it is
    not in the set.
    """
    low, high = lines & _HALF, (lines >> SIDE // 2) & _HALF
    low_begins = low & ~(low << 1 | high >> (SIDE // 2 - 1))
    high_begins = high & ~(high << 1 | low >> (SIDE // 2 - 1))
    begins = first(low_begins) if low_begins != 0 else SIDE // 2 + first(high_begins)
    return begins << _FIRST_AT | (size(low) + size(high))


def _middle(span: int) -> int:
    """Return the middle line of a span, or the first of two middle lines."""
    return ((span >> _FIRST_AT) + ((span & _COUNT) - 1) // 2) & (SIDE - 1)


def _place(cell: int, middle_row: int, middle_column: int) -> int:
    """Return the place in the window of a cell, WINDOW * row + column. `middle_row` and `middle_column` are the middle of
    the tiles.
    """
    row = i64(AT[index((cell // SIDE - middle_row) & (SIDE - 1))])
    return WINDOW * row + i64(AT[index((cell - middle_column) & (SIDE - 1))])


AT: Final = table([((line + SIDE // 2) % SIDE - SIDE // 2 + WINDOW // 2) % WINDOW for line in range(SIDE)])
"""The row (or column) of the window for a row of the grid, by its distance from the middle row on the torus."""
_LAPS: Final = (0, WINDOW, -WINDOW, 2 * WINDOW, -2 * WINDOW)
LAPS: Final = table([(row, column) for row in _LAPS for column in _LAPS])
"""The distances (rows, columns) between cells of the grid that share a place in the window."""
_KIND_OF: Final = [0, *range(1, KINDS + 1), *(SWAPPED - KINDS - 1) * [0]] * 2
_COLOUR_PLANE_AT: Final = 16
_SHAPE_PLANE: Final = (1 << _COLOUR_PLANE_AT) - 1
PLANES_OF: Final = table(
    [
        PLACES * shape_of(kind) | PLACES * (ATTRIBUTES + colour_of(kind)) << _COLOUR_PLANE_AT if kind else 0
        for kind in _KIND_OF
    ]
)
"""The first entry of the plane of a kind's shape, and in the upper bits that of its colour, by kind, with or without
SWAPPED. It is 0 without a tile."""
