"""Q!nto as a seat sees it: the grid with its rim, the own hand and pile, the backs of the others' (the plan is in `layout`).

Ids go by places of the grid, `cell/-1,2`, `tile/-1,2`, and by kinds in the own hand, `hand/5b`; what is hidden is called
by its number in the row of backs. Two equal tiles of a hand are one item with another one behind it, as they are one action.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ludoteca.core.arrays import copied
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Items, Preview, Scene, Standing, once_for
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.names import KIND_OF, cell_of, kind_name, place_of, read_place, tiles_of
from ludoteca.games.qinto.rim import CELLS, SIDE, below, beside
from ludoteca.games.qinto.tiles import VALUES
from ludoteca.games.qinto.view.layout import (
    IN_A_GROUP,
    IN_A_ROW,
    NUMBERS,
    Corner,
    frame_around,
    name_at,
    name_of,
    rows_for,
)
from ludoteca.games.qinto.view.seats import (
    SPRITE,
    TILE,
    Player,
    at_bottom,
    group,
    group_of,
    known_in_pile,
    own_of,
    players_of,
)

_kept: Final = lru_cache(maxsize=1 << 12)
"""Most of what lies on the grid stays as it is at a move."""
_kept_of_many: Final = lru_cache(maxsize=1 << 9)
"""For what is of many items: together they are to take some megabytes at most."""

MARK: Final = "last"
TASKS: Final[Mapping[int, Message]] = {
    rules.CHOOSING: ("task.choose",),
    rules.ADDING: ("task.add",),
    rules.SWAPPING: ("task.swap",),
    rules.TRADING: ("task.trade",),
}


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The grid, the others above it, and below it what `player` has; a spectator sees all players above."""
    players = int(view.players)
    others = [(player + 1 + n) % players for n in range(players - 1)] if player >= 0 else list(range(players))
    under = known_in_pile(view, player)
    laid, traces = _laid(view), tuple(view.traces.tolist())
    swapped = f"tile/{name_of(highlighted[-1] % CELLS)}" if view.phase == rules.SWAPPING and highlighted else ""
    seated = players_of(view, swapped)
    groups = [group_of(view, seated[other], traces) for other in others]
    below, piles = rows_for(len(under), IN_A_ROW), rows_for(max(len(each.pile) for each in groups), IN_A_GROUP)
    drawn = _drawn(laid, len(others), below, piles, own=player >= 0 or not has_own_pile(view))
    tiles = drawn.tiles
    if marked := list(_marked(view, player, laid, highlighted)):
        changed = list(tiles)
        for name, start in marked:
            tile, _, row, column = laid.named[number := laid.at[name]]
            changed[number] = _tile_at(tile, name, drawn.origin[0] + column, drawn.origin[1] + row, start)
        tiles = tuple(changed)
    parts = [drawn.ground, drawn.cells, tiles, drawn.lines]
    for each, spot in zip(groups, drawn.spots, strict=False):
        parts.append(group(each, *spot, drawn.group_scale))
    if drawn.own:
        own = own_of(view, seated[max(player, 0)], traces, under, watches=player < 0)
        parts += at_bottom(own, drawn.width, drawn.bottom, drawn.own_scale)
    standings = _standings(seated, tuple(view.points.tolist()))
    return Scene(drawn.width, drawn.height, Items(parts), standings, _task(view))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """A tile of the hand, and where it goes; the end of the turn is a button."""
    found = []
    for action in legal:
        if action == rules.END:
            found.append(Choice(action, (), ("button.pass" if view.phase == rules.CHOOSING else "button.end",)))
        elif action >= rules.TRADE:
            found.append(Choice(action, (f"hand/{kind_name(action - rules.TRADE)}", f"pile/{pile_of(view, player)}")))
        else:
            kind, cell = divmod(action, CELLS)
            sort = "tile" if view.grid[cell] else "cell"
            found.append(Choice(action, (f"hand/{kind_name(kind)}", f"{sort}/{name_of(cell)}")))
    return found


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """The action of a tile of the hand and a cell, a tile of the grid or the pile, legal or not."""
    hand = [name for name in touched if name.startswith("hand/")]
    places = [name for name in touched if not name.startswith("hand/")]
    if len(hand) != 1 or len(places) != 1:
        return -1
    kind = KIND_OF[hand[0].split("/")[1]]
    sort, _, place = places[0].partition("/")
    if sort in ("cell", "tile"):
        return CELLS * kind + cell_of(read_place(place))
    return rules.TRADE + kind if places[0] == f"pile/{pile_of(view, player)}" else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """`adds club, black (5b) at -1,2`."""
    if action == rules.END:
        return ("told.pass",) if view.phase == rules.CHOOSING else ("told.end",)
    if action >= rules.TRADE:
        kind = action - rules.TRADE
        return ("told.trade", _pictured(kind, TILE[kind_name(kind)])) if kind else ("told.hidden",)
    kind, cell = divmod(action, CELLS)
    if view.grid[cell]:
        return "told.swap", _pictured(kind, TILE[kind_name(kind)]), name_of(cell)
    return "told.add", ("told.tile_at", _pictured(kind, TILE[kind_name(kind)]), name_of(cell))


