"""Q!nto as text: actions, and a whole position in one line. `names` has the names of tiles and places.

An action:

    +5b@-1,2    add 5b in row -1, column 2       -1G     put 1G under the pile; others see -?
    ~4Y@0,1     swap 4Y for the wild there       end     end the turn, which is a pass if nothing was done

Rows and columns are counted from the first tile, which is at 0,0, downwards and to the right. A cell keeps its numbers when
tiles are added, so a record can be read without drawing the grid. (The text program counts rows and columns from the corner
of the grid that it prints.) The grid is a torus: 31 is followed by -32, and 32 is read as -32.

A position has seven parts, separated by blanks. `-` is an empty part, or what is empty within a part:

    -1,0:2Y1b/2GWW/2R.. 1b,2Y,WW,3G,4R/5b,5R,1W,2B,2B 3b,4Y1/5G,... WW:2,p1 0,0 3 1:row@0,0:2

1. The grid: the place of its upper left corner, and its rows, two characters a cell, `..` for a cell without a tile.
2. The hands, player by player.
3. The piles from the top down: one for each player in Light, else one. A digit after a tile is the number of the player who
   put it there.
4. The wilds that a swap took from the grid to a hand, with the places where each may be now, separated by `;`. `WW:2,p1` is
   in the hand of player 2 or in the first place of that player's pile, counted from the bottom.
5. The points of Classic and Plus.
6. The number of turns in a row, up to the last one, in which no tile was added.
7. The player to move (`-` when the game is over) and the turn so far:

    1:choose              nothing is done            1:trade         tiles were put under the pile
    1:swap@0,2@1,3        wilds were swapped; on these cells the new tile is wild, too
    1:add@0,0:1           one tile was added there
    1:row@0,0:2:again     two tiles were added to the row (or `column`) of that tile, and there is a Q!nto

In a view, a tile that the viewing player does not see is `?`.
"""

import re
from collections import Counter
from itertools import permutations
from typing import Final

from ludoteca.core.bits import members
from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.reading import DASH, check_end, read_list, read_number, read_parts
from ludoteca.core.words import counted
from ludoteca.games.qinto import names, rules
from ludoteca.games.qinto.hidden import HANDS, MAX_PLAYERS, ONE_OF_TWO, PLACES_AT, has_own_pile, pile_of, take
from ludoteca.games.qinto.reasons import refusal as refusal  # part of the contract
from ludoteca.games.qinto.rim import CELLS, around_rim, below, beside, clear_ends, clear_rim, fitting_in, lay
from ludoteca.games.qinto.tiles import FIRST_WILD, KINDS, SWAPPED, TILES

# The grammar. Blanks separate the parts of a position, `/` rows, hands and piles, `,` tiles, points and the spots of a
# wild, and `;` wilds. Tiles and places are read by `names`.
ADD_OR_SWAP: Final = "([+~])([^@]*)@(.*)"
"""The expression for an action that adds or swaps: its sign, its tile and its place."""
GRID: Final = "([^:]*):(.*)"
"""The expression for the grid: the place of its upper left corner, and its rows."""
CELL: Final = "..?"
TURN: Final = "([1-4]):(choose|swap|trade|add|row|column)((?:@[-0-9]+,[-0-9]+)*)((?::[a-z0-9]+)*)"
"""The expression for the turn: the player, the sort, the cells, and the rest, which is ADDED if tiles were added."""
ADDED: Final = ":({})(:again)?"
"""The number of added tiles, from the possible numbers, which are filled in, and the sign that another turn follows."""

