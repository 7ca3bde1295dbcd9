"""Metro as numbers for a learner: planes as large as the board, and an action number for each cell and rotation.

A path is shown at the free space that it leads into. For each side of the space, planes have the owner of the train that
comes in there and the lanes so far, and the number of lanes from there to a station.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core.bits import set_of
from ludoteca.core.contract import Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import FeatureLayout
from ludoteca.core.tables import spread, table, write_word
from ludoteca.games.metro import board
from ludoteca.games.metro.board import (
    DECLINE,
    FACE,
    FACE_BITS,
    LANES,
    MAX_SPACES,
    NOBODY,
    WORD,
    WORDS,
    central_stations,
    lane,
    lane_out,
    number_of_spaces,
    outer_stations,
    owners,
    spaces,
    trains,
)
from ludoteca.games.metro.notation import kind_name
from ludoteca.games.metro.rules import (
    LANE,
    LANES_AT,
    MAX_PLAYERS,
    is_large,
    is_terminal,
    may_decline,
    places,
)
from ludoteca.games.metro.sides import BOARD_SIDES, MAX_SIDE, PUBLISHED_SIDE
from ludoteca.games.metro.tiles import FACE_OF, KINDS, NONE, ORIENTED, ROTATION_OF, SIDES

PRINTED, TURNED = range(1, ORIENTED + 1), range(ORIENTED + 1, KINDS + 1)
"""The kinds of tiles in hand in games without and with rotations."""
MAX_LANES: Final = 255
"""The greatest length in a plane. Longer chains are shown with this length."""
PLACES: Final = ORIENTED + 1
"""The plane of the spaces next to tiles or on the edge. Before it are those of the free spaces and the oriented tiles."""
FIRST_TRAINS: Final = PLACES + 1
"""The first of the planes of trains: one for each side, player by player. The planes of stations follow."""


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """Return the names of the planes and numbers. The observer comes first, then the next players in turn order."""
    players, side = parameters["players"], parameters["side"]
    turned, stack = tiles_may_turn(parameters), players > 1 or parameters["tiles"] == "stack"
    who = ["own", *(f"player +{i}'s" for i in range(1, players))]
    from_trains = [*(f"{whose} train" for whose in who), "nobody's train"][: _train_owners(players)]
    kinds = [kind_name(kind) for kind in (TURNED if turned else PRINTED)]
    alone = players == 1
    return FeatureLayout(
        planes=(
            "free",
            *(f"tile {kind_name(face)}" for face in range(1, ORIENTED + 1)),
            "a tile may lie here",
            *(f"{train} comes in across {across}, lanes so far" for train in from_trains for across in "WSEN"),
            *(f"lanes out across {across} to {end}" for end in ("a station outside", "the centre") for across in "WSEN"),
        ),
        rows=side,
        columns=side,
        numbers=(
            *(f"{whose} points, in hundreds" for whose in who),
            *(f"{kind} is to be placed" for kind in kinds),
            *(f"{kind} left in the stack" for kind in kinds if stack),
            *(f"{whose} turn" for whose in who if not alone),
            *(f"{whose} hand has {kind}" for whose in who if not alone for kind in kinds),
        ),
        actions=side * side * (SIDES if turned else 1) + (not alone),
        high=MAX_LANES,
    )


def tiles_may_turn(parameters: Mapping[str, Any]) -> bool:
    """Return True if tiles may be turned."""
    return bool(parameters["players"] == 1 or parameters["rotate"] == "yes")


def _train_owners(players: int) -> int:
    """Return the number of owners of trains. Trains without an owner count as those of one more owner."""
    return len(set(owners(PUBLISHED_SIDE, players)))


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Write everything that players see. The tiles to come are secret. For a spectator, the players begin with the first
    one.
    """
    me = max(player, i64(0))
    _show_trains(state, me, planes)
    _show_stations(state, planes)
    _show_spaces(state, planes)
    _show_players(state, me, numbers)


def _show_trains(state: RawPosition, me: int, planes: Bytes) -> None:
    """Show the chains that begin at trains and lead into free spaces. Other chains have nothing to show, so for them 0 is
    written where 0 is already.
    """
    chains, board, seen_as = state.chains, i64(state.side) // 2, _seen_from(state, me)
    players, cells = i64(state.players), i64(state.side) * i64(state.side)
    for train in range(SIDES * i64(state.side)):
        chain = i64(chains[index(TRAINS[index(board), index(train)])])
        at = i64(LANE_IN[index(board), index(chain & LANE)])
        goes_on = ~(at >> 63)
        whose = (seen_as >> i64(OWNER_BITS[index(players), index(train)])) & 15
        planes[index((at + cells * (FIRST_TRAINS + SIDES * whose)) & goes_on)] = _lanes_of(chain) & goes_on