def _pictured(kind: int, text: Message) -> Message:
    return PICTURE, text, SPRITE[kind_name(kind)], 0, ""


def reveal(state: RawPosition, view: RawPosition) -> None:
    """The hands and the piles, so that what was known of wilds is of no use any more."""
    view.held, view.paired, view.piles = state.held, state.paired, state.piles
    view.traces[:] = 0


def unit(view: RawPosition) -> str:
    """Tiles that are left, in Light; else points."""
    return "tile" if view.variant == rules.LIGHT else "point"


# The grid


class Laid:
    """The tiles on a grid, the cells beside them, and each Q!nto: its first row and column, and whether it goes down.

    All seats see the same.
    """

    def __init__(self, tiles: dict[Place, str], rim: tuple[int, ...], quintos: list[tuple[int, int, bool]]) -> None:
        self.tiles = tiles
        self.rim = rim
        self.quintos = quintos
        self.named = [(tile, name_at(*place), *place) for place, tile in tiles.items()]
        """The tiles with the names of their places, and these."""
        self.at = {name: number for number, (_, name, _, _) in enumerate(self.named)}
        """The numbers of the tiles by the names of their places."""


@once_for(lambda view: view.grid.tobytes())
def _laid(view: RawPosition) -> Laid:
    """What lies on a grid, and where it can go on, which follows from that: the rim is one of DERIVED."""
    tiles, rim = tiles_of(view), tuple(sorted(view.rim[1 : int(view.n_rim) + 1].tolist()))
    quintos = []
    for row, column in tiles:
        across = (row, column + VALUES - 1) in tiles and (row, column - 1) not in tiles
        if across and all((row, column + n) in tiles for n in range(1, VALUES - 1)):
            quintos.append((row, column, False))
        down = (row + VALUES - 1, column) in tiles and (row - 1, column) not in tiles
        if down and all((row + n, column) in tiles for n in range(1, VALUES - 1)):
            quintos.append((row, column, True))
    return Laid(tiles, rim, quintos)


class Drawn(NamedTuple):
    """The grid within its frame, with no tile marked, and what the frame says of the other parts."""

    width: float
    height: float
    corner: Corner
    spots: tuple[tuple[float, float], ...]
    """Where the groups of the other players are; then their scale."""
    group_scale: float
    own: bool
    """True if there is a hand at the bottom; then where that begins, and its scale."""
    bottom: float
    own_scale: float
    origin: tuple[float, float]
    """The middle of the place 0,0."""
    ground: tuple[Item, ...]
    cells: tuple[Item, ...]
    tiles: tuple[Item, ...]
    lines: tuple[Item, ...]


@lru_cache(maxsize=256)
def _drawn(laid: Laid, groups: int, under: int, piles: int, *, own: bool) -> Drawn:
    """The grid in a scene with so many other players and rows of tiles. Most often it is the same for several seats."""
    frame = frame_around(laid.tiles, groups, own=own, under=under, piles=piles)
    corner = frame.corner
    table = Item("table", "qinto-table", corner.x + frame.columns / 2, corner.y + frame.rows / 2, frame.columns, frame.rows)
    lines = []
    for row, column, down in laid.quintos:
        across, along = (0.5, VALUES / 2) if down else (VALUES / 2, 0.5)
        name = f"qinto/{'column' if down else 'row'}/{name_at(row, column)}"
        at = corner.x - corner.left + column + across, corner.y - corner.top + row + along
        lines.append(Item(name, "qinto-line", *at, VALUES, 1, 90 * down))
    x, y = origin = corner.x + 0.5 - corner.left, corner.y + 0.5 - corner.top
    tiles = [_tile_at(tile, name, x + column, y + row, "") for tile, name, row, column in laid.named]
    spots = tuple(frame.group(number) for number in range(groups))
    return Drawn(
        frame.width, frame.height, corner, spots, frame.group_scale, frame.own, frame.bottom, frame.own_scale, origin,
        (table, *_numbers(frame.rows, frame.columns, corner)), _cells(laid.rim, corner), tuple(tiles), tuple(lines),
    )  # fmt: skip


