"""The reasons why an action of Q!nto is refused, and why the text program refuses a turn, as messages for players.

The rules decide whether an action is legal. Only after a refusal does this module look for the reason. Tiles are given by
their names, such as `5b`, and places are (row, column).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import ContractError
from ludoteca.core.messages import Message
from ludoteca.core.words import excerpt
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.names import END, WILD, Place, hand_of, kind_name, line_of_turn, place_near, tiles_of, wrapped
from ludoteca.games.qinto.rim import CELLS
from ludoteca.games.qinto.tiles import SWAPPED, VALUES

SHAPE, COLOUR = 0, 1
"""The index of the shape and of the colour in a tile's name."""
SORTS: Final = (("",), ("sort.added",), ("sort.swapped",), ("sort.traded",))
"""The key of the words that tell what a turn has done so far, by the phase of the turn. Empty at its beginning."""
Numbered: TypeAlias = Callable[[Place], Place]
"""A function that returns the row and the column of a place as the reader counts them."""


def refusal(state: RawPosition, action: int) -> Message:
    """Return the message that says why an illegal action is refused in this position. The action is any integer."""
    if not 0 <= action < rules.ACTIONS:
        return ("refused.number", action)
    kind, cell = divmod(action, CELLS) if action < rules.TRADE else (action - rules.TRADE, 0)
    if not kind:
        return ("refused.tile", action)
    sort = rules.TRADING if action >= rules.TRADE else rules.SWAPPING if state.grid[cell] else rules.ADDING
    if state.phase not in (rules.CHOOSING, sort):
        return ("refused.sort", SORTS[int(state.phase)], SORTS[sort], END)
    tile, tiles, hand = kind_name(kind), tiles_of(state), Counter(hand_of(state, int(state.mover)))
    place = place_near(tiles, cell)
    if sort == rules.TRADING:
        return ("refused.not_in_hand", tile)
    if sort == rules.SWAPPING:
        return why_not_swapped(tiles, hand, place, tile, [place] if state.grid[cell] >= SWAPPED else [])
    if not tiles and hand[tile]:
        return ("refused.first",)
    return why_not_added(tiles, hand, [(place, tile)], [place_near(tiles, each) for each in line_of_turn(state)])


def why_not_added(
    tiles: Mapping[Place, str],
    hand: Counter[str],
    placing: Sequence[tuple[Place, str]],
    begun: Sequence[Place] = (),
    numbered: Numbered = wrapped,
) -> Message:
    """Return the reason why the tiles of `placing`, pairs of a place and a name, cannot all be added in one turn.

    `tiles` are the tiles on the grid, by place, and `hand` is the number of tiles of each name in the player's hand. If the
    turn has already added tiles, `begun` has the place of its only tile, or the places of the first and last tile of its
    line. `numbered` converts places into the numbers that the message shows.
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
    if tiles and tiles.keys().isdisjoint(around):  # “At least one touching the grid.”
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
    """Return the reason why a tile of the hand cannot be swapped for the tile at a place.

    `tiles` are the tiles on the grid, by place, and `hand` is the number of tiles of each name in the player's hand. `done`
    has the places at which this turn has swapped already. `numbered` converts places into the numbers that the message
    shows.
    """
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
    """Return the message that names the first of these tiles that the hand does not have, or an empty text if it has all of
    them.
    """
    needed = Counter(tiles)
    lacking = next(iter(needed - hand), None)
    return ("refused.not_in_hand", excerpt(" ".join(needed[lacking] * [lacking]))) if lacking else ""


def _named(place: Place) -> str:
    return f"{place[0]},{place[1]}"


def _why_invalid(tiles: Mapping[Place, str], places: Sequence[Place], numbered: Numbered) -> Message:
    """Return the message about the first row or column through the places that is not a valid line: “2..5 adjacent tiles
    [...]”.

    `tiles` are all tiles, by place, with the new ones. Raises ContractError if all lines are valid.
    """
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