def _show_stations(state: RawPosition, planes: Bytes) -> None:
    """Write the chains from free spaces to stations."""
    chains, board, cells = state.chains, i64(state.side) // 2, i64(state.side) * i64(state.side)
    outside = SIDES * i64(state.side)
    first = cells * (FIRST_TRAINS + SIDES * i64(TRAIN_OWNERS[index(state.players)]))
    for station in range(outside + CENTRAL_STATIONS):
        chain = i64(chains[index(STATIONS[index(board), index(station)])])
        at = i64(LANE_OUT_OF[index(board), index(chain & LANE)])
        is_open = ~(at >> 63)
        at += first if station < outside else first + SIDES * cells
        planes[index(at & is_open)] = _lanes_of(chain) & is_open


def _lanes_of(chain: int) -> int:
    """Return the length of a chain, from its word."""
    return min((chain >> LANES_AT) & LANE, MAX_LANES)


def _seen_from(state: RawPosition, me: int) -> int:
    """Return for each owner how many turns after `me` that player moves, four bits per owner. `NOBODY` counts as after all
    players.
    """
    players = i64(state.players)
    before_me = _ONES & ((i64(1) << 4 * me) - 1)
    return _IN_ORDER - me * _ONES + players * (before_me + (1 << 4 * NOBODY))


_ONES: Final = 0x111111
_IN_ORDER: Final = 0x543210


def _show_spaces(state: RawPosition, planes: Bytes) -> None:
    """Write the tile on each space, the free spaces, and those next to tiles or on the edge."""
    faces, board, cells = state.faces, i64(state.board), i64(state.side) * i64(state.side)
    for space in range(cells - CENTRAL):
        planes[index(cells * i64(faces[index(space)]) + i64(CELL_OF[index(board + space)]))] = 1
    for word in range(WORDS if is_large(state) else 1):
        _mark(state, i64(state.frontier[index(word)]), i64(word), planes, cells * PLACES)


def _mark(state: RawPosition, some: int, word: int, out: Bytes, at: int) -> None:
    """Write one word of a set of spaces to the plane that begins at `at`: 1 for spaces in the set, and 0 for the others."""
    board = i64(state.side) // 2
    before = some & i64(BEFORE_CENTRE[index(board), index(word), 0])
    beside = some & i64(BEFORE_CENTRE[index(board), index(word), 1])
    cells = before | (beside - before) << 2 | (some - beside) << 4
    at += i64(CELLS_OF_WORD[index(board), index(word)])
    last = i64(CELLS_OF_WORD[index(board), index(word + 1)]) - i64(CELLS_OF_WORD[index(board), index(word)]) - 8
    for cell in range(0, last, 8):
        write_word(out, index(at + cell), spread(cells >> cell))
    if last >= 0:  # these last eight may overlap the eight before
        write_word(out, index(at + last), spread(cells >> last))


def _show_players(state: RawPosition, me: int, numbers: Floats) -> None:
    """Write the points, the tile to be placed, the stack, the turn and the hands."""
    players, first_kind = i64(state.players), i64(ORIENTED + 1 if state.turned else 1)
    kinds = i64(KINDS - ORIENTED if state.turned else ORIENTED)
    at = players
    if state.tile != NONE:
        numbers[index(at + i64(state.tile) - first_kind)] = 1
    at += kinds
    if not state.endless:
        _show_stack(state, first_kind, kinds, at, numbers)
        at += kinds
    for i in range(players):
        seat = me + i if me + i < players else me + i - players
        numbers[index(i)] = i64(state.points[index(seat)]) / 100
        if players > 1:
            numbers[index(at + i)] = state.mover == seat
            if state.hands[index(seat)] != NONE:
                numbers[index(at + players + i * kinds + i64(state.hands[index(seat)]) - first_kind)] = 1


def _show_stack(state: RawPosition, first_kind: int, kinds: int, at: int, numbers: Floats) -> None:
    """Write the number of tiles left of each kind, from the stack of a position or from the counts of a view."""
    stack, left = state.stack, state.left
    for i in range(kinds):
        numbers[index(at + i)] = left[index(first_kind + i)]
    for i in range(i64(state.stacked)):
        if stack[index(i)] != NONE:
            numbers[index(at + i64(stack[index(i)]) - first_kind)] += 1


def action_mask(state: RawPosition, out: Bytes) -> None:
    """Mark the places for the tile, by rotation, then declining it."""
    if is_terminal(state):
        return
    cells = i64(state.side) * i64(state.side)
    for times in range(_rotations(state)):
        for word in range(WORDS if is_large(state) else 1):
            _mark(state, places(state, i64(word), _rotation(state, i64(times))), i64(word), out, cells * times)
    if may_decline(state):
        out[index(cells * _rotations(state))] = 1


def encode_action(state: RawPosition, action: int) -> int:
    """Return the number of an action. It has no rotation in games without rotations."""
    cells = i64(state.side) * i64(state.side)
    if action == DECLINE:
        return cells * _rotations(state)
    cell = i64(CELL_OF[index(i64(state.board) + (action >> FACE_BITS))])
    return cell + cells * i64(ROTATION_OF[index(action & FACE)]) if state.turned else cell


