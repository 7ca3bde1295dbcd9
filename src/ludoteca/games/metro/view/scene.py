"""Metro as items: the board with tiles, and over them the tracks that trains travel, each in its owner's colour.

    space-X-Y    tile-X-Y       a free space, a tile lying there
    track-X-Y-S                 the track that enters a tile across side S, once a train travels it
    train-N      home-N         a train, at home or at the station where it has arrived; the home of one that is away
    turn-7R2     name-7R2       the tile to be placed, in each of its rotations, and what that is called
    hand-P                      the tile that a player keeps

Around the board lies a ring of cells with the trains' homes and the outer stations; below it the tiles that are not placed.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Items, Preview, Scene, Standing, once_a_view
from ludoteca.games.metro import board, rules, tiles
from ludoteca.games.metro.board import DECLINE, FACE, NOBODY, Place, action_of, space_of
from ludoteca.games.metro.notation import face_name, kind_name
from ludoteca.games.metro.paths import TracedPath, Trail, path_along, trails_over, trains_of
from ludoteca.games.metro.tiles import EAST, NORTH, SOUTH, WEST

MARGIN: Final = 0.45
"""From the picture's edge to the ring, above and to the left, where the numbers of columns and rows are."""
EDGE: Final = 0.05
TRAY: Final = 1.5
"""The height of the strip below the board."""

TRAIN: Final = 0.42
TRAIN_AT: Final = (-0.2, 0.24)
STATION_AT: Final = (0.18, -0.24)
"""From the middle of a cell of the ring, above the board: where a train waits, and where the station is."""
DEPTH: Final = 0.25
ASIDE: Final = 0.18
"""The stations in the centre: how far inside, and how far beside the middle of the space's side."""

TURN_PITCH: Final = 1.1
HAND: Final = 0.68
HAND_PITCH: Final = 0.76
STACK: Final = 0.9

TURNED: Final = {NORTH: 0, EAST: 90, SOUTH: 180, WEST: 270}
COLOURS: Final = 10
ENDLESS: Final = "∞"
DOUBLE: Final = "×2"
SPACES: Final = 1
"""The first part of the items that are spaces, free or not; each has as many as a side of the board, in their order."""

Point = tuple[float, float]


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
    """The same for everybody: tiles in hand lie open."""
    scene, items = _board(view)
    last = {space_of(action) for action in highlighted if 0 <= action < DECLINE}
    side, lit = int(view.side), {}
    for space in last:
        row, place = divmod(space, side)
        lit[SPACES + row, place] = cell_item(side, space, int(view.faces[space]), last=True)
    return Scene(scene.width, scene.height, items.replaced(lit), scene.standings, scene.task) if lit else scene