@_kept_of_many
def _numbers(rows: int, columns: int, corner: Corner) -> tuple[Item, ...]:
    """Rows and columns as notation counts them: they keep their numbers whatever is added."""
    x, y = corner.x - NUMBERS / 2, corner.y - NUMBERS / 2
    items = []
    for at in range(columns):
        text = name_at(corner.left + at, 0).split(",")[0]
        items.append(Item(f"column/{text}", "", corner.x + at + 0.5, y, 1, 0.7, classes="muted", text=text))
    for at in range(rows):
        text = name_at(corner.top + at, 0).split(",")[0]
        items.append(Item(f"row/{text}", "", x, corner.y + at + 0.5, 0.7, 0.7, classes="muted", text=text))
    return tuple(items)


@_kept_of_many
def _cells(rim: Sequence[int], corner: Corner) -> tuple[Item, ...]:
    """The cells beside tiles, where one can be added."""
    return tuple(_cell(cell, corner) for cell in rim)


@_kept
def _cell(cell: int, corner: Corner) -> Item:
    name, (row, column) = name_of(cell), place_of(cell)
    x, y = corner.x + 0.5 + (column - corner.left) % SIDE, corner.y + 0.5 + (row - corner.top) % SIDE
    return Item(f"cell/{name}", "qinto-cell", x, y, classes="place", label=("cell", name))


def _marked(view: RawPosition, player: int, laid: Laid, highlighted: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The names of the places of tiles that were played last, and where they come from in the hand of their player."""
    played = {name_of(action % CELLS) for action in highlighted if 0 <= action < rules.TRADE}
    mover = int(view.mover)
    if rules.is_terminal(view):
        mover = next((seat for seat in range(int(view.players)) if not view.in_hand[seat]), 0)
    back = f"back/{mover}/{view.in_hand[mover]}"
    for name in played & laid.at.keys():
        yield name, f"hand/{laid.named[laid.at[name]][0]}" if mover == player else back


@_kept
def _tile_at(tile: str, name: str, x: float, y: float, start: str) -> Item:
    """A tile; one that has just been played is marked, and comes from somewhere."""
    mark = MARK if start else ""
    return Item(f"tile/{name}", SPRITE[tile], x, y, classes=mark, label=("at", TILE[tile], name), start=start)


# What is said


@_kept_of_many
def _standings(seated: Sequence[Player], points: Sequence[int]) -> tuple[Standing, ...]:
    """In Light the tiles that each player has left; else the points, and the tiles in hand."""
    standings = []
    for player in seated:
        facts: list[tuple[Message, Message]] = [(("heading.hand",), player.hand)]
        if player.has_own:
            facts = [(("heading.left",), player.hand + player.pile), *facts, (("heading.pile",), player.pile)]
        else:
            facts = [(("heading.points",), points[player.seat]), *facts]
        standings.append(Standing(player.seat, tuple(facts), f"qinto-seat-{player.seat}"))
    return tuple(standings)


def _task(view: RawPosition) -> Message:
    """The task of the mover; at the end, the winners, and why it is over."""
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


# Previews


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Nothing but words for trading tiles and for the end of a turn."""
    told = describe(view, player, action)
    if action >= rules.TRADE:
        return Preview((), (), told)
    kind, cell = divmod(action, CELLS)
    is_swap = bool(view.grid[cell])
    touched = f"{'tile' if is_swap else 'cell'}/{name_of(cell)}"
    there = next(item for item in draw(view, player, ()).items if item.id == touched)
    ghost = Item("ghost-tile", SPRITE[kind_name(kind)], there.x, there.y)
    lines = [list(_beside(view, cell, step)) for step in (beside, below)]
    if not is_swap:
        told = _worth(view, player, action, sorted(len(line) + 1 for line in lines if line))
    return Preview((ghost,), tuple(f"tile/{name_of(each)}" for line in lines for each in line), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
    """The points that a tile has brought, upon it."""
    points = sum(after.points.tolist()) - sum(before.points.tolist())
    if action >= rules.TRADE or not points:
        return ()
    there = next(item for item in scene.items if item.id == f"tile/{name_of(action % CELLS)}")
    return (Item("ghost-points", "", there.x, there.y, 1, 1.3, classes="gain", text=f"+{points}"),)


def _beside(view: RawPosition, cell: int, step: Callable[[int, int], int]) -> Iterator[int]:
    """The cells of the tiles that lie in one line with a cell, on both of its sides."""
    for direction in (-1, 1):
        distance = direction
        while view.grid[next_one := int(step(cell, distance))]:
            yield next_one
            distance += direction


def _worth(view: RawPosition, player: int, action: int, lengths: list[int]) -> Message:
    """The lines that a tile makes, and in Classic and Plus its points."""
    told: Message = ("preview.alone",)
    if lengths:
        told = ("preview.line" if len(lengths) == 1 else "preview.lines", *lengths)
    if VALUES in lengths:
        told = ("preview.qinto", told)
    if view.variant == rules.LIGHT:
        return told
    after = copied(view)
    rules.apply(after, action)
    return "preview.points", told, int(after.points[player] - view.points[player])
