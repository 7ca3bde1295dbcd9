"""Text for Q!nto: actions, and why they are refused; tiles and cells are in `names`, whole positions in `positions`.

    +5b@-1,2    add 5b in row -1, column 2          -1G     put 1G under the pile; -? is how others see that
    ~4Y@0,1     swap 4Y for the wild there          end     end the turn, which is a pass if nothing was done

Rows and columns are counted from the first tile, which lies on 0,0, downwards and to the right: whatever is added, a cell
keeps its numbers, so a record can be read without drawing the grid. (The text program numbers the grid as it is printed.)
The grid has no edge, but comes round after 64 rows or columns: 31 is followed by -32, and 32 reads as -32.

The reason for a refusal is looked for when the rules have refused an action, and never before. There, tiles are their names
and places are (row, column) of any numbering.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import ContractError, NotationError
from ludoteca.core.messages import Message
from ludoteca.core.words import excerpt
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.names import (
    HIDDEN,
    WILD,
    cell_of,
    hand_of,
    kind_name,
    place_name,
    place_near,
    place_of,
    read_kind,
    read_place,
    tiles_of,
    wrapped,
)
from ludoteca.games.qinto.positions import cell_of_turn
from ludoteca.games.qinto.positions import position_to_string as position_to_string  # part of what a notation has
from ludoteca.games.qinto.positions import string_to_position as string_to_position
from ludoteca.games.qinto.rim import CELLS, below, beside
from ludoteca.games.qinto.tiles import FIRST_WILD, SWAPPED, VALUES

ADD, SWAP, TRADE, END = "+", "~", "-", "end"
SHAPE, COLOUR = 0, 1
"""Which character of a tile's name."""


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
    word, shown = "".join(text.split()), repr(text[:40])
    if word == END:
        return rules.END
    if word[:1] == TRADE:
        return rules.TRADE + (0 if word[1:] == HIDDEN else read_kind(word[1:]))
    tile, at, place = word[1:].partition("@")
    if word[:1] not in (ADD, SWAP) or not word or not at:
        raise NotationError(("unread.action", shown, END), __package__)
    kind, cell = read_kind(tile), cell_of(read_place(place))
    name, lying = place_name(place_of(cell)), int(state.grid[cell]) % SWAPPED
    if word[0] == SWAP and not lying:
        raise NotationError(("unread.free", shown, name, ADD), __package__)
    if word[0] == ADD and lying:
        key = "unread.wild" if lying >= FIRST_WILD else "unread.taken"
        raise NotationError((key, shown, name, kind_name(lying), SWAP), __package__)
    return CELLS * kind + cell


# Why not


SORTS: Final[dict[int, Message]] = {
    rules.ADDING: ("sort.added",),
    rules.SWAPPING: ("sort.swapped",),
    rules.TRADING: ("sort.traded",),
}
"""The words for the sort of a turn, by its phase."""


def refusal(state: RawPosition, action: int) -> Message:
    """Why an action is not legal here: which line it would make invalid, and how."""
    if not 0 <= action < rules.ACTIONS:
        return ("refused.number", action)
    kind, cell = divmod(action, CELLS) if action < rules.TRADE else (action - rules.TRADE, 0)
    if not kind:
        return ("refused.tile", action)
    sort = rules.TRADING if action >= rules.TRADE else rules.SWAPPING if state.grid[cell] else rules.ADDING
    phase = int(state.phase)
    if phase not in (rules.CHOOSING, sort):
        return ("refused.sort", SORTS[phase], SORTS[sort], END)
    tile, tiles, hand = kind_name(kind), tiles_of(state), Counter(hand_of(state, int(state.mover)))
    place = place_near(tiles, cell)
    if sort == rules.TRADING:
        return ("refused.not_in_hand", tile)
    if sort == rules.SWAPPING:
        return why_not_swapped(tiles, hand, place, tile, [place] if state.grid[cell] >= SWAPPED else [])
    if not tiles and hand[tile]:
        return ("refused.first",)
    begun: list[int] = []
    left, right, up, down = state.ends.tolist()
    if state.line == rules.ROW:
        begun = [beside(left, 1), beside(right, -1)]
    elif state.line == rules.COLUMN:
        begun = [below(up, 1), below(down, -1)]
    elif phase == rules.ADDING:
        begun = [cell_of_turn(state)]
    return why_not_added(tiles, hand, [(place, tile)], [place_near(tiles, each) for each in begun])


