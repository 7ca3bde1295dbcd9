"""The observations and action numbers of Metro for learners: planes as large as the board, and an action number for each
cell and rotation.

A path is shown at the free space into which it leads. For each side of a space there are planes with the number of lanes
from a train to this side, one plane for each owner of trains, and planes with the number of lanes from this side to a
station.
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
"""The kinds of tiles in hand: PRINTED if tiles may not be turned in the game, TURNED if they may."""
MAX_LANES: Final = 255
"""The greatest length of a chain in a plane. Longer chains are shown with this length."""
PLACES: Final = ORIENTED + 1
"""The plane of the spaces next to tiles or on the edge. It comes after those of the free spaces and oriented tiles."""
FIRST_TRAINS: Final = PLACES + 1
"""The first plane of trains. Each owner of trains has four planes, one for each side. The planes of stations follow."""


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """Return the names of the planes and numbers of an observation. The observer comes first, then the other players in turn
    order.
    """
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
    """Return True if tiles may be turned in games with these parameters."""
    return bool(parameters["players"] == 1 or parameters["rotate"] == "yes")


def _train_owners(players: int) -> int:
    """Return the number of different owners of trains. Trains that belong to no player count as those of one more owner."""
    return len(set(owners(PUBLISHED_SIDE, players)))


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Write the planes and numbers. They show everything that players see, so not the tiles to come. For a spectator,
    players begin with player 0.
    """
    me = max(player, i64(0))
    _show_trains(state, me, planes)
    _show_stations(state, planes)
    _show_spaces(state, planes)
    _show_players(state, me, numbers)


def _show_trains(state: RawPosition, me: int, planes: Bytes) -> None:
    """Write the length of each chain that leads from a train into a free space. For other chains, 0 is written at an entry
    that is 0 already, because this is faster than a test.
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
    """Write the length of each chain that leads from a free space to a station."""
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
    """Return the length of a chain in lanes, at most MAX_LANES, from one of its words."""
    return min((chain >> LANES_AT) & LANE, MAX_LANES)


def _seen_from(state: RawPosition, me: int) -> int:
    """Return how many turns after `me` each owner of trains moves, in four bits for each owner. Trains without an owner
    (`NOBODY`) count as those of a player after all others.
    """
    players = i64(state.players)
    before_me = _ONES & ((i64(1) << 4 * me) - 1)
    return _IN_ORDER - me * _ONES + players * (before_me + (1 << 4 * NOBODY))


_ONES: Final = 0x111111
_IN_ORDER: Final = 0x543210


def _show_spaces(state: RawPosition, planes: Bytes) -> None:
    """Write the tile on each space, the free spaces, and the free spaces next to tiles or on the edge."""
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
    """Write the numbers: points, the tile to be placed, the tiles left in the stack, the player to move and the hands."""
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
    """Write how many tiles of each kind are left, from the stack of a complete position or from the counts of a view."""
    stack, left = state.stack, state.left
    for i in range(kinds):
        numbers[index(at + i)] = left[index(first_kind + i)]
    for i in range(i64(state.stacked)):
        if stack[index(i)] != NONE:
            numbers[index(at + i64(stack[index(i)]) - first_kind)] += 1


def action_mask(state: RawPosition, out: Bytes) -> None:
    """Write 1 for the number of each legal action: the places for the tile, rotation by rotation, and declining it."""
    if is_terminal(state):
        return
    cells = i64(state.side) * i64(state.side)
    for times in range(_rotations(state)):
        for word in range(WORDS if is_large(state) else 1):
            _mark(state, places(state, i64(word), _rotation(state, i64(times))), i64(word), out, cells * times)
    if may_decline(state):
        out[index(cells * _rotations(state))] = 1


def encode_action(state: RawPosition, action: int) -> int:
    """Return the action number for learners: cell + cells * rotation, or only the cell in games in which tiles may not be
    turned.
    """
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
    """Return the number of rotations that action numbers distinguish: 4 if tiles may be turned in this game, else 1."""
    return i64(SIDES) if state.turned else i64(1)


def _rotation(state: RawPosition, times: int) -> int:
    return times if state.turned else i64(ROTATION_OF[index(state.tile)])


# Tables


def _first_cell(side: int, word: int) -> int:
    """Return the number of the cell of the first space in one word of a set. If the board has no spaces in this word, return
    the number of its cells.
    """
    if side not in BOARD_SIDES:
        return 0
    return cell_of(side, WORD * word) if WORD * word < number_of_spaces(side) else side * side


def _before_centre(side: int, word: int) -> list[int]:
    """Return two sets of spaces, as bits of one word: spaces before which there is no cell of the centre, and spaces before
    which there are at most two, in reading order.

    Only cells from the first space of the word on are counted. The sets tell how far each bit moves from a set of spaces to
    a plane.
    """
    numbered = range(WORD * word, min(WORD * word + WORD, number_of_spaces(side)) if side in BOARD_SIDES else 0)
    moved = [cell_of(side, space) - _first_cell(side, word) - (space - WORD * word) for space in numbered]
    return [set_of(bit for bit, by in enumerate(moved) if by <= most) for most in (0, 2)]


def cell_of(side: int, space: int) -> int:
    """Return the index of a space's entry in a plane, which has entries for the cells of the centre, too."""
    x, y = spaces(side)[space]
    return side * (y - 1) + x - 1


