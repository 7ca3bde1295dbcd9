"""Metro as items: the board with tiles, and over them the tracks that trains travel, each in its owner's colour.

    space-X-Y    tile-X-Y       a free space, a tile lying there
    track-X-Y-S                 on a tile, the track that enters across side S, once a train travels it
    train-N      home-N         a train, at the station where it has arrived or else at home; its home when it is away
    turn-7R2     name-7R2       the tile to be placed, in each of its rotations, and what that is called
    hand-P                      the tile that a player keeps

Around the board lies a ring of cells with the trains' homes and the outer stations; below it the tiles that are not placed.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from ludoteca.core.contract import RawPosition, struct_dtype
from ludoteca.core.messages import LIST, SEAT, Message
from ludoteca.core.scene import Choice, Item, Scene, Standing
from ludoteca.games.metro import board, rules, tiles
from ludoteca.games.metro.actions import DECLINE, FACE, action_of, space_of
from ludoteca.games.metro.board import NOBODY, Place, Train
from ludoteca.games.metro.notation import face_name, kind_name
from ludoteca.games.metro.paths import Path, paths_over, trains_of
from ludoteca.games.metro.tiles import EAST, NORTH, SOUTH, WEST

START: Final = 0.45
"""From the picture's edge to the ring, above and to the left, where the numbers of columns and rows are."""
END: Final = 0.05
TRAY: Final = 1.5
"""How high is what lies below the board."""

TRAIN: Final = 0.42
WAITING: Final = (-0.2, 0.24)
ARRIVED: Final = (0.18, -0.24)
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

Point = tuple[float, float]