def decode_action(state: RawPosition, number: int) -> int:
    cells = i64(state.side) * i64(state.side)
    if is_terminal(state):
        return i64(-1)
    times = number // cells
    if times == _rotations(state):
        return i64(DECLINE) if may_decline(state) else i64(-1)
    rotation = _rotation(state, times)
    space = i64(SPACE_AT[index(i64(state.side) // 2), index(number - times * cells)])
    if space < 0 or (places(state, space // WORD, rotation) >> (space % WORD)) & 1 == 0:
        return i64(-1)
    return (space << FACE_BITS) | i64(FACE_OF[index(state.tile), index(rotation)])


def _rotations(state: RawPosition) -> int:
    """Return the number of rotations in action numbers."""
    return i64(SIDES) if state.turned else i64(1)


def _rotation(state: RawPosition, times: int) -> int:
    return times if state.turned else i64(ROTATION_OF[index(state.tile)])


# Tables


def _first_cell(side: int, word: int) -> int:
    """Return the cell of the first space in one word of a set. If the word has no spaces, return the number of cells."""
    if side not in BOARD_SIDES:
        return 0
    return cell_of(side, WORD * word) if WORD * word < number_of_spaces(side) else side * side


def _before_centre(side: int, word: int) -> list[int]:
    """Return two sets of spaces of a word: those that come after no cell of the centre, and those that come after at most
    two.

    Cells before the word do not count.
    """
    numbered = range(WORD * word, min(WORD * word + WORD, number_of_spaces(side)) if side in BOARD_SIDES else 0)
    moved = [cell_of(side, space) - _first_cell(side, word) - (space - WORD * word) for space in numbered]
    return [set_of(bit for bit, by in enumerate(moved) if by <= most) for most in (0, 2)]


def cell_of(side: int, space: int) -> int:
    """Return the cell of a space in a plane."""
    x, y = spaces(side)[space]
    return side * (y - 1) + x - 1


def _by_board(row: Callable[[int], list[int]]) -> Any:
    """Return a table with a row for each half of a side of a board, filled up with zeros."""
    rows = [row(side) if side in BOARD_SIDES else [] for side in range(0, MAX_SIDE + 1, 2)]
    return table([entries + [0] * (max(map(len, rows)) - len(entries)) for entries in rows], np.int16)


def _planes_of(side: int, lane_at: Callable[[board.Place, int], int]) -> list[int]:
    """Return, for each lane, the cell of the space that it leads into or out of, in the plane of its side. Return -1 for
    other lanes.
    """
    at = [-1] * LANES
    for x, y in spaces(side):
        for across in range(SIDES):
            at[lane_at((x, y), across)] = side * side * across + side * (y - 1) + x - 1
    return at


def _owner_bits(players: int) -> list[int]:
    """Return four times the owner of each train. The zeros for a single player are enough for the largest board."""
    owned = owners(PUBLISHED_SIDE, players) if players > 1 else []
    return [4 * owner for owner in owned] + [0] * (SIDES * MAX_SIDE - len(owned))


CENTRAL: Final = 4
"""The number of cells in the centre."""
CENTRAL_STATIONS: Final = 2 * CENTRAL
CELL_OF: Final = table(
    [cell_of(side, space) if space < number_of_spaces(side) else 0 for side in BOARD_SIDES for space in range(MAX_SPACES)]
)
"""The cell of a space in a plane, by space, MAX_SPACES for each board."""
BEFORE_CENTRE: Final = table([[_before_centre(side, word) for word in range(WORDS)] for side in range(0, MAX_SIDE + 1, 2)])
"""The two sets of `_before_centre`, by half a side of the board and word of a set of spaces."""
CELLS_OF_WORD: Final = table([[_first_cell(side, word) for word in range(WORDS + 1)] for side in range(0, MAX_SIDE + 1, 2)])
"""The first cell of a word of a set of spaces, by half a side of the board and word. It ends before that of the next one."""
SPACE_AT: Final = _by_board(
    lambda side: [board.numbers(side).get((cell % side + 1, cell // side + 1), -1) for cell in range(side * side)]
)
"""The space of a cell, -1 in the centre, by half a side of the board and cell."""
TRAINS: Final = _by_board(lambda side: [lane(train.inside, train.side) for train in trains(side)])
"""The lanes of the trains, by half a side of the board."""
STATIONS: Final = _by_board(lambda side: [*outer_stations(side), *central_stations(side)])
"""The lanes of the stations, the outer ones first, by half a side of the board."""
LANE_IN: Final = _by_board(lambda side: _planes_of(side, lane))
"""The cell of the space that a lane leads into, in planes by side, by half a side of the board and lane. -1 if none."""
LANE_OUT_OF: Final = _by_board(lambda side: _planes_of(side, lane_out))
"""The same for the space that a lane leads out of."""
OWNER_BITS: Final = table([_owner_bits(players) for players in range(MAX_PLAYERS + 1)])
"""The position of the owner's bits in `_seen_from`, by the number of players and the train."""
TRAIN_OWNERS: Final = table([0, *(_train_owners(players) for players in range(1, MAX_PLAYERS + 1))])
"""The number of owners of trains, see `_train_owners`, by the number of players."""