def _by_board(row: Callable[[int], list[int]]) -> Any:
    """Return a table with a row for each board, indexed by half the number of spaces on a side. `row` gives its entries, and
    zeros fill it up.
    """
    rows = [row(side) if side in BOARD_SIDES else [] for side in range(0, MAX_SIDE + 1, 2)]
    return table([entries + [0] * (max(map(len, rows)) - len(entries)) for entries in rows], np.int16)


def _planes_of(side: int, lane_at: Callable[[board.Place, int], int]) -> list[int]:
    """Return, for each lane, the index of the entry for the space that it leads into or out of, in planes for the four
    sides. It is -1 for other lanes.

    `lane_at` is `lane` for lanes into a space, and `lane_out` for lanes out of it.
    """
    at = [-1] * LANES
    for x, y in spaces(side):
        for across in range(SIDES):
            at[lane_at((x, y), across)] = side * side * across + side * (y - 1) + x - 1
    return at


def _owner_bits(players: int) -> list[int]:
    """Return four times the owner of each train, which is the place of the owner's bits in `_seen_from`. Zeros fill the list
    up for the largest board, which only a single player uses.
    """
    owned = owners(PUBLISHED_SIDE, players) if players > 1 else []
    return [4 * owner for owner in owned] + [0] * (SIDES * MAX_SIDE - len(owned))


CENTRAL: Final = 4
"""The number of cells in the centre."""
CENTRAL_STATIONS: Final = 2 * CENTRAL
CELL_OF: Final = table(
    [cell_of(side, space) if space < number_of_spaces(side) else 0 for side in BOARD_SIDES for space in range(MAX_SPACES)]
)
"""The index of a space's entry in a plane, by space, with MAX_SPACES entries for each board."""
BEFORE_CENTRE: Final = table([[_before_centre(side, word) for word in range(WORDS)] for side in range(0, MAX_SIDE + 1, 2)])
"""The two sets of `_before_centre`, by half the side of the board and by word of a set of spaces."""
CELLS_OF_WORD: Final = table([[_first_cell(side, word) for word in range(WORDS + 1)] for side in range(0, MAX_SIDE + 1, 2)])
"""The cell of the first space in a word of a set, by half the side of the board and by word."""
SPACE_AT: Final = _by_board(
    lambda side: [board.numbers(side).get((cell % side + 1, cell // side + 1), -1) for cell in range(side * side)]
)
"""The space on a cell, or -1 in the centre, by half the side of the board and by cell."""
TRAINS: Final = _by_board(lambda side: [lane(train.inside, train.side) for train in trains(side)])
"""The lanes of the trains, by half a side of the board."""
STATIONS: Final = _by_board(lambda side: [*outer_stations(side), *central_stations(side)])
"""The lanes of the stations, the outer ones first, by half a side of the board."""
LANE_IN: Final = _by_board(lambda side: _planes_of(side, lane))
"""The entry (in planes by side) of the space that a lane leads into, by half the board's side and lane. -1 if none."""
LANE_OUT_OF: Final = _by_board(lambda side: _planes_of(side, lane_out))
"""The entry (in planes by side) of the space that a lane leads out of, by half the board's side and lane. -1 if none."""
OWNER_BITS: Final = table([_owner_bits(players) for players in range(MAX_PLAYERS + 1)])
"""The place of the bits of a train's owner in `_seen_from`, by the number of players and by train."""
TRAIN_OWNERS: Final = table([0, *(_train_owners(players) for players in range(1, MAX_PLAYERS + 1))])
"""The number of different owners of trains (`_train_owners`), by the number of players."""
