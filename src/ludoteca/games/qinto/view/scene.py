"""Q!nto as a seat sees it: racks of other players above, the grid below them, the own rack at the bottom.

+------------------------------------------+
|   (1) #### 24    (2) ### 22    (3) ...   |  a rack for each other player, in turn order: sign, hand, tiles left
|                                          |
|              [] []                       |  the grid is a field: lengths are in cells, and a tile is at (column, row)
|              []                          |
|                                          |
| (0)  [5b] [2Y] [3G] [4R] [WW]     [pile] |
|                   known tiles at its bottom
+------------------------------------------+

row/-1 column/2         the numbers of rows and columns
cell/-1,2 tile/-1,2     an empty cell, and a tile, by their places on the grid
qinto/row/0,0           the frame of a Q!nto, or qinto/column/0,0
hand/5b hand/5b/2       the tile to touch in the own hand, and an equal one behind it: both are one action
under/5b/1              a tile that the player knows in the pile, by its kind and its number among equal ones
pile/0                  a pile from which a player draws
seat/1 back/1/0         another player's sign, and the tiles of that player's hand, by their number
maybe/1/0 maybe/pile/0  a wild that may be in that player's hand or in the common pile
pile/1/0                a tile of another player's pile, which is open at the end of the game
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import ceil
from typing import Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing, row
from ludoteca.core.tables import copied
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.names import (
    KIND_OF,
    Place,
    Window,
    cell_of,
    kind_name,
    place_name,
    place_of,
    read_place,
    seen_in_pile,
    tiles_of,
    traces_of,
    window_around,
)
from ludoteca.games.qinto.rim import CELLS, SIDE, below, beside, unmark
from ludoteca.games.qinto.tiles import SWAPPED, VALUES
from ludoteca.games.qinto.view.seats import (
    GROUP_HEIGHT,
    GROUP_WIDTH,
    PER_GROUP_ROW,
    PILE_ROW_HEIGHT,
    SPRITE,
    TILE,
    Area,
    group,
    known_in_pile,
    open_pile,
    own_hand,
    own_pile,
)

WIDTH: Final = 8.0
HEIGHT: Final = 11.8
HAND_TOP: Final = 9.62
"""The upper edge of the own rack, and the lower edge of the grid's window."""
SPOKEN: Final = 3
"""The log names the lines that a tile makes only if they have at least this length."""
TASKS: Final[Mapping[int, Message]] = {
    rules.CHOOSING: ("task.choose",),
    rules.ADDING: ("task.add",),
    rules.SWAPPING: ("task.swap",),
    rules.TRADING: ("task.trade",),
}