@once_a_view
def _board(view: RawPosition) -> tuple[Scene, Items]:
    """The scene in which nothing is highlighted, and its items."""
    side, players = int(view.side), int(view.players)
    travels = travels_over(side, players, view.faces.tobytes())
    width = MARGIN + side + 2 + EDGE
    tray = width + TRAY / 2
    faces = view.faces.tolist()[: board.number_of_spaces(side)]
    rows = [_cells(side, first, tuple(faces[first : first + side])) for first in range(0, len(faces), side)]
    parts = [_ground(side), *rows, *travels.track_parts, travels.trains]
    from_stack = players == 1 or view.mover < 0 or view.hands[view.mover] != tiles.NONE
    start = "stack" if from_stack else f"hand-{view.mover}"
    for at, face in enumerate(_faces(int(view.tile))):
        parts.append(_turn(MARGIN + 0.6 + TURN_PITCH * at, tray, face, start))
    if players > 1:
        for seat, kind in enumerate(view.hands.tolist()[:players]):
            parts.append(_hand(seat, kind, width - STACK - 0.55 - HAND_PITCH * (players - 1 - seat), tray))
    left = int(view.stacked)
    label, text = (("stack.endless",), ENDLESS) if view.endless else (("stack", left), str(left))
    parts.append((Item("stack", "stack", width - 0.6, tray, STACK, STACK, classes="stack", label=label, text=text),))
    items = Items(parts)
    return Scene(width, width + TRAY, items, _standings(view, travels.paths), _task(view, travels.paths)), items


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """The tile is touched as it is to lie, then a space; the space alone when the tile cannot be turned."""
    side, turns = int(view.side), len(_faces(int(view.tile))) > 1
    return [_choice(side, turns, action) for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """A space, and the tile as it is touched; or the space alone, where the tile has no place however it is turned."""
    side, faces = int(view.side), _faces(int(view.tile))
    spaces = [space for name, space in _named(side).items() if name in touched]
    turns = [face for face in faces if f"turn-{face_name(face)}" in touched]
    if len(spaces) != 1 or len(spaces) + len(turns) != len(touched) or len(turns) > 1 or not faces:
        return -1
    actions = [action_of(spaces[0], face) for face in turns or faces]
    if not turns and len(faces) > 1 and any(_is_legal(view, action) for action in actions):
        return -1
    exact = _choice(side, len(faces) > 1, actions[0]).touches
    return actions[0] if len(exact) == len(touched) or not _is_legal(view, actions[0]) else -1


def describe(view: RawPosition, player: int, action: int) -> Message:
    """The tile, where it goes, and the points that it brings."""
    if action == DECLINE:
        return "told.declines", _kind_pictured(view.tile)
    space, face = space_of(action), action & FACE
    points = Counter[int]()
    for owner, path in arrivals(int(view.side), int(view.players), view.faces.tobytes(), faces_after(view, action)):
        points[owner] += path.points
    gains = [("told.gain", (SEAT, owner), points[owner]) for owner in sorted(points)]
    placed = ("told.tile_at", _pictured(face, face_name(face)), *board.place_of(int(view.side), space))
    if not gains:
        return "told.places", placed
    return "told.scores", placed, ("told.points", points[0]) if view.players == 1 else (LIST, *gains)


def faces_after(view: RawPosition, action: int) -> bytes:
    """The oriented tiles on the board, by space, with that of an action."""
    faces = bytearray(view.faces.tobytes())
    faces[space_of(action)] = action & FACE
    return bytes(faces)


# Where things are


def _at(place: Place) -> Point:
    """The middle of a cell: of a space, or of the ring around the board."""
    return MARGIN + place[0] + 0.5, MARGIN + place[1] + 0.5


def _in_ring(place: Place, across: int, offset: Point) -> Point:
    """A point in a cell of the ring across a side of the board; the offset is given for a cell above the board."""
    (x, y), (right, down) = _at(place), offset
    turned = {NORTH: (right, down), EAST: (-down, right), SOUTH: (-right, -down), WEST: (down, -right)}[across]
    return x + turned[0], y + turned[1]


def _angle(times: int) -> int:
    """The clockwise angle of what is turned so many times counter-clockwise."""
    return (360 - 90 * times) % 360


@cache
def _named(side: int) -> dict[str, int]:
    """The spaces by the ids of their items, free or not."""
    places = enumerate(board.spaces(side))
    return {f"{what}-{x}-{y}": space for space, (x, y) in places for what in ("space", "tile")}


# The board


@cache
def _ground(side: int) -> tuple[Item, ...]:
    """The items that never change."""
    middle = MARGIN + 1 + side / 2
    items = [
        Item("plate", "plate", middle, middle, side + 0.12, side + 0.12),
        Item("centre", "centre", middle, middle, 2, 2, classes="centre", label=("centre",), text=DOUBLE),
    ]
    for number, train in enumerate(trains_of(side), 1):
        items.append(Item(f"gate-{number}", "gate", *_at(train.outside), angle=TURNED[train.side]))
    for at in range(1, side + 1):
        along, before = MARGIN + at + 0.5, MARGIN / 2 + 0.05
        items.append(Item(f"column-{at}", "", along, before, 0.6, 0.6, classes="muted", text=str(at)))
        items.append(Item(f"row-{at}", "", before, along, 0.6, 0.6, classes="muted", text=str(at)))
    return tuple(items)


@cache
def cell_item(side: int, space: int, face: int, last: bool) -> Item:
    """A free space, or the tile lying there, which comes from where it was offered."""
    x, y = board.place_of(side, space)
    if not face:
        return Item(f"space-{x}-{y}", "space", *_at((x, y)), classes="place", label=("space.free", x, y))
    tile, times = tiles.FACES[face - 1]
    name, classes = face_name(face), "last" if last else ""
    label, start = ("space.tile", x, y, name), f"turn-{name}"
    return Item(f"tile-{x}-{y}", f"tile-{tile}", *_at((x, y)), 1, 1, _angle(times), classes, label, start=start)


@lru_cache(maxsize=1 << 12)
def _cells(side: int, first: int, faces: Sequence[int]) -> tuple[Item, ...]:
    """Spaces in their order, with what lies on them; most stay as they are at a move."""
    return tuple(cell_item(side, space, face, last=False) for space, face in enumerate(faces, first))


# Trains and what they travel


class Travels(NamedTuple):
    """All that follows from the tiles on the board alone."""

    trails: list[Trail]
    travels: list["Travel"]
    """By train, as the trails are."""
    paths: list[TracedPath]
    track_parts: tuple[tuple[Item, ...], ...]
    """By train: those of open paths, then those of closed ones, above them. What closes leaves the others where they are."""
    trains: tuple[Item, ...]


class _Board:
    """The tiles on a board, with what was travelled before the last of them was laid, where that is known."""

    __slots__ = ("before", "known")

    def __init__(self, side: int, players: int, faces: bytes, before: Travels | None) -> None:
        self.known = side, players, faces
        self.before = before

    def __hash__(self) -> int:
        return hash(self.known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Board) and self.known == other.known


def travels_over(side: int, players: int, faces: bytes, before: Travels | None = None) -> Travels:
    """The paths, their tracks, those of closed paths above the others, and the trains. It is the same for all seats.

    It is found out sooner where it is known what was travelled `before` the last tile was laid.
    """
    return _travels(_Board(side, players, faces, before))


@lru_cache(maxsize=256)
def _travels(board: _Board) -> Travels:
    (side, players, faces), before = board.known, board.before
    trails = trails_over(side, faces, before.trails if before else None)
    if before is None:
        every = [_travel(side, players, number, trail.route) for number, trail in enumerate(trails, 1)]
    else:
        every = [
            travel if trail is old else _travel(side, players, number, trail.route)
            for number, (trail, old, travel) in enumerate(zip(trails, before.trails, before.travels, strict=True), 1)
        ]
    return Travels(
        trails,
        every,
        [travel.path for travel in every if travel.path.steps],
        (*[travel.open_tracks for travel in every], *[travel.closed_tracks for travel in every]),
        tuple(chain.from_iterable([travel.train for travel in every])),
    )


@lru_cache(maxsize=256)
def arrivals(side: int, players: int, before: bytes, after: bytes) -> tuple[tuple[int, TracedPath], ...]:
    """The paths that have closed between two boards and are paid, with their owners."""
    earlier, owners = travels_over(side, players, before), board.owners(side, players)
    closed = {path.number for path in earlier.paths if path.closed}
    paths = travels_over(side, players, after, earlier).paths
    arrived = [path for path in paths if path.closed and path.number not in closed]
    return tuple((owners[path.number - 1], path) for path in arrived if owners[path.number - 1] != NOBODY)


class Travel(NamedTuple):
    """What a train travels, and the train; with its home when it is away."""

    path: TracedPath
    open_tracks: tuple[Item, ...]
    """The tracks of a path that is open; none of a closed one."""
    closed_tracks: tuple[Item, ...]
    train: tuple[Item, ...]


@lru_cache(maxsize=1 << 12)
def _travel(side: int, players: int, number: int, route: bytes) -> Travel:
    """All that follows from the tiles that a train travels. Most travels stay as they are at a move."""
    path, owner = path_along(side, number, route), board.owners(side, players)[number - 1]
    colour = "" if owner == NOBODY else f"player-{owner}"
    if players == 1:
        colour = f"player-{(number - 1) % COLOURS}"
    classes = f"{colour} of-train-{number}{' closed' if path.closed else ''}".strip()
    further = [(step.left - step.entered) % tiles.SIDES for step in path.steps]
    tracks = tuple(_track(step.place, step.entered, by, classes) for step, by in zip(path.steps, further, strict=True))
    items: list[Item] = []
    at = _in_ring(path.train.outside, path.train.side, TRAIN_AT)
    if path.closed:
        home = f"home of-train-{number} {colour}".strip()
        items.append(Item(f"home-{number}", "home", *at, TRAIN, TRAIN, classes=home, text=str(number)))
        left = path.steps[-1].left
        across, offset = (left ^ 2, (-ASIDE, DEPTH - 0.5)) if path.central else (left, STATION_AT)
        at = _in_ring(path.end, across, offset)
    own = colour if path.steps or players > 1 else ""
    label = _train_label(path)
    if players > 1:
        label = ("train.nobodys", label) if owner == NOBODY else ("train.of", label, (SEAT, owner))
    sprite, classes = ("train-none", "train") if owner == NOBODY else (f"train-{owner}", f"train on-player {own}".strip())
    items.append(Item(f"train-{number}", sprite, *at, TRAIN, TRAIN, classes=classes, label=label, text=str(number)))
    opened, closed = ((), tracks) if path.closed else (tracks, ())
    return Travel(path, opened, closed, tuple(items))


@lru_cache(maxsize=1 << 13)
def _track(place: Place, entered: int, further: int, classes: str) -> Item:
    return Item(f"track-{place[0]}-{place[1]}-{entered}", f"track-{further}", *_at(place), 1, 1, _angle(entered), classes)


def _train_label(path: TracedPath) -> Message:
    if not path.steps:
        return ("train.waiting", path.number)
    if path.closed:
        return ("train.centre" if path.central else "train.arrived", path.number, path.points)
    return ("train.open", path.number, len(path.steps))


# Tiles that are not placed


@cache
def _faces(kind: int) -> list[int]:
    """The tile to be placed, in its rotations."""
    return [] if kind == tiles.NONE else [int(tiles.FACE_OF[kind, times]) for times in tiles.rotations(kind)]


@cache
def _turn(x: float, y: float, face: int, start: str) -> tuple[Item, Item]:
    """The tile in one of its rotations, and its name below."""
    tile, times = tiles.FACES[face - 1]
    name = face_name(face)
    offered = Item(f"turn-{name}", f"tile-{tile}", x, y - 0.1, 1, 1, _angle(times), "turn", ("turn", name), start=start)
    return offered, Item(f"name-{name}", "", x, y + 0.57, 0.5, 0.5, classes="muted code", text=name)


@cache
def _hand(seat: int, kind: int, x: float, y: float) -> tuple[Item, ...]:
    """The tile that a player keeps, if any, below the sign of the player."""
    slot = Item(f"slot-{seat}", "slot", x, y + 0.12, HAND, HAND)
    sign = Item(f"sign-{seat}", f"train-{seat}", x, y - 0.42, 0.3, 0.3, classes=f"player-{seat}")
    if kind == tiles.NONE:
        return slot, sign
    tile, times = tiles.FACES[int(tiles.FACE_OF[kind, tiles.rotations(kind)[0]]) - 1]
    label = ("hand", (SEAT, seat), kind_name(kind))
    kept = Item(f"hand-{seat}", f"tile-{tile}", x, y + 0.12, HAND, HAND, _angle(times), label=label, start="stack")
    return slot, kept, sign


# What is touched


@cache
def _choice(side: int, turns: bool, action: int) -> Choice:
    if action == DECLINE:
        return Choice(action, (), ("choice.decline",))
    x, y = board.place_of(side, space_of(action))
    space = f"space-{x}-{y}"
    return Choice(action, (f"turn-{face_name(action & FACE)}", space) if turns else (space,))


def _is_legal(view: RawPosition, action: int) -> bool:
    times = tiles.FACES[(action & FACE) - 1][1]
    word, bit = divmod(space_of(action), board.WORD)
    return bool(rules.places(view, word, times) >> bit & 1)


# Words


def _pictured(face: int, text: Message) -> Message:
    tile, times = tiles.FACES[face - 1]
    return PICTURE, text, f"tile-{tile}", _angle(times), ""


def _kind_pictured(kind: int) -> Message:
    return _pictured(_faces(int(kind))[0], kind_name(kind))


def _standings(view: RawPosition, paths: Sequence[TracedPath]) -> tuple[Standing, ...]:
    """The points of each player, and how many of their trains have arrived."""
    players, points = int(view.players), view.points.tolist()
    owners = board.owners(int(view.side), players)
    arrived = [owners[path.number - 1] for path in paths if path.closed]
    standings = []
    for player in range(players):
        trains: Message = ("standing.of", arrived.count(player), owners.count(player))
        facts = ((("standing.points",), points[player]), (("standing.arrived",), trains))
        standings.append(Standing(player, facts, f"train-{player}"))
    return tuple(standings)


def _task(view: RawPosition, paths: Sequence[TracedPath]) -> Message:
    """The task of the mover; at the end, the winners."""
    if not rules.is_terminal(view):
        task = "task.turn" if len(_faces(int(view.tile))) > 1 else "task.place"
        decline = "_or_decline" if rules.may_decline(view) else ""
        return f"{task}{decline}", _kind_pictured(view.tile)
    if view.players == 1:
        closed = [path for path in paths if path.closed]
        return "ending.alone", int(view.points[0]), len(closed), sum(path.central for path in closed)
    won = int(rules.winners(view))
    best = [player for player in range(int(view.players)) if won >> player & 1]
    names = (LIST, *((SEAT, player) for player in best))
    return "ending.won" if len(best) == 1 else "ending.shared", names, int(view.points[best[0]])


# Previews

GAIN: Final = 1.0
"""Twice the height of the numbers."""


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Marked are the trains that would arrive, where they are now. Nothing but words for declining the tile."""
    told = describe(view, player, action)
    if action == DECLINE:
        return Preview((), (), told)
    side, players = int(view.side), int(view.players)
    before = travels_over(side, players, view.faces.tobytes())
    after = travels_over(side, players, faces_after(view, action), before)
    tracks, places = set(chain.from_iterable(before.track_parts)), {train.id: (train.x, train.y) for train in before.trains}
    arriving = [train for train in after.trains if places.get(train.id) != (train.x, train.y)]
    shown = [cell_item(side, space_of(action), action & FACE, last=False)]
    shown += [track for track in chain.from_iterable(after.track_parts) if track not in tracks]
    shown += arriving
    ghosts = tuple(replace(item, id=f"ghost-{item.id}", label="", start="") for item in shown)
    return Preview(ghosts, tuple(train.id for train in arriving if train.id in places), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
    """The points that trains have brought, beside those that have arrived."""
    side, players = int(after.side), int(after.players)
    faces = after.faces.tobytes()
    arrived = arrivals(side, players, before.faces.tobytes(), faces)
    trains = {item.id: item for item in travels_over(side, players, faces).trains} if arrived else {}
    return [
        Item(f"gain-{path.number}", "", *_within(scene, train), 1, GAIN, classes="gain", text=f"+{path.points}")
        for _, path in arrived
        for train in [trains[f"train-{path.number}"]]
    ]


def _within(scene: Scene, train: Item) -> tuple[float, float]:
    """The place of a train, or the nearest one at which a number is seen whole."""
    return min(max(train.x, GAIN / 2), scene.width - GAIN / 2), min(max(train.y, GAIN / 2), scene.height - GAIN / 2)