Numbered: TypeAlias = Callable[[Place], Place]
"""Gives the row and the column under which a place is known to those who are told."""


def why_not_added(
    tiles: Mapping[Place, str],
    hand: Counter[str],
    placing: Sequence[tuple[Place, str]],
    begun: Sequence[Place] = (),
    numbered: Numbered = wrapped,
) -> Message:
    """Why these tiles of a hand cannot all be added in one turn.

    Of a turn that has begun, `begun` is the place of the one tile that was added, or both ends of the line as it is.
    """
    places = [place for place, _ in placing]
    if lacking := _lacking(hand, [tile for _, tile in placing]):
        return lacking
    for number, place in enumerate(places):  # “All in one straight line.”
        if place in tiles:
            return "refused.taken", _named(numbered(place)), tiles[place]
        if place in places[:number]:
            return "refused.twice", _named(numbered(place))
        rows, columns = zip(*begun, *places[: number + 1], strict=True)
        if min(len(set(rows)), len(set(columns))) > 1:
            return "refused.bent", _named(numbered(place))
    rows, columns = zip(*begun, *places, strict=True)
    for place in product(range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)):
        if place not in tiles and place not in places:  # “Connected with what lies there (through old tiles too)”
            return "refused.gap", _named(numbered(place))
    around = [(row + down, column + right) for row, column in places for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    if tiles and not any(place in tiles for place in around):  # “At least one touching the grid.”
        return "refused.apart", _named(numbered(places[0]))
    return _why_invalid({**tiles, **dict(placing)}, places, numbered)


def why_not_swapped(
    tiles: Mapping[Place, str],
    hand: Counter[str],
    place: Place,
    tile: str,
    done: Collection[Place],
    numbered: Numbered = wrapped,
) -> Message:
    """Why a tile of a hand cannot be swapped for the one at a place; `done` are the places of earlier swaps of the turn."""
    at = _named(numbered(place))
    if place not in tiles:
        return "refused.nothing_there", at
    if place in done:
        return "refused.swapped", at
    if WILD not in tiles[place]:
        return "refused.not_wild", at, tiles[place]
    if lacking := _lacking(hand, [tile]):
        return lacking
    if tiles[place] == tile:
        return "refused.same_tile", at, tile
    return _why_invalid({**tiles, place: tile}, [place], numbered)


def _lacking(hand: Counter[str], tiles: Sequence[str]) -> Message:
    """Which of these tiles the hand does not have; the empty text when it has all."""
    needed = Counter(tiles)
    lacking = next(iter(needed - hand), None)
    return ("refused.not_in_hand", excerpt(" ".join(needed[lacking] * [lacking]))) if lacking else ""


def _named(place: Place) -> str:
    return f"{place[0]},{place[1]}"


def _why_invalid(tiles: Mapping[Place, str], places: Sequence[Place], numbered: Numbered) -> Message:
    """The first line through some places that is not “2..5 adjacent tiles [...] all equal or all different”."""
    for (row, column), (down, right) in product(places, ((0, 1), (1, 0))):
        while (row - down, column - right) in tiles:
            row, column = row - down, column - right
        number, line = numbered((row, column))[down], []
        while (row, column) in tiles:
            line.append(tiles[row, column])
            row, column = row + down, column + right
        where = ("column" if down else "row", number, " ".join(line))
        if len(line) > VALUES:
            return "refused.too_long", where, len(line)
        for part, key in ((COLOUR, "refused.colours"), (SHAPE, "refused.shapes")):
            known = [tile for tile in line if tile[part] != WILD]
            numbers = Counter(tile[part] for tile in known)
            if 1 < len(numbers) < len(known):
                twice = next(value for value, number in numbers.items() if number > 1)
                one, other, *_ = (tile for tile in known if tile[part] == twice)
                return key, where, ("odd", one, other, next(tile for tile in known if tile[part] != twice))
    raise ContractError(f"the rules refuse tiles at {places} for no reason that is known")