def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:  # noqa: ARG001  # nobody knows more than the others
    """Everybody sees the same: tiles in hand lie open."""
    side = int(view.side)
    travels = _travels(side, int(view.players), view.faces.tobytes())
    width, height = _size(side)
    items = (
        *_ground(side),
        *_tiles(view, {space_of(action) for action in highlighted if 0 <= action < DECLINE}),
        *travels.tracks,
        *travels.trains,
        *_turns(view),
        *_hands(view),
        _stack(side, int(view.stacked), bool(view.endless)),
    )
    return Scene(width, height, items, _standings(view, travels.paths), _task(view, travels.paths))


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:  # noqa: ARG001
    """A tile is touched as it is to lie, and a space; the space alone when the tile cannot be turned."""
    side, turns = int(view.side), len(_faces(view)) > 1
    return [_choice(side, turns, action) for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:  # noqa: ARG001
    """A space, and the tile as it is touched; also the space alone, where the tile has no place however it is turned."""
    side, faces = int(view.side), _faces(view)
    spaces = [space for name, space in _named(side).items() if name in touched]
    turns = [face for face in faces if _turn_name(face) in touched]
    if len(spaces) != 1 or len(spaces) + len(turns) != len(touched) or len(turns) > 1 or not faces:
        return -1
    actions = [action_of(spaces[0], face) for face in turns or faces]
    if not turns and len(faces) > 1 and any(_is_legal(view, action) for action in actions):
        return -1
    exact = _choice(side, len(faces) > 1, actions[0]).touches
    return actions[0] if len(exact) == len(touched) or not _is_legal(view, actions[0]) else -1


def describe(view: RawPosition, player: int, action: int) -> Message:  # noqa: ARG001
    """The tile, where it goes, and what it brings to whom."""
    if action == DECLINE:
        return "told.declines", kind_name(view.tile)
    x, y = board.place_of(int(view.side), space_of(action))
    gains = _gains(view, action)
    if not gains:
        return "told.places", face_name(action & FACE), x, y
    if view.players == 1:
        return "told.scores", face_name(action & FACE), x, y, ("told.points", gains[0])
    won = [("told.gain", (SEAT, owner), points) for owner, points in gains.items()]
    return "told.scores", face_name(action & FACE), x, y, (LIST, *won)


# Where things are


@cache
def _size(side: int) -> Point:
    width = START + side + 2 + END
    return width, width + TRAY


def _at(place: Place) -> Point:
    """The middle of a cell: of a space, or of the ring around the board."""
    return START + place[0] + 0.5, START + place[1] + 0.5


def _in_ring(place: Place, across: int, offset: Point) -> Point:
    """A point in a cell of the ring, across that side of the board; the offset is that of a cell above the board."""
    (x, y), (right, down) = _at(place), offset
    turned = {NORTH: (right, down), EAST: (-down, right), SOUTH: (-right, -down), WEST: (down, -right)}[across]
    return x + turned[0], y + turned[1]


def _in_centre(place: Place, across: int) -> Point:
    """The station on that side of a space of the centre, where those who enter it keep to the right."""
    return _in_ring(place, across, (-ASIDE, DEPTH - 0.5))


def _angle(times: int) -> int:
    """Of what is turned so many times counter-clockwise."""
    return (360 - 90 * times) % 360


@cache
def _named(side: int) -> dict[str, int]:
    """The spaces, by the ids of what may lie there."""
    places = enumerate(board.spaces(side))
    return {f"{what}-{x}-{y}": space for space, (x, y) in places for what in ("space", "tile")}


# The board


@cache
def _ground(side: int) -> tuple[Item, ...]:
    """What never changes."""
    middle = START + 1 + side / 2
    plate = Item("plate", "plate", middle, middle, side + 0.12, side + 0.12)
    centre = Item("centre", "centre", middle, middle, 2, 2, classes="centre", label=("centre",), text=DOUBLE)
    gates = (
        Item(f"gate-{number}", "gate", *_at(train.outside), angle=TURNED[train.side])
        for number, train in enumerate(trains_of(side), 1)
    )
    return plate, centre, *gates, *_numbers(side)


def _numbers(side: int) -> Iterator[Item]:
    for at in range(1, side + 1):
        along = START + at + 0.5
        yield Item(f"column-{at}", "", along, START / 2 + 0.05, 0.6, 0.6, classes="muted", text=str(at))
        yield Item(f"row-{at}", "", START / 2 + 0.05, along, 0.6, 0.6, classes="muted", text=str(at))


def _tiles(view: RawPosition, highlighted: set[int]) -> Iterator[Item]:
    side = int(view.side)
    for space, face in enumerate(view.faces.tolist()[: board.number_of_spaces(side)]):
        yield _tile(side, space, face, space in highlighted) if face else _space(side, space)


@cache
def _space(side: int, space: int) -> Item:
    x, y = board.place_of(side, space)
    return Item(f"space-{x}-{y}", "space", *_at((x, y)), label=("space.free", x, y))


@cache
def _tile(side: int, space: int, face: int, last: bool) -> Item:
    """A tile comes from where it was offered."""
    x, y = board.place_of(side, space)
    tile, times = tiles.FACES[face - 1]
    label = ("space.tile", x, y, face_name(face))
    classes = "last" if last else ""
    return Item(f"tile-{x}-{y}", f"tile-{tile}", *_at((x, y)), 1, 1, _angle(times), classes, label, start=_turn_name(face))


# Trains and what they travel


class _Travels(NamedTuple):
    """What follows from the tiles on the board."""

    paths: list[Path]
    tracks: tuple[Item, ...]
    trains: tuple[Item, ...]


@lru_cache(maxsize=256)
def _travels(side: int, players: int, faces: bytes) -> _Travels:
    """`faces` are the position's, as bytes. It is the same for all seats, so it is kept till all have been shown it."""
    paths = paths_over(side, faces)
    return _Travels(paths, tuple(_tracks(side, players, paths)), tuple(_trains(side, players, paths)))


def _tracks(side: int, players: int, paths: Sequence[Path]) -> Iterator[Item]:
    """Those of closed paths lie above the others."""
    colours = _colours(side, players)
    for path in sorted(paths, key=lambda path: path.closed):
        classes = f"{colours[path.number - 1]}{' closed' if path.closed else ''}".strip()
        for step in path.steps:
            yield _track(step.place, step.entered, (step.left - step.entered) % tiles.SIDES, classes)


@cache
def _track(place: Place, entered: int, further: int, classes: str) -> Item:
    return Item(f"track-{place[0]}-{place[1]}-{entered}", f"track-{further}", *_at(place), 1, 1, _angle(entered), classes)


@cache
def _owners(side: int, players: int) -> list[int]:
    """Whose the trains 1, 2, .. are."""
    return board.owners(side, players)


@cache
def _colours(side: int, players: int) -> list[str]:
    """Of the trains and their paths: their owners'; of one who plays alone, the next of all colours for each."""
    if players == 1:
        return [f"player-{train % COLOURS}" for train in range(len(trains_of(side)))]
    return ["" if owner == NOBODY else f"player-{owner}" for owner in _owners(side, players)]


def _trains(side: int, players: int, paths: Sequence[Path]) -> Iterator[Item]:
    """Each at home or where it has arrived."""
    travelled = {path.number: path for path in paths}
    for number in range(1, len(trains_of(side)) + 1):
        path = travelled.get(number)
        if path is None:
            yield _waiting(side, players, number)
        elif path.closed:
            yield _home(side, players, number)
            yield _train(side, players, number, path, _station(path))
        else:
            yield _train(side, players, number, path, _home_of(path.train))


@cache
def _waiting(side: int, players: int, number: int) -> Item:
    """A train that no tile lies before."""
    return _train(side, players, number, None, _home_of(trains_of(side)[number - 1]))


@cache
def _home(side: int, players: int, number: int) -> Item:
    """The home of a train that is away."""
    classes = f"home {_colours(side, players)[number - 1]}".strip()
    at = _home_of(trains_of(side)[number - 1])
    return Item(f"home-{number}", "home", *at, TRAIN, TRAIN, classes=classes, text=str(number))


def _train(side: int, players: int, number: int, path: Path | None, at: Point) -> Item:
    owner = _owners(side, players)[number - 1]
    colour = _colours(side, players)[number - 1] if path or players > 1 else ""
    sprite, classes = ("train-none", "train") if owner == NOBODY else (f"train-{owner}", f"train on-player {colour}".strip())
    label = _train_label(number, path)
    if players > 1:
        label = ("train.nobodys", label) if owner == NOBODY else ("train.of", label, (SEAT, owner))
    return Item(f"train-{number}", sprite, *at, TRAIN, TRAIN, classes=classes, label=label, text=str(number))


def _train_label(number: int, path: Path | None) -> Message:
    if path is None:
        return ("train.waiting", number)
    if path.closed:
        return ("train.centre" if path.central else "train.arrived", number, path.points)
    return ("train.open", number, len(path.steps))


def _home_of(train: Train) -> Point:
    return _in_ring(train.outside, train.side, WAITING)


def _station(path: Path) -> Point:
    """Where a closed path ends."""
    left = path.steps[-1].left
    return _in_centre(path.end, left ^ 2) if path.central else _in_ring(path.end, left, ARRIVED)


# Tiles that are not placed


def _faces(view: RawPosition) -> list[int]:
    """The tile to be placed, in its rotations."""
    return _rotated(int(view.tile))


@cache
def _rotated(kind: int) -> list[int]:
    if kind == tiles.NONE:
        return []
    return [int(tiles.FACE_OF[kind, times]) for times in tiles.rotations(kind)]


@cache
def _turn_name(face: int) -> str:
    return f"turn-{face_name(face)}"


def _tray(side: int) -> float:
    return _size(side)[1] - TRAY / 2


def _turns(view: RawPosition) -> Iterator[Item]:
    """It comes from the stack, or from the mover's hand."""
    drawn = view.players == 1 or view.mover < 0 or view.hands[view.mover] != tiles.NONE
    start = "stack" if drawn else f"hand-{view.mover}"
    for place, face in enumerate(_faces(view)):
        yield from _turn(_tray(int(view.side)), place, face, start)


@cache
def _turn(y: float, place: int, face: int, start: str) -> tuple[Item, Item]:
    """The tile, and its name below."""
    tile, times = tiles.FACES[face - 1]
    name, x = face_name(face), START + 0.6 + TURN_PITCH * place
    offered = Item(f"turn-{name}", f"tile-{tile}", x, y - 0.1, 1, 1, _angle(times), "turn", ("turn", name), start=start)
    return offered, Item(f"name-{name}", "", x, y + 0.57, 0.5, 0.5, classes="muted", text=name)


def _hands(view: RawPosition) -> Iterator[Item]:
    """What each player keeps, with the sign of the player."""
    side, players = int(view.side), int(view.players)
    if players > 1:
        for player, kind in enumerate(view.hands.tolist()[:players]):
            yield from _hand(side, players, player, kind)


@cache
def _hand(side: int, players: int, player: int, kind: int) -> tuple[Item, ...]:
    width, y = _size(side)[0], _tray(side)
    x = width - STACK - 0.55 - HAND_PITCH * (players - 1 - player)
    slot = Item(f"slot-{player}", "slot", x, y + 0.12, HAND, HAND)
    sign = Item(f"sign-{player}", f"train-{player}", x, y - 0.42, 0.3, 0.3, classes=f"player-{player}")
    return (slot, sign) if kind == tiles.NONE else (slot, _kept(player, kind, x, y + 0.12), sign)


def _kept(player: int, kind: int, x: float, y: float) -> Item:
    face = int(tiles.FACE_OF[kind, tiles.rotations(kind)[0]])
    tile, times = tiles.FACES[face - 1]
    label = ("hand", (SEAT, player), kind_name(kind))
    return Item(f"hand-{player}", f"tile-{tile}", x, y, HAND, HAND, _angle(times), label=label, start="stack")


@cache
def _stack(side: int, left: int, endless: bool) -> Item:
    width, y = _size(side)[0], _tray(side)
    label: Message = ("stack.endless",) if endless else ("stack", left)
    text = ENDLESS if endless else str(left)
    return Item("stack", "stack", width - 0.6, y, STACK, STACK, classes="stack", label=label, text=text)


# What is touched


@cache
def _choice(side: int, turns: bool, action: int) -> Choice:
    if action == DECLINE:
        return Choice(action, (), ("choice.decline",))
    x, y = board.place_of(side, space_of(action))
    space = f"space-{x}-{y}"
    return Choice(action, (_turn_name(action & FACE), space) if turns else (space,))


def _is_legal(view: RawPosition, action: int) -> bool:
    space, times = space_of(action), tiles.FACES[(action & FACE) - 1][1]
    word, bit = divmod(space, board.WORD)
    return bool(rules.places(view, word, times) >> bit & 1)


# Words


def _gains(view: RawPosition, action: int) -> dict[int, int]:
    """What placing a tile brings to each player."""
    after = np.array([view], struct_dtype(rules.STATE))[0]
    rules.place(after, space_of(action), action & FACE)
    gains = (after.points - view.points).tolist()
    return {player: gains[player] for player in range(int(view.players)) if gains[player]}


def _standings(view: RawPosition, paths: Sequence[Path]) -> tuple[Standing, ...]:
    players = int(view.players)
    whose = _owners(int(view.side), players)
    arrived = [whose[path.number - 1] for path in paths if path.closed]
    points = view.points.tolist()
    return tuple(
        Standing(
            player,
            (
                (("standing.points",), points[player]),
                (("standing.arrived",), ("standing.of", arrived.count(player), whose.count(player))),
            ),
            f"train-{player}",
        )
        for player in range(players)
    )


def _task(view: RawPosition, paths: Sequence[Path]) -> Message:
    if rules.is_terminal(view):
        return _ending(view, paths)
    task = "task.turn" if len(_faces(view)) > 1 else "task.place"
    decline = "_or_decline" if rules.may_decline(view) else ""
    return f"{task}{decline}", kind_name(view.tile)


def _ending(view: RawPosition, paths: Sequence[Path]) -> Message:
    if view.players == 1:
        closed = [path for path in paths if path.closed]
        return "ending.alone", int(view.points[0]), len(closed), sum(path.central for path in closed)
    won = int(rules.winners(view))
    best = [player for player in range(int(view.players)) if won >> player & 1]
    names = (LIST, *((SEAT, player) for player in best))
    return "ending.won" if len(best) == 1 else "ending.shared", names, int(view.points[best[0]])


# The rules, for who has never played

GUIDE_PARAMETERS: Final[dict[str, Any]] = {"players": 1}

_TO_COME: Final = "0123456789abcdef"
_ROWS: Final = "8/8/8/3,*,*,3/3,*,*,3/8/8/8"
_UNDER_WAY: Final = (
    "2,9R0,3R0,4/3,10R0,7R3,8R0,5R1,10R0/10R0,1R0,2R2,5R3,4/6R0,3R1,1R0,*,*,2,6R0/"
    "2R1,10R0,10R0,*,*,1,5R1,4R1/7,3R1/5R1,1,5R2,8R0,1,9R0,2/1,4R0,1,8R0,4R0,2R3,1,9R0"
)
_FINISHED: Final = (
    "8R0,6R0,9R0,3R0,4R0,4R0,3R0,8R1/7R2,3R2,10R0,10R0,7R3,8R0,5R1,10R0/10R0,1R0,2R2,5R3,9R0,4R1,9R0,10R0/"
    "6R0,3R1,1R0,*,*,10R0,8R0,6R0/2R1,10R0,10R0,*,*,10R0,5R1,4R1/9R0,5R1,9R0,6R0,7R2,4R1,3R0,3R1/"
    "5R1,9R0,5R2,8R0,5R2,9R0,8R1,3R3/1,4R0,10R0,8R0,4R0,2R3,6R0,9R0"
)
_ALL_KINDS: Final = "3,9R0,4/1,1R0,2R0,3R0,4R0,5R0,2/1,6R0,7R0,8R0,10R0,3/3,*,*,3/3,*,*,3/8/8/8"
_EXAMPLE: Final = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8"
_TO_THE_CENTRE: Final = "4,9R0,3/4,9R0,3/4,9R0,3/3,*,*,3/3,*,*,3/8/8/8"

GUIDE: Final[tuple[tuple[Message, str], ...]] = (
    (("guide.aim",), f"{_UNDER_WAY} 1 8 {_TO_COME}"),
    (("guide.board",), f"{_ROWS} 1 7 {_TO_COME}"),
    (("guide.tiles",), f"{_ALL_KINDS} 1 2 {_TO_COME}"),
    (("guide.place",), ""),
    (("guide.short",), f"9R0,7/{_ROWS.partition('/')[2]} 1 4 {_TO_COME}"),
    (("guide.path",), f"{_EXAMPLE} 1 5 {_TO_COME}"),
    (("guide.centre",), f"{_TO_THE_CENTRE} 1 3 {_TO_COME}"),
    (("guide.alone",), f"{_FINISHED} - 6 {_TO_COME}"),
    (("guide.several",), ""),
    (("guide.decline",), ""),
    (("guide.last",), ""),
    (("guide.end",), ""),
)