def draw(view: RawPosition, player: int) -> Scene:
    """Return the grid, the racks of other players above it, and the own rack and pile of `player` below it.

    A spectator sees racks of all players, and in Classic and Plus the common pile below the grid.
    """
    players, light = int(view.players), has_own_pile(view)
    others = [(player + 1 + n) % players for n in range(players - 1)] if player >= 0 else list(range(players))
    tiles, traces = tiles_of(view), traces_of(view)
    items = [*_cells(view, tiles), *_tiles(tiles), *_frames(tiles), *_numbers(window_around(tiles))]
    scale = min(1.0, WIDTH / len(others) / GROUP_WIDTH)
    for x, other in zip(row(WIDTH / 2, len(others), GROUP_WIDTH * scale), others, strict=True):
        items += group(view, other, traces, Area(x, GROUP_HEIGHT / 2 * scale, scale))
    if player >= 0 or not light:
        seat, area = max(player, 0), Area(0, HAND_TOP, 1)
        items += own_pile(view, seat, traces, area)
        items += own_hand(view, player, area) if player >= 0 else []
        items += known_in_pile(view, seat, seen_in_pile(view, pile_of(view, seat)), area)
    largest_pile = max(len(open_pile(view, other)) for other in others) if light else 0
    top = round(scale * (GROUP_HEIGHT + ceil(largest_pile / PER_GROUP_ROW) * PILE_ROW_HEIGHT), 3)
    return Scene(WIDTH, HEIGHT, tuple(items), _standings(view), _task(view), (top, HAND_TOP - top))


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the tile that an action has added or swapped, with the item of the hand from which it comes. A wild for which a
    tile was swapped moves to the hand.
    """
    if action >= rules.TRADE:
        return Placed()
    (kind, cell), mover = divmod(action, CELLS), int(before.mover)
    tile, is_own = tile_at(place_of(cell)), mover == player
    starts = {tile: f"hand/{kind_name(kind)}" if is_own else f"back/{mover}/{before.in_hand[mover] - 1}"}
    if is_own and (wild := before.grid[cell]):
        name = kind_name(int(wild) % SWAPPED)
        starts |= {f"hand/{name}": tile, f"hand/{name}/2": tile}
    return Placed((tile,), starts)


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """Return the items to touch for each action: a tile of the hand, and a cell, a tile or the pile as its target. The end
    of the turn is a button.
    """
    found = []
    for action in legal:
        if action == rules.END:
            found.append(Choice(action, (), ("button.pass" if view.phase == rules.CHOOSING else "button.end",)))
        elif action >= rules.TRADE:
            found.append(Choice(action, (f"hand/{kind_name(action - rules.TRADE)}", f"pile/{pile_of(view, player)}")))
        else:
            kind, cell = divmod(action, CELLS)
            target = tile_at(place_of(cell)) if view.grid[cell] else f"cell/{name_of(cell)}"
            found.append(Choice(action, (f"hand/{kind_name(kind)}", target)))
    return found


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Return the action that the touched items mean, whether it is legal or not, or -1 if they mean none. An action needs
    one tile of the hand, and one cell, tile of the grid or pile.
    """
    hand = [name for name in touched if name.startswith("hand/")]
    targets = [name for name in touched if not name.startswith("hand/")]
    if len(hand) != 1 or len(targets) != 1:
        return -1
    kind = KIND_OF[hand[0].split("/")[1]]
    sort, _, place = targets[0].partition("/")
    if sort in ("cell", "tile"):
        return CELLS * kind + cell_of(read_place(place))
    return rules.TRADE + kind if targets[0] == f"pile/{pile_of(view, player)}" else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return a step in words: `adds club, black (5b) at -1,2: a line of 3`."""
    if action == rules.END:
        return ("told.pass",) if view.phase == rules.CHOOSING else ("told.end",)
    kind, cell = (action - rules.TRADE, -1) if action >= rules.TRADE else divmod(action, CELLS)
    if kind == 0:
        return ("told.hidden",)
    name = kind_name(kind)
    tile = PICTURE, TILE[name], SPRITE[name], 0, ""
    if cell < 0:
        return "told.trade", tile
    where = PICTURE, ("told.at", name_of(cell)), "", 0, ""
    if view.grid[cell]:
        return "told.swap", tile, where
    told, longest = ("told.add", tile, where), max((len(line) for _, line, _ in _lines(view, cell)), default=1)
    if longest < SPOKEN:
        return told
    return ("told.makes", told, ("told.qinto",) if longest == VALUES else ("preview.line", longest))


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return the items that show an action before it is played: the tile on its cell, and marks on the tiles of its row and
    column. For other actions there are only words.

    The words for an added tile tell the lines that it makes, and in Classic and Plus its points.
    """
    if action >= rules.TRADE:
        return Preview((), (), ("preview.trade",) if action != rules.END else describe(view, player, action))
    kind, cell = divmod(action, CELLS)
    lines, is_swap = _lines(view, cell), bool(view.grid[cell])
    told = describe(view, player, action) if is_swap else _lines_in_words([len(line) for _, line, _ in lines])
    if not is_swap and view.variant != rules.LIGHT:
        after = copied(view)
        rules.apply(after, action)
        told = "preview.points", told, int(after.points[player] - view.points[player])
    target = tile_at(place_of(cell)) if is_swap else f"cell/{name_of(cell)}"
    there = next(item for item in draw(view, player).items if item.id == target)
    ghost = Item("ghost-tile", SPRITE[kind_name(kind)], there.x, there.y, classes="field")
    return Preview((ghost,), tuple(tile_at(place_of(each)) for _, line, _ in lines for each in line if each != cell), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
    """Return items to show for a moment: a flash, the length of each line that a tile has made, and the points that it has
    scored.
    """
    if action >= rules.TRADE:
        return ()
    there = next(item for item in scene.items if item.id == tile_at(place_of(action % CELLS)))
    items = list[Item]()
    for is_row, line, at in () if before.grid[action % CELLS] else _lines(before, action % CELLS):
        length, angle = len(line), 0 if is_row else 90
        middle, end = (length - 1) / 2 - at, length - at - 0.15
        x, y = (there.x + middle, there.y) if is_row else (there.x, there.y + middle)
        items.append(Item(f"flash/{angle}", "qinto-flash", x, y, length, 1, angle, "field flash"))
        if length == VALUES:
            items.append(Item(f"cheer/{angle}", "", x, y, VALUES, 2, 0, "field gain", text="Q!nto!"))
        x, y = (there.x + end, there.y) if is_row else (there.x, there.y + end)
        items.append(Item(f"length/{angle}", "", x, y, 1, 1.2, 0, "field gain", text=length))
    points = sum(after.points.tolist()) - sum(before.points.tolist())
    if points:
        items.append(Item("ghost-points", "", there.x, there.y, 1, 1.3, classes="field gain", text=f"+{points}"))
    return items


def reveal(state: RawPosition, view: RawPosition) -> None:
    """Copy all hands and piles to a view at the end of the game. They show where the wilds are, so the traces (places where
    wilds may be) are removed.
    """
    view.held, view.paired, view.piles = state.held, state.paired, state.piles
    view.traces[:] = 0


def unit(view: RawPosition) -> str:
    """Return the unit in which players are compared: tiles that are left in Light, points in Classic and Plus."""
    return "tile" if view.variant == rules.LIGHT else "point"


# The grid


@cache
def name_at(place: Place) -> str:
    """Return the name of a place."""
    return place_name(place)


def name_of(cell: int) -> str:
    """Return the name of a cell."""
    return name_at(place_of(cell))


def tile_at(place: Place) -> str:
    """Return the id of the tile at a place."""
    return f"tile/{name_at(place)}"


def _numbers(window: Window) -> list[Item]:
    """Return the numbers of rows and columns, in the empty line around the tiles."""
    top, left, rows, columns = window
    places = [("row/", left, y, name_at((y, 0)).split(",")[0]) for y in range(top + 1, top + rows)]
    places += [("column/", x, top, name_at((0, x)).split(",")[1]) for x in range(left + 1, left + columns)]
    return [Item(line + text, "", x, y, 1, 0.7, classes="field muted code", text=text) for line, x, y, text in places]


def _cells(view: RawPosition, tiles: Mapping[Place, str]) -> list[Item]:
    """Return the items for the empty cells next to tiles. While the grid is empty, the cell of the first tile is visible."""
    items, (top, left, _, _), classes = list[Item](), window_around(tiles), "field place" if tiles else "field"
    for cell in sorted(view.rim[1 : int(view.n_rim) + 1].tolist()):
        y, x = place = place_of(cell)
        x, y, name = left + (x - left) % SIDE, top + (y - top) % SIDE, name_at(place)
        items.append(Item(f"cell/{name}", "qinto-cell", x, y, classes=classes, label=("cell", name)))
    return items


def _tiles(tiles: Mapping[Place, str]) -> list[Item]:
    """Return the tiles on their places."""
    return [
        Item(tile_at(place), SPRITE[tile], place[1], place[0], classes="field", label=("at", TILE[tile], name_at(place)))
        for place, tile in tiles.items()
    ]


def _frames(tiles: Mapping[Place, str]) -> list[Item]:
    """Return a frame around each Q!nto. No line has more than five tiles."""
    items = []
    for y, x in tiles:
        name = name_at((y, x))
        if all((y, x + n) in tiles for n in range(1, VALUES)):
            items.append(Item(f"qinto/row/{name}", "qinto-line", x + 2, y, VALUES, 1, 0, "field"))
        if all((y + n, x) in tiles for n in range(1, VALUES)):
            items.append(Item(f"qinto/column/{name}", "qinto-line", x, y + 2, VALUES, 1, 90, "field"))
    return items


# Words


def _standings(view: RawPosition) -> tuple[Standing, ...]:
    """Return the numbers shown for each player: in Light the tiles left and the size of the pile, otherwise the points and
    the tiles in hand.
    """
    standings = []
    hands, piles, points = view.in_hand.tolist(), view.piled.tolist(), view.points.tolist()
    for seat in range(int(view.players)):
        facts: list[tuple[Message, Message]] = [(("heading.points",), points[seat]), (("heading.hand",), hands[seat])]
        if has_own_pile(view):
            facts = [(("heading.left",), hands[seat] + piles[seat]), (("heading.pile",), piles[seat])]
        standings.append(Standing(seat, tuple(facts), f"qinto-seat-{seat}"))
    return tuple(standings)


def _task(view: RawPosition) -> Message:
    """Return the task of the player to move. At the end of the game, return the winners and the reason why it is over."""
    players, idle = int(view.players), int(view.idle)
    if not rules.is_terminal(view):
        task = TASKS[int(view.phase)]
        if view.again:
            task = ("task.again", task)
        left = int(view.rounds) * players - idle
        return ("task.idle", task, left) if idle and left <= 2 * players and view.phase != rules.ADDING else task
    won = int(rules.winners(view))
    last = next((seat for seat in range(players) if rules.tiles_left(view, seat) == 0), None)
    if last is not None and won == 1 << last:
        return ("end.out", (SEAT, last))
    best = [(SEAT, seat) for seat in range(players) if won >> seat & 1]
    result: Message = ("end.alone", best[0]) if len(best) == 1 else ("end.shared", (LIST, *best))
    return ("end.last", (SEAT, last), result) if last is not None else ("end.idle", result)


def _lines(view: RawPosition, cell: int) -> list[tuple[bool, list[int], int]]:
    """Return the lines that a tile on a cell makes. Each is True for a row (False for a column), its cells in order, and the
    index of the cell among them.
    """
    found = []
    for step in (beside, below):
        before, after = (list(_tiles_from(view, cell, step, direction)) for direction in (-1, 1))
        if before or after:
            found.append((step is beside, [*before[::-1], cell, *after], len(before)))
    return found


def _lines_in_words(lengths: Sequence[int]) -> Message:
    """Return the lines that a tile makes in words: `a line of 3`."""
    if not lengths:
        return ("preview.alone",)
    told = ("preview.line" if len(lengths) == 1 else "preview.lines", *sorted(lengths))
    return ("preview.qinto", told) if VALUES in lengths else told


def _tiles_from(view: RawPosition, cell: int, step: Callable[[int, int], int], direction: int) -> Iterator[int]:
    """Yield the cells of the adjacent tiles in a line, from next to a cell on, to one side of it. `step` and `direction`
    give the line and the side.
    """
    distance = direction
    while view.grid[there := int(step(cell, distance))]:
        yield there
        distance += direction


def begin_turn(view: RawPosition, player: int) -> None:
    """End the present turn and begin the player's turn. Wilds that swaps of the ended turn brought to the grid may be
    swapped again.
    """
    if view.phase == rules.SWAPPING:
        unmark(view)
    rules.begin_turn(view, player)
