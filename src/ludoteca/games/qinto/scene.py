"""Q!nto as a seat sees it: the grid with its rim, one's own hand and pile, the backs of the others' (`layout` has the plan).

Ids go by places of the grid, `cell/-1,2`, `tile/-1,2`, and by kinds in one's own hand, `hand/5b`; what is hidden is called
by its number in the row of backs. Two equal tiles of a hand are one item with another one behind it, as they are one action.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, SEAT, Message
from ludoteca.core.scene import Choice, Item, Scene, Standing
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.guide import GUIDE as GUIDE  # part of what a scene has
from ludoteca.games.qinto.guide import GUIDE_PARAMETERS as GUIDE_PARAMETERS
from ludoteca.games.qinto.hidden import has_own_pile, pile_of
from ludoteca.games.qinto.layout import NUMBERS, Corner, Frame, frame_around, name_at, name_of
from ludoteca.games.qinto.names import KIND_OF, cell_of, kind_name, read_place, tiles_on
from ludoteca.games.qinto.positions import traces_of
from ludoteca.games.qinto.rim import CELLS, SIDE
from ludoteca.games.qinto.seats import (
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
from ludoteca.games.qinto.tiles import VALUES

_kept: Final = lru_cache(maxsize=1 << 13)
"""Most of what lies on the grid stays as it is at a move."""

MARK: Final = "last"
BUTTON: Final[Mapping[bool, Message]] = {True: ("button.pass",), False: ("button.end",)}
TASKS: Final[Mapping[int, Message]] = {
    rules.CHOOSING: ("task.choose",),
    rules.ADDING: ("task.add",),
    rules.SWAPPING: ("task.swap",),
    rules.TRADING: ("task.trade",),
}


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The grid, the others above it, and below it what `player` has; who watches sees all players above."""
    tiles, lines = _laid(view.grid.tobytes())
    players = int(view.players)
    others = [(player + 1 + n) % players for n in range(players - 1)] if player >= 0 else list(range(players))
    under = known_in_pile(view, player)
    frame = frame_around(tiles, len(others), own=player >= 0 or not has_own_pile(view), under=bool(under))
    items = [
        Item("table", "qinto-table", *_middle(frame), frame.columns, frame.rows),
        *_numbers(frame),
        *_cells(tuple(view.rim[1 : int(view.n_rim) + 1].tolist()), frame.corner),
        *_tiles(view, player, frame, tiles, highlighted),
        *(_line(frame, *line) for line in lines),
    ]
    swapped = f"tile/{name_of(highlighted[-1] % CELLS)}" if view.phase == rules.SWAPPING and highlighted else ""
    found, seated = traces_of(view), players_of(view, swapped)
    for number, other in enumerate(others):
        items += group(group_of(seated[other], found), *frame.group(number), frame.group_scale)
    if frame.own:
        own = own_of(view, seated[max(player, 0)], found, under, watches=player < 0)
        items += at_bottom(own, frame.width, frame.bottom, frame.own_scale)
    standings = tuple(_standing(view, each) for each in seated)
    return Scene(frame.width, frame.height, tuple(items), standings, _task(view))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    """A tile of the hand, and where it goes; the end of the turn is a button."""
    pile, grid = f"pile/{pile_of(view, player)}", view.grid
    return [_choice(action, pile, grid, int(view.phase)) for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """What a tile of the hand and a cell, a tile of the grid or the pile would be."""
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
        return ("told.trade", TILE[kind_name(kind)]) if kind else ("told.hidden",)
    kind, cell = divmod(action, CELLS)
    return ("told.swap" if view.grid[cell] else "told.add", TILE[kind_name(kind)], name_of(cell))


def _choice(action: int, pile: str, grid: Sequence[int], phase: int) -> Choice:
    if action == rules.END:
        return Choice(action, (), BUTTON[phase == rules.CHOOSING])
    if action >= rules.TRADE:
        return Choice(action, (f"hand/{kind_name(action - rules.TRADE)}", pile))
    kind, cell = divmod(action, CELLS)
    sort = "tile" if grid[cell] else "cell"
    return Choice(action, (f"hand/{kind_name(kind)}", f"{sort}/{name_of(cell)}"))


# The grid


@lru_cache(maxsize=256)
def _laid(grid: bytes) -> tuple[dict[Place, str], list[tuple[int, int, bool]]]:
    """The tiles, and each Q!nto: its first row and column, and whether it goes down. It is the same for all seats."""
    tiles = tiles_on(np.frombuffer(grid, np.int8))
    return tiles, [(*place, down) for place in tiles for down in (False, True) if _begins_line(tiles, place, down=down)]


def _begins_line(tiles: Mapping[Place, str], place: Place, *, down: bool) -> bool:
    """True if five tiles lie there in a row or a column, of which this is the first."""
    row, column = place
    line = [(row + n, column) if down else (row, column + n) for n in range(-1, VALUES)]
    return line[0] not in tiles and all(at in tiles for at in line[1:])


def _middle(frame: Frame) -> tuple[float, float]:
    return frame.grid_left + frame.columns / 2, frame.grid_top + frame.rows / 2


@_kept
def _numbers(frame: Frame) -> tuple[Item, ...]:
    """Rows and columns as notation counts them: they keep their numbers whatever is added."""
    return tuple(_numbered(frame))


def _numbered(frame: Frame) -> Iterator[Item]:
    x, y = frame.grid_left - NUMBERS / 2, frame.grid_top - NUMBERS / 2
    for at in range(frame.columns):
        text = name_at(frame.left + at, 0).split(",")[0]
        yield Item(f"column/{text}", "", frame.grid_left + at + 0.5, y, 1, 0.7, classes="muted", text=text)
    for at in range(frame.rows):
        text = name_at(frame.top + at, 0).split(",")[0]
        yield Item(f"row/{text}", "", x, frame.grid_top + at + 0.5, 0.7, 0.7, classes="muted", text=text)


@_kept
def _cells(rim: Sequence[int], corner: Corner) -> tuple[Item, ...]:
    """The cells beside tiles, where one can be added."""
    return tuple(_cell(cell, corner) for cell in sorted(rim))


@_kept
def _cell(cell: int, corner: Corner) -> Item:
    name, row, column = name_of(cell), cell // SIDE - SIDE // 2 - corner.top, cell % SIDE - SIDE // 2 - corner.left
    x, y = corner.x + 0.5 + column % SIDE, corner.y + 0.5 + row % SIDE
    return Item(f"cell/{name}", "qinto-cell", x, y, label=("cell", name))


def _tiles(
    view: RawPosition, player: int, frame: Frame, tiles: Mapping[Place, str], highlighted: Sequence[int]
) -> Iterator[Item]:
    """The tiles; those that were played last come from a hand."""
    x, y = frame.grid_left + 0.5 - frame.left, frame.grid_top + 0.5 - frame.top
    marked = {name_of(action % CELLS) for action in highlighted if 0 <= action < rules.TRADE}
    for (row, column), tile in tiles.items():
        name = name_at(row, column)
        mark, start = (MARK, _hand_before(view, player, tile)) if name in marked else ("", "")
        yield _tile(tile, name, x + column, y + row, mark, start)


@_kept
def _tile(tile: str, name: str, x: float, y: float, mark: str, start: str) -> Item:
    return Item(f"tile/{name}", SPRITE[tile], x, y, classes=mark, label=("at", TILE[tile], name), start=start)


def _hand_before(view: RawPosition, player: int, tile: str) -> str:
    """Where a tile was in the hand of whoever has just played it."""
    mover = int(view.mover)
    if rules.is_terminal(view):
        mover = next((seat for seat in range(int(view.players)) if not view.in_hand[seat]), 0)
    return f"hand/{tile}" if mover == player else f"back/{mover}/{view.in_hand[mover]}"


def _line(frame: Frame, row: int, column: int, down: bool) -> Item:
    """A frame around a Q!nto."""
    across, along = (0.5, VALUES / 2) if down else (VALUES / 2, 0.5)
    x, y = frame.grid_left - frame.left + column + across, frame.grid_top - frame.top + row + along
    name = f"qinto/{'column' if down else 'row'}/{name_at(row, column)}"
    return Item(name, "qinto-line", x, y, VALUES, 1, 90 * down)


# What is said


def _standing(view: RawPosition, player: Player) -> Standing:
    seat, sign = player.seat, f"qinto-seat-{player.seat}"
    hand: tuple[Message, Message] = (("heading.hand",), player.hand)
    if player.has_own:
        return Standing(seat, ((("heading.left",), player.hand + player.pile), hand, (("heading.pile",), player.pile)), sign)
    return Standing(seat, ((("heading.points",), int(view.points[seat])), hand), sign)


def _task(view: RawPosition) -> Message:
    if rules.is_terminal(view):
        return _ending(view)
    task = TASKS[int(view.phase)]
    if view.again:
        task = ("task.again", task)
    players, idle = int(view.players), int(view.idle)
    left = int(view.rounds) * players - idle
    return ("task.idle", task, left) if idle and left <= 2 * players and view.phase != rules.ADDING else task


def _ending(view: RawPosition) -> Message:
    """Who wins, and why it is over."""
    seats, won = range(int(view.players)), int(rules.winners(view))
    last = next((seat for seat in seats if rules.tiles_left(view, seat) == 0), None)
    if last is not None and won == 1 << last:
        return ("end.out", (SEAT, last))
    best = [(SEAT, seat) for seat in seats if won >> seat & 1]
    result: Message = ("end.alone", best[0]) if len(best) == 1 else ("end.shared", (LIST, *best))
    return ("end.last", (SEAT, last), result) if last is not None else ("end.idle", result)