ADD, SWAP, TRADE = "+", "~", "-"
EMPTY: Final = ".."
"""A cell without a tile."""
SPOTS: Final = (*map(str, range(1, MAX_PLAYERS + 1)), *(f"p{place}" for place in range(1, TILES)))
"""The text of each bit of a region (hands and places of a pile in which a wild may be): `1` to `4`, then `p1`, `p2`, ..."""
SORTS: Final = {
    "choose": (rules.CHOOSING, rules.EITHER),
    "swap": (rules.SWAPPING, rules.EITHER),
    "trade": (rules.TRADING, rules.EITHER),
    "add": (rules.ADDING, rules.EITHER),
    "row": (rules.ADDING, rules.ROW),
    "column": (rules.ADDING, rules.COLUMN),
}
"""The phase of the turn and the direction of its line, as `rules` number them, by the word for the sort of turn."""
_SORT_OF: Final = {step: word for word, step in SORTS.items()}


# Actions


def action_to_string(state: RawPosition, action: int) -> str:
    """Return the text of an action.

    It is `+5b@-1,2` (add a tile), `~4Y@0,1` (swap a wild for a tile), `-1G` (put a tile under the pile), `-?` (the same,
    with a tile that the seat does not see), or `end` (end the turn).

    >>> from ludoteca import load
    >>> state = load("qinto").new_initial_state(seed=1)
    >>> [action_to_string(state.raw, action) for action in state.legal_actions()[:3]]
    ['+3G@0,0', '+4b@0,0', '+4G@0,0']
    """
    if action >= rules.END:
        return names.END
    if action >= rules.TRADE:
        return TRADE + names.kind_name(action - rules.TRADE)
    kind, cell = divmod(action, CELLS)
    return f"{SWAP if state.grid[cell] else ADD}{names.kind_name(kind)}@{names.place_name(names.place_of(cell))}"


def string_to_action(state: RawPosition, text: str) -> int:
    """Return the action with this text, which may contain blanks.

    Raises NotationError if the text has not the form of an action, if it adds a tile on an occupied cell, or if it swaps on
    an empty one. The action need not be legal otherwise.
    """
    word, shown = "".join(text.split()), repr(text[:40])
    if word == names.END:
        return rules.END
    if word[:1] == TRADE:
        return rules.TRADE + (0 if word[1:] == names.HIDDEN else names.read_kind(word[1:]))
    found = re.fullmatch(ADD_OR_SWAP, word)
    if not found:
        raise NotationError(("unread.action", shown, names.END), __package__)
    kind, cell = names.read_kind(found[2]), names.cell_of(names.read_place(found[3]))
    name, there = names.place_name(names.place_of(cell)), int(state.grid[cell]) % SWAPPED
    if found[1] == SWAP and not there:
        raise NotationError(("unread.free", shown, name, ADD), __package__)
    if found[1] == ADD and there:
        key = "unread.wild" if there >= FIRST_WILD else "unread.taken"
        raise NotationError((key, shown, name, names.kind_name(there), SWAP), __package__)
    return CELLS * kind + cell


# Positions


def position_to_string(state: RawPosition) -> str:
    """Return the position in one line."""
    players = range(int(state.players))
    hands = "/".join(_list(names.hand_of(state, player)) for player in players)
    piles = "/".join(_pile(state, pile) for pile in names.piles_of(state))
    wilds = ";".join(_wild(number, region) for number, region in enumerate(state.traces.tolist()) if region)
    points = ",".join(str(state.points[player]) for player in players)
    return f"{_grid(state)} {hands} {piles} {wilds or DASH} {points} {state.idle} {_turn(state)}"


