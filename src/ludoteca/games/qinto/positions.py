"""A whole position of Q!nto in one line.

    -1,0:2Y1b/2GWW/2R.. 1b,2Y,WW,3G,4R/5b,5R,1W,2B,2B 3b,4Y1/5G,... WW:2,p1 0,0 3 1:row@0,0:2

Its seven parts are separated by blanks; `-` stands for one that is empty, and for what is empty within one.

1. The grid: the place of its upper left corner, and its rows, two characters a cell, `..` for a cell without a tile.
2. The hands, player by player.
3. The piles, from the top down: in Light one a player. A digit behind a tile is the number of the player who put it there.
4. Where wilds are that came from the grid to a hand: `;` between them. `WW:2,p1` is in the hand of player 2 or in the
   first place of that player's pile, counted from the bottom.
5. The points of Classic and Plus.
6. The turns in a row, up to the last one, in which nobody added a tile.
7. The player to move (`-` when the game is over) and the turn so far:

    1:choose              nothing is done            1:trade         tiles were put under the pile
    1:swap@0,2@1,3        wilds were swapped; those of this turn that are wild themselves lie on these cells
    1:add@0,0:1           one tile was added there
    1:row@0,0:2:again     two tiles were added, to the row in which that tile lies (or the `column`), and there is a Q!nto

In a view a tile that the seat does not see is `?`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.reading import DASH, check_end, read_list, read_number, read_parts
from ludoteca.core.words import counted
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.hidden import HANDS, ONE_OF_TWO, PLACES_AT, has_own_pile, pile_of, take
from ludoteca.games.qinto.names import (
    COPIES,
    cell_of,
    hand_of,
    kind_name,
    pile_names,
    piles_of,
    place_name,
    place_of,
    read_kind,
    read_place,
    tiles_of,
)
from ludoteca.games.qinto.rim import SIDE, around_rim, below, beside, clear_rim, fitting_in, lay
from ludoteca.games.qinto.tiles import FIRST_WILD, KINDS, SWAPPED, TILES

EMPTY: Final = ".."
SORTS: Final = {rules.CHOOSING: "choose", rules.SWAPPING: "swap", rules.TRADING: "trade"}
LINES: Final = {rules.EITHER: "add", rules.ROW: "row", rules.COLUMN: "column"}
AGAIN: Final = "again"


class Trace(NamedTuple):
    """A wild that is known to have gone to a hand, and the hands and the places of a pile where it may be."""

    name: str
    seats: list[int]
    places: list[int]


def position_to_string(state: RawPosition) -> str:
    """The position in one line."""
    players = range(int(state.players))
    tiles = tiles_of(state)
    grid = DASH
    if tiles:
        rows, columns = zip(*tiles, strict=True)
        across = range(min(columns), max(columns) + 1)
        lines = ("".join(tiles.get((row, column), EMPTY) for column in across) for row in range(min(rows), max(rows) + 1))
        grid = f"{min(rows)},{min(columns)}:{'/'.join(lines)}"
    piles = []
    for pile in piles_of(state):
        names, owners = pile_names(state, pile), [player for player in players if pile_of(state, player) == pile]
        for at, place in enumerate(reversed(range(len(names)))):
            names[at] += "".join(str(player + 1) for player in owners if int(state.known[player]) >> place & 1)
        piles.append(",".join(names) or DASH)
    traces = []
    for name, seats, places in traces_of(state):
        traces.append(f"{name}:{','.join([*(str(seat + 1) for seat in seats), *(f'p{place + 1}' for place in places)])}")
    if rules.is_terminal(state):
        turn = DASH
    elif state.phase == rules.ADDING:
        line, cell_name = LINES[int(state.line)], place_name(place_of(cell_of_turn(state)))
        turn = f"{state.mover + 1}:{line}@{cell_name}:{state.laid}{f':{AGAIN}' if state.again else ''}"
    else:
        swapped = (cell for cell in sorted(state.wilds[: int(state.n_wilds)].tolist()) if state.grid[cell] >= SWAPPED)
        cells = "".join(f"@{place_name(place_of(cell))}" for cell in swapped)
        turn = f"{state.mover + 1}:{SORTS[int(state.phase)]}{cells}"
    return " ".join(
        [
            grid,
            "/".join(",".join(hand_of(state, player)) or DASH for player in players),
            "/".join(piles),
            ";".join(traces) or DASH,
            ",".join(str(state.points[player]) for player in players),
            str(state.idle),
            turn,
        ]
    )


def traces_of(state: RawPosition) -> list[Trace]:
    """The wilds that are known to have gone to a hand."""
    return traces_in(tuple(state.traces.tolist()))


@lru_cache(maxsize=1 << 8)
def traces_in(regions: tuple[int, ...]) -> list[Trace]:
    """The same, given the region of each wild."""
    traces = []
    for number, region in enumerate(regions):
        if region:
            seats = [seat for seat in range(PLACES_AT) if region >> seat & 1]
            places = [place for place in range(TILES) if region >> PLACES_AT + place & 1]
            traces.append(Trace(_wild_name(number), seats, places))
    return traces


def _wild_name(number: int) -> str:
    """The name of the wild whose trace has a number: two are Q!nto tiles."""
    return kind_name(min(FIRST_WILD + number, KINDS))


def cell_of_turn(state: RawPosition) -> int:
    """A cell of the line of a turn that adds; when it has one tile only, the cell of that."""
    left, _, up, _ = state.ends.tolist()
    if state.line == rules.ROW:
        return int(beside(left, 1))
    return int(below(up, 1)) if state.line == rules.COLUMN else left // SIDE * SIDE + up % SIDE


# Reading


def string_to_position(state: RawPosition, text: str) -> None:
    """Change the prepared position into that of the text. Raises NotationError: which part is wrong, and why."""
    parts = read_parts(text, "grid", "hands", "piles", "wilds", "points", "turns", "turn")
    grid, hands, piles, wilds, points, idle, turn = parts
    players = int(state.players)
    _read_grid(state, grid)
    _read_hands(state, read_list(hands, "/", players, "hand"))
    _read_piles(state, read_list(piles, "/", len(piles_of(state)), "pile"))
    held = (name for player in range(players) for name in hand_of(state, player))
    piled = (name for pile in piles_of(state) for name in pile_names(state, pile))
    found = Counter((*tiles_of(state).values(), *held, *piled))
    for name, number in COPIES.items():
        if found[name] != number:
            raise NotationError(f"the position has {counted(found[name], 'tile')} {name}: the deck has {number}")
    _read_traces(state, [] if wilds == DASH else wilds.split(";"))
    most = 0 if has_own_pile(state) else rules.MAX_SCORE
    for player, score in enumerate(read_list(points, ",", players, "player's points", plural="players' points")):
        state.points[player] = read_number(score, f"the points of player {player + 1}", most)
    state.idle = read_number(idle, "the turns without an added tile", int(state.rounds) * players)
    out = any(rules.tiles_left(state, player) == 0 for player in range(players))
    check_end(turn, out or bool(state.idle == state.rounds * state.players), "the turn")
    _read_turn(state, turn)


def _read_grid(state: RawPosition, text: str) -> None:
    tiles: dict[Place, str] = {}
    if text != DASH:
        corner, colon, lines = text.partition(":")
        if not colon:
            raise NotationError(f"the grid is {text[:20]!r}: expected -, or a corner, : and rows")
        top, left = read_place(corner)
        for row, line in enumerate(lines.split("/")):
            names = enumerate(re.findall("..?", line))
            tiles |= {(top + row, left + column): name for column, name in names if name != EMPTY}
    if not tiles:
        if state.variant != rules.LIGHT:
            raise NotationError("the grid is empty: in Classic and Plus a tile of the pile starts it")
        return
    clear_rim(state)
    for place in _connected(tiles):
        name = tiles[place]
        kind, cell = read_kind(name), cell_of(place)
        if not fitting_in(around_rim(state, cell)) >> kind & 1:
            raise NotationError(f"the grid's {name} at {place_name(place)} fits neither row nor column")
        lay(state, kind, cell)
    rules.clear_ends(state)


def _connected(tiles: dict[Place, str]) -> list[Place]:
    """The places of all tiles, from the first one on, so that each touches one before it: then the rim never overflows."""
    reached: dict[Place, None] = {}
    waiting = [(0, 0)]
    while waiting:
        row, column = waiting.pop()
        if (row, column) in tiles and (row, column) not in reached:
            reached[row, column] = None
            waiting += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    lost = sorted(tiles.keys() - reached.keys())
    if lost:
        raise NotationError(
            f"the grid's {tiles[lost[0]]} at {place_name(lost[0])} is not connected to 0,0, where the first tile lies"
        )
    return list(reached)


def _read_hands(state: RawPosition, hands: list[str]) -> None:
    for player, text in enumerate(hands):
        names = [] if text == DASH else text.split(",")
        if len(names) > rules.HAND:
            raise NotationError(f"the hand of player {player + 1} has {len(names)} tiles: expected {rules.HAND} at most")
        for name in names:
            if names.count(name) > COPIES.get(name, TILES):
                raise NotationError(f"there are {names.count(name)} tiles {name}: the deck has {COPIES[name]}")
            take(state, player, read_kind(name))
        state.in_hand[player] = len(names)


def _read_piles(state: RawPosition, piles: list[str]) -> None:
    state.piles[:] = 0
    for pile, text in enumerate(piles):
        names = [] if text == DASH else text.split(",")[::-1]
        most = int(state.share) - int(state.in_hand[pile]) if has_own_pile(state) else TILES
        if len(names) > most:
            raise NotationError(
                f"the pile of player {pile + 1} has {len(names)} tiles: with the hand it begins with {state.share}"
            )
        for place, name in enumerate(names):
            state.piles[pile * int(state.share) + place] = read_kind(name[:2])
            if knower := name[2:]:
                player = int(knower) - 1 if knower in "1234" else -1
                if not (0 <= player < state.players and pile_of(state, player) == pile):
                    raise NotationError(
                        f"a tile of a pile is known to player {knower[:20]!r}: expected one who draws from that pile"
                    )
                state.known[player] |= 1 << place
        state.piled[pile] = len(names)


def _read_traces(state: RawPosition, texts: list[str]) -> None:
    """Where wilds are: each trace leads to a tile of its kind, and those of the two Q!nto tiles to one each."""
    for text in texts:
        name, _, words = text.partition(":")
        number = read_kind(name) - FIRST_WILD
        number += number == ONE_OF_TWO and state.traces[number] != 0
        if number < 0 or state.traces[number]:
            raise NotationError(f"{text[:20]!r} tells of {name}: expected each wild once, and WW twice")
        region = 0
        for word in words.split(","):
            found = re.fullmatch(f"([1-{state.players}])|p([1-9][0-9]?)", word)
            if not found or (found[2] and int(found[2]) > TILES - 1):
                raise NotationError(f"{text[:20]!r}: read {word[:20]!r}, expected a player or a place of a pile, such as p1")
            region |= 1 << int(found[1]) - 1 if found[1] else 1 << PLACES_AT + int(found[2]) - 1
        if has_own_pile(state) and (region & HANDS).bit_count() != 1:
            raise NotationError(f"{text[:20]!r}: expected one player, and places of his pile")
        state.traces[number] = region
    state.traces[ONE_OF_TWO:] = sorted(state.traces[ONE_OF_TWO:].tolist(), reverse=True)
    regions: dict[str, list[int]] = {}
    for number, region in enumerate(state.traces.tolist()):
        if region:
            regions.setdefault(_wild_name(number), []).append(region)
    for name, leading in regions.items():
        ways = permutations(_spots(state, name), len(leading))
        if not any(all(region & spot == spot for region, spot in zip(leading, way, strict=True)) for way in ways):
            raise NotationError(f"{name} is not where it is said to be known")


def _spots(state: RawPosition, name: str) -> Iterator[int]:
    """Where the tiles of a name are, each as the narrowest region; in Light a place is in the pile of one player."""
    for player in range(int(state.players)):
        yield from hand_of(state, player).count(name) * [1 << player]
    for pile in piles_of(state):
        owner = 1 << pile if has_own_pile(state) else 0
        for place, other in enumerate(reversed(pile_names(state, pile))):
            if other == name:
                yield 1 << PLACES_AT + place | owner


# The turn


def _read_turn(state: RawPosition, text: str) -> None:
    if text == DASH:
        state.mover = TERMINAL
        return
    sorts = "|".join((*SORTS.values(), *LINES.values()))
    found = re.fullmatch(f"([1-{state.players}]):({sorts})((?:@[-0-9]+,[-0-9]+)*)((?::[a-z0-9]+)*)", text)
    if not found:
        raise NotationError(f"the turn is {text[:30]!r}: expected such as 1:choose, 1:trade, 1:swap, 1:add@0,0:1, or -")
    state.mover = int(found[1]) - 1
    sort, rest = found[2], found[4]
    cells = [cell_of(read_place(place)) for place in found[3].split("@")[1:]]
    if sort in LINES.values():
        _read_adding(state, sort, cells, rest)
    else:
        state.phase = next(phase for phase, name in SORTS.items() if name == sort)
        if state.phase != rules.SWAPPING and (cells or rest):
            raise NotationError(f"the turn is {sort} and more: expected {sort} alone")
        if rest or len(set(cells)) < len(cells) or not all(FIRST_WILD <= state.grid[cell] <= KINDS for cell in cells):
            raise NotationError(f"the turn is {sort}: expected the cells of wilds that swaps have brought, and nothing more")
        for cell in cells:
            state.grid[cell] += SWAPPED
    trades, traded = state.phase == rules.TRADING, int(state.piled[0])
    # a common pile was empty before the trade, if all that is in it fits into the hand that it was traded from
    was_empty = trades and not has_own_pile(state) and int(state.in_hand[state.mover]) + traded <= rules.HAND
    for player in range(int(state.players)):  # hands are full where the pile could fill them
        held, moves = int(state.in_hand[player]), player == state.mover
        number = held + int(state.laid) if moves else held
        may_lack = not state.piled[pile_of(state, player)] or was_empty or (moves and trades)
        if number > rules.HAND or (number < rules.HAND and not may_lack):
            raise NotationError(
                f"player {player + 1} has {counted(held, 'tile')} in hand, which does not fit the pile and the turn"
            )


def _read_adding(state: RawPosition, sort: str, cells: list[int], rest: str) -> None:
    """The cell of a tile in the turn's line, how many were added, and whether another turn follows."""
    state.phase, state.line = rules.ADDING, next(number for number, name in LINES.items() if name == sort)
    possible = "1" if state.line == rules.EITHER else "[2-5]"
    found = re.fullmatch(f":({possible})(:{AGAIN})?", rest)
    if not found or len(cells) != 1 or not state.grid[cells[0]]:
        raise NotationError(f"the turn is {sort}: expected the cell of a tile, : and how many were added, {possible}")
    state.laid, state.again = int(found[1]), int(found[2] is not None)
    if state.again and not has_own_pile(state):
        raise NotationError(f"the turn is followed by another one, {AGAIN}: expected that in Light only")
    for end, (down, right) in enumerate(((0, -1), (0, 1), (-1, 0), (1, 0))):
        if state.line in (rules.EITHER, rules.ROW if right else rules.COLUMN):
            cell = cells[0]
            while state.grid[cell]:
                cell = int(beside(below(cell, down), right))
            state.ends[end] = cell
