"""Q!nto as a seat sees it: other players above, the grid below them, the own hand at the bottom. Lengths are in cells.

+------------------------------------------+
| seat hand pile     seat hand pile   ...  |  a group for each other player, in turn order
|      -1  0  1  2  3                      |
|  -1                                      |  the tiles with a free line around them, and more lines if tiles are few:
|   0      [] [] []                        |  most added tiles then do not move the others
|   1                                      |
| seat   [5b] [2Y] [3G] [4R] [WW]     pile |
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
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing, headings
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
    EDGE,
    GROUP_HEIGHT,
    GROUP_WIDTH,
    HAND_HEIGHT,
    PER_GROUP_ROW,
    PER_ROW,
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

NUMBERS: Final = 0.75
"""The width and the height of the numbers of rows and columns."""
NARROWEST: Final = 9.0
"""The least width of a scene. Groups and the own hand are as large as their lengths say in a scene of this width."""
FEWEST_ROWS: Final = 5
FEWEST_COLUMNS: Final = 7
LARGEST_GROUP: Final = 1.25
"""The largest scale of groups."""
LARGEST_HAND: Final = 1.7
"""The largest scale of the own hand and pile."""
TASKS: Final[Mapping[int, Message]] = {
    rules.CHOOSING: ("task.choose",),
    rules.ADDING: ("task.add",),
    rules.SWAPPING: ("task.swap",),
    rules.TRADING: ("task.trade",),
}


def draw(view: RawPosition, player: int) -> Scene:
    """Return the grid, the groups of other players above it, and the own hand and pile of `player` below it.

    A spectator sees groups of all players, and in Classic and Plus the common pile below the grid.
    """
    players, light = int(view.players), has_own_pile(view)
    others = [(player + 1 + n) % players for n in range(players - 1)] if player >= 0 else list(range(players))
    tiles, traces = tiles_of(view), traces_of(view)
    # few tiles are in the middle of a larger window
    top, left, rows, columns = window_around(tiles)
    top, rows = top - (max(FEWEST_ROWS - rows, 0) + 1) // 2, max(rows, FEWEST_ROWS)
    left, columns = left - (max(FEWEST_COLUMNS - columns, 0) + 1) // 2, max(columns, FEWEST_COLUMNS)
    width = max(NARROWEST, columns + NUMBERS + EDGE)
    # groups are side by side if there is room
    abreast = min(int(width / GROUP_WIDTH), len(others))
    scale = min(width / abreast / GROUP_WIDTH, LARGEST_GROUP)
    largest_pile = max(len(open_pile(view, other)) for other in others) if light else 0
    group_height = GROUP_HEIGHT + ceil(largest_pile / PER_GROUP_ROW) * PILE_ROW_HEIGHT
    groups = []
    for number, other in enumerate(others):
        row, column = divmod(number, abreast)
        area = Area(column * width / abreast, (row * group_height + GROUP_HEIGHT / 2) * scale, scale)
        groups += group(view, other, traces, area)
    # the grid is below them
    x = (width - columns - NUMBERS - EDGE) / 2 + NUMBERS
    y = round(ceil(len(others) / abreast) * group_height * scale, 2) + NUMBERS
    items = _table(Window(top, left, rows, columns), x, y)
    items += _cells(view, top, left, x, y)
    items += _tiles(tiles, x + 0.5 - left, y + 0.5 - top)
    items += _frames(tiles, x - left, y - top)
    items += groups
    height = y + rows + EDGE / 2
    if player >= 0 or not light:
        seat, scale = max(player, 0), min(width / NARROWEST, LARGEST_HAND)
        area, known = Area(0, height, scale), seen_in_pile(view, pile_of(view, seat))
        items += own_pile(view, seat, traces, area, width / scale)
        if player >= 0:
            items += own_hand(view, player, area, width / scale)
        items += known_in_pile(view, seat, known, area, width / scale)
        height += scale * (HAND_HEIGHT + ceil(len(known) / PER_ROW) * PILE_ROW_HEIGHT)
    return Scene(width, round(height, 2), tuple(items), _standings(view), _task(view))


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the tile that was added or swapped, which comes from the hand. A wild that was swapped goes to the hand."""
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
    """Return a tile of the hand and its target for each action: a cell, a tile or the pile. A button ends the turn."""
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
    """Return the action for a tile of the hand and a cell, a tile of the grid or the pile, legal or not."""
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
    """Return a step in words: `adds club, black (5b) at -1,2`."""
    if action == rules.END:
        return ("told.pass",) if view.phase == rules.CHOOSING else ("told.end",)
    kind, cell = (action - rules.TRADE, -1) if action >= rules.TRADE else divmod(action, CELLS)
    if kind == 0:
        return ("told.hidden",)
    name = kind_name(kind)
    tile = PICTURE, TILE[name], SPRITE[name], 0, ""
    if cell < 0:
        return "told.trade", tile
    return ("told.swap", tile, name_of(cell)) if view.grid[cell] else ("told.add", ("told.tile_at", tile, name_of(cell)))


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return the tile on its cell, and mark the tiles of its row and column. Trades and the end of a turn show words alone.

    An added tile also shows the lines that it makes, and in Classic and Plus its points.
    """
    told = describe(view, player, action)
    if action >= rules.TRADE:
        return Preview((), (), told)
    kind, cell = divmod(action, CELLS)
    lines = [[*_tiles_from(view, cell, step, -1), *_tiles_from(view, cell, step, 1)] for step in (beside, below)]
    is_swap = bool(view.grid[cell])
    if not is_swap:
        told = ("preview.alone",)
        lengths = sorted(len(line) + 1 for line in lines if line)
        if lengths:
            told = ("preview.line" if len(lengths) == 1 else "preview.lines", *lengths)
        if VALUES in lengths:
            told = ("preview.qinto", told)
        if view.variant != rules.LIGHT:
            after = copied(view)
            rules.apply(after, action)
            told = "preview.points", told, int(after.points[player] - view.points[player])
    target = tile_at(place_of(cell)) if is_swap else f"cell/{name_of(cell)}"
    there = next(item for item in draw(view, player).items if item.id == target)
    ghost = Item("ghost-tile", SPRITE[kind_name(kind)], there.x, there.y)
    return Preview((ghost,), tuple(tile_at(place_of(each)) for line in lines for each in line), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
    """Return the points that a tile has scored, above the tile."""
    points = sum(after.points.tolist()) - sum(before.points.tolist())
    if action >= rules.TRADE or not points:
        return ()
    there = next(item for item in scene.items if item.id == tile_at(place_of(action % CELLS)))
    return (Item("ghost-points", "", there.x, there.y, 1, 1.3, classes="gain", text=f"+{points}"),)


def reveal(state: RawPosition, view: RawPosition) -> None:
    """Copy hands and piles. They answer where wilds are, so traces are no longer shown."""
    view.held, view.paired, view.piles = state.held, state.paired, state.piles
    view.traces[:] = 0


def unit(view: RawPosition) -> str:
    """Count in tiles that are left in Light, and in points in Classic and Plus."""
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


def _table(window: Window, x: float, y: float) -> list[Item]:
    """Return the table, and the numbers of its rows and columns. Its upper left corner is at (x, y)."""
    top, left, rows, columns = window
    items = [Item("table", "qinto-table", x + columns / 2, y + rows / 2, columns, rows)]
    numbers = [name_at((0, column)).partition(",")[2] for column in range(left, left + columns)]
    items += headings("column/", numbers, ((x + n + 0.5, y - NUMBERS / 2) for n in range(columns)), 1, 0.7)
    numbers = [name_at((row, 0)).partition(",")[0] for row in range(top, top + rows)]
    items += headings("row/", numbers, ((x - NUMBERS / 2, y + n + 0.5) for n in range(rows)), 0.7, 0.7)
    return items


def _cells(view: RawPosition, top: int, left: int, x: float, y: float) -> list[Item]:
    """Return the cells next to tiles. The cell in row `top` and column `left` has its corner at (x, y)."""
    items = []
    for cell in sorted(view.rim[1 : int(view.n_rim) + 1].tolist()):
        row, column = place = place_of(cell)
        name, across, down = name_at(place), x + 0.5 + (column - left) % SIDE, y + 0.5 + (row - top) % SIDE
        items.append(Item(f"cell/{name}", "qinto-cell", across, down, 1, 1, 0, "place", ("cell", name)))
    return items


def _tiles(tiles: Mapping[Place, str], x: float, y: float) -> list[Item]:
    """Return the tiles. The middle of the place 0,0 is at (x, y)."""
    return [
        Item(tile_at(place), SPRITE[tile], x + place[1], y + place[0], label=("at", TILE[tile], name_at(place)))
        for place, tile in tiles.items()
    ]


def _frames(tiles: Mapping[Place, str], x: float, y: float) -> list[Item]:
    """Return a frame around each Q!nto. The upper left corner of the place 0,0 is at (x, y).

    No line has more than five tiles.
    """
    items = []
    for row, column in tiles:
        if (row, column + 4) in tiles and all((row, column + n) in tiles for n in (1, 2, 3)):
            name = f"qinto/row/{name_at((row, column))}"
            items.append(Item(name, "qinto-line", x + column + VALUES / 2, y + row + 0.5, VALUES))
        if (row + 4, column) in tiles and all((row + n, column) in tiles for n in (1, 2, 3)):
            name = f"qinto/column/{name_at((row, column))}"
            items.append(Item(name, "qinto-line", x + column + 0.5, y + row + VALUES / 2, VALUES, 1, 90))
    return items


# Words


def _standings(view: RawPosition) -> tuple[Standing, ...]:
    """Return the numbers of tiles that each player has left in Light. Else return the points, and the tiles in hand."""
    standings = []
    hands, piles, points = view.in_hand.tolist(), view.piled.tolist(), view.points.tolist()
    for seat in range(int(view.players)):
        facts: list[tuple[Message, Message]] = [(("heading.points",), points[seat]), (("heading.hand",), hands[seat])]
        if has_own_pile(view):
            left = hands[seat] + piles[seat]
            facts = [(("heading.left",), left), (("heading.hand",), hands[seat]), (("heading.pile",), piles[seat])]
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


def _tiles_from(view: RawPosition, cell: int, step: Callable[[int, int], int], direction: int) -> Iterator[int]:
    """Yield the cells of the tiles in a line from a cell, to one side of it."""
    distance = direction
    while view.grid[there := int(step(cell, distance))]:
        yield there
        distance += direction


def begin_turn(view: RawPosition, player: int) -> None:
    """End the present turn. After it, the wilds that its swaps brought to the grid may be swapped."""
    if view.phase == rules.SWAPPING:
        unmark(view)
    rules.begin_turn(view, player)