def string_to_position(state: RawPosition, text: str) -> None:
    """Fill a prepared position (a new game of the same parameters) with the position that the text describes.

    Raises NotationError, which says which part is wrong and why, if the text is no complete position of this game.
    """
    parts = read_parts(text, "grid", "hands", "piles", "wilds", "points", "turns", "turn")
    grid, hands, piles, wilds, points, idle, turn = parts
    players = int(state.players)
    _read_grid(state, grid)
    for player, hand in enumerate(read_list(hands, "/", players, "hand")):
        _read_hand(state, player, hand)
    state.piles[:] = 0
    for pile, tiles in enumerate(read_list(piles, "/", len(names.piles_of(state)), "pile")):
        _read_pile(state, pile, tiles)
    spots = _spots_of_tiles(state)
    found = Counter([*names.tiles_of(state).values(), *(name for name, _ in spots)])
    for name, number in names.COPIES.items():
        if found[name] != number:
            raise NotationError(f"the position has {counted(found[name], 'tile')} {name}: the deck has {number}")
    for wild in [] if wilds == DASH else wilds.split(";"):
        _read_wild(state, wild)
    _check_wilds(state, spots)
    most = 0 if has_own_pile(state) else rules.MAX_SCORE
    for player, score in enumerate(read_list(points, ",", players, "player's points", plural="players' points")):
        state.points[player] = read_number(score, f"the points of player {player + 1}", most)
    state.idle = read_number(idle, "the turns without an added tile", int(state.rounds) * players)
    out = any(rules.tiles_left(state, player) == 0 for player in range(players))
    check_end(turn, out or bool(state.idle == state.rounds * state.players), "the turn")
    if turn == DASH:
        state.mover = TERMINAL
    else:
        _read_turn(state, turn)
        _check_hands(state)


def _list(tiles: list[str]) -> str:
    return ",".join(tiles) or DASH


def _read_list(text: str) -> list[str]:
    return [] if text == DASH else text.split(",")


# The grid


def _grid(state: RawPosition) -> str:
    tiles = names.tiles_of(state)
    if not tiles:
        return DASH
    rows, columns = (range(min(lines), max(lines) + 1) for lines in zip(*tiles, strict=True))
    lines = ("".join(tiles.get((row, column), EMPTY) for column in columns) for row in rows)
    return f"{rows[0]},{columns[0]}:{'/'.join(lines)}"


def _read_grid(state: RawPosition, text: str) -> None:
    tiles: dict[names.Place, str] = {}
    if text != DASH:
        found = re.fullmatch(GRID, text)
        if not found:
            raise NotationError(f"the grid is {text[:20]!r}: expected -, or a corner, : and rows")
        top, left = names.read_place(found[1])
        for row, line in enumerate(found[2].split("/"), top):
            tiles |= {(row, column): name for column, name in enumerate(re.findall(CELL, line), left) if name != EMPTY}
    if not tiles:
        if state.variant != rules.LIGHT:
            raise NotationError("the grid is empty: in Classic and Plus a tile of the pile starts it")
        return
    clear_rim(state)
    for place in _connected(tiles):
        name = tiles[place]
        kind, cell = names.read_kind(name), names.cell_of(place)
        if not fitting_in(around_rim(state, cell)) >> kind & 1:
            raise NotationError(f"the grid's {name} at {names.place_name(place)} fits neither row nor column")
        lay(state, kind, cell)
    clear_ends(state, 0, 4)


def _connected(tiles: dict[names.Place, str]) -> list[names.Place]:
    """Return the places of all tiles in an order in which each tile touches an earlier one, beginning with the tile at 0,0.
    Laid in this order, the tiles never have more empty neighbours than the position can store.

    Raises NotationError if a tile is not connected to 0,0.
    """
    reached: dict[names.Place, None] = {}
    waiting = [(0, 0)]
    while waiting:
        row, column = waiting.pop()
        if (row, column) in tiles and (row, column) not in reached:
            reached[row, column] = None
            waiting += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    for place in sorted(tiles.keys() - reached.keys()):
        raise NotationError(
            f"the grid's {tiles[place]} at {names.place_name(place)} is not connected to 0,0, where the first tile lies"
        )
    return list(reached)


# Hands and piles


def _read_hand(state: RawPosition, player: int, text: str) -> None:
    tiles = _read_list(text)
    if len(tiles) > rules.HAND:
        raise NotationError(f"the hand of player {player + 1} has {len(tiles)} tiles: expected {rules.HAND} at most")
    for name in tiles:
        if tiles.count(name) > names.COPIES.get(name, TILES):
            raise NotationError(f"there are {tiles.count(name)} tiles {name}: the deck has {names.COPIES[name]}")
        take(state, player, names.read_kind(name))
    state.in_hand[player] = len(tiles)


def _pile(state: RawPosition, pile: int) -> str:
    """Return the tiles of a pile as text, from the top down. A tile that a player has put there is followed by that player's
    number.
    """
    tiles = names.pile_names(state, pile)
    for name, player in _owners(state, pile).items():
        for place in members(int(state.known[player])):
            tiles[-1 - place] += name
    return _list(tiles)


def _read_pile(state: RawPosition, pile: int, text: str) -> None:
    tiles, owners = _read_list(text)[::-1], _owners(state, pile)
    most = int(state.share) - int(state.in_hand[pile]) if has_own_pile(state) else TILES
    if len(tiles) > most:
        raise NotationError(
            f"the pile of player {pile + 1} has {len(tiles)} tiles: with the hand it begins with {state.share}"
        )
    for place, name in enumerate(tiles):
        tile, knower = name[:2], name[2:]
        state.piles[pile * int(state.share) + place] = names.read_kind(tile)
        if knower and knower not in owners:
            raise NotationError(
                f"a tile of a pile is known to player {knower[:20]!r}: expected one who draws from that pile"
            )
        if knower:
            state.known[owners[knower]] |= 1 << place
    state.piled[pile] = len(tiles)


def _owners(state: RawPosition, pile: int) -> dict[str, int]:
    """Return the players who draw from a pile, by their numbers in the text, which count from 1."""
    return {str(player + 1): player for player in range(int(state.players)) if pile_of(state, player) == pile}


def _spots_of_tiles(state: RawPosition) -> list[tuple[str, int]]:
    """Return the name of each tile in the hands and piles, with the bit set of the hand or place in which it is.

    The bits are those of a region in `hidden`. In Light, a tile in a pile also has the bit of the hand of the pile's owner.
    """
    spots = [(name, 1 << player) for player in range(int(state.players)) for name in names.hand_of(state, player)]
    for pile in names.piles_of(state):
        owner = 1 << pile if has_own_pile(state) else 0
        spots += [(name, 1 << bit | owner) for bit, name in enumerate(names.pile_names(state, pile)[::-1], PLACES_AT)]
    return spots


# Wilds


def _wild(number: int, region: int) -> str:
    return f"{names.wild_name(number)}:{','.join(SPOTS[bit] for bit in members(region))}"


def _read_wild(state: RawPosition, text: str) -> None:
    name, _, words = text.partition(":")
    number = names.read_kind(name) - FIRST_WILD
    number += number == ONE_OF_TWO and state.traces[number] != 0
    if number < 0 or state.traces[number]:
        raise NotationError(f"{text[:20]!r} tells of {name}: expected each wild once, and WW twice")
    region = 0
    for word in words.split(","):
        if word not in SPOTS or state.players <= SPOTS.index(word) < PLACES_AT:
            raise NotationError(f"{text[:20]!r}: read {word[:20]!r}, expected a player or a place of a pile, such as p1")
        region |= 1 << SPOTS.index(word)
    if has_own_pile(state) and (region & HANDS).bit_count() != 1:
        raise NotationError(f"{text[:20]!r}: expected one player, and places of his pile")
    state.traces[number] = region


def _check_wilds(state: RawPosition, spots: list[tuple[str, int]]) -> None:
    """Sort the traces of the two Q!nto tiles in descending order. Check that each trace can belong to another tile of its
    name.

    `spots` has the name of each hidden tile with its place, from `_spots_of_tiles`. Raises NotationError if the traces do
    not fit.
    """
    state.traces[ONE_OF_TWO:] = sorted(state.traces[ONE_OF_TWO:].tolist(), reverse=True)
    regions: dict[str, list[int]] = {}
    for number, region in enumerate(state.traces.tolist()):
        if region:
            regions.setdefault(names.wild_name(number), []).append(region)
    for name, leading in regions.items():
        ways = permutations((spot for other, spot in spots if other == name), len(leading))
        if not any(all(region & spot == spot for region, spot in zip(leading, way, strict=True)) for way in ways):
            raise NotationError(f"{name} is not where it is said to be known")


# The turn


def _turn(state: RawPosition) -> str:
    if rules.is_terminal(state):
        return DASH
    sort = _SORT_OF[int(state.phase), int(state.line)]
    if state.phase == rules.ADDING:
        cells, rest = names.line_of_turn(state)[:1], f":{state.laid}{':again' * int(state.again)}"
    else:
        cells, rest = sorted(cell for cell in state.wilds[: int(state.n_wilds)].tolist() if state.grid[cell] >= SWAPPED), ""
    return f"{state.mover + 1}:{sort}{''.join(f'@{names.place_name(names.place_of(cell))}' for cell in cells)}{rest}"


def _read_turn(state: RawPosition, text: str) -> None:
    found = re.fullmatch(TURN, text)
    if not found or int(found[1]) > state.players:
        raise NotationError(f"the turn is {text[:30]!r}: expected such as 1:choose, 1:trade, 1:swap, 1:add@0,0:1, or -")
    _, sort, places, rest = found.groups()
    state.mover, (state.phase, state.line) = int(found[1]) - 1, SORTS[sort]
    cells = [names.cell_of(names.read_place(place)) for place in places.split("@")[1:]]
    if state.phase == rules.ADDING:
        _read_added(state, sort, cells, rest)
        return
    if state.phase != rules.SWAPPING and (cells or rest):
        raise NotationError(f"the turn is {sort} and more: expected {sort} alone")
    if rest or len(set(cells)) < len(cells) or not all(FIRST_WILD <= state.grid[cell] <= KINDS for cell in cells):
        raise NotationError(f"the turn is {sort}: expected the cells of wilds that swaps have brought, and nothing more")
    for cell in cells:
        state.grid[cell] += SWAPPED


def _read_added(state: RawPosition, sort: str, cells: list[int], rest: str) -> None:
    """Read the rest of a turn that adds tiles: the cell of one tile of the line (`cells`), the number of tiles added, and
    whether another turn follows.

    Raises NotationError if the cell has no tile, or if the number or the sign `:again` is impossible.
    """
    possible = "1" if state.line == rules.EITHER else "[2-5]"
    found = re.fullmatch(ADDED.format(possible), rest)
    if not found or len(cells) != 1 or not state.grid[cells[0]]:
        raise NotationError(f"the turn is {sort}: expected the cell of a tile, : and how many were added, {possible}")
    state.laid, state.again = int(found[1]), int(found[2] is not None)
    if state.again and not has_own_pile(state):
        raise NotationError("the turn is followed by another one, again: expected that in Light only")
    for end, (down, right) in enumerate(((0, -1), (0, 1), (-1, 0), (1, 0))):
        if state.line in (rules.EITHER, rules.ROW if right else rules.COLUMN):
            cell = cells[0]
            while state.grid[cell]:
                cell = int(beside(below(cell, down), right))
            state.ends[end] = cell


def _check_hands(state: RawPosition) -> None:
    """Raise NotationError if a hand has more than five tiles, or fewer although its pile has tiles with which it would have
    been filled.
    """
    trades = state.phase == rules.TRADING
    # the common pile was empty before the trade if its tiles fit into the hand of the mover
    was_empty = trades and not has_own_pile(state) and int(state.in_hand[state.mover]) + int(state.piled[0]) <= rules.HAND
    for player in range(int(state.players)):
        held, moves = int(state.in_hand[player]), player == state.mover
        number = held + int(state.laid) if moves else held
        may_lack = not names.pile_size(state, player) or was_empty or (moves and trades)
        if number > rules.HAND or (number < rules.HAND and not may_lack):
            raise NotationError(
                f"player {player + 1} has {counted(held, 'tile')} in hand, which does not fit the pile and the turn"
            )
