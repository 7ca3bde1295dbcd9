"""The board of Metro from above, with the tracks of trains in their owners' colours. All players see the same.

space-X-Y tile-X-Y    a free space, or the tile on it
track-X-Y-S           the track that enters a tile across side S, once a train has travelled it
train-N               a train, at home or at the station of its arrival
home-N                the home of a train that has arrived
turn-7R2 name-7R2     a rotation of the tile to be placed, and its name
slot-P sign-P hand-P  the place for a player's tile, the player's sign, and the tile
stack sheet-N         the tile on top of the stack with the number of its tiles, and the tiles under it

A ring around the board has the trains' homes and the outer stations. The tiles that are not placed are below it.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import LIST, PICTURE, SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Standing
from ludoteca.games.metro import board, rules, tiles
from ludoteca.games.metro.board import DECLINE, FACE, NOBODY, Place, action_of, space_of
from ludoteca.games.metro.notation import face_name, kind_name
from ludoteca.games.metro.paths import TracedPath, paths_over
from ludoteca.games.metro.sides import MAX_SIDE
from ludoteca.games.metro.tiles import EAST, NONE, NORTH, SOUTH, WEST

RING: Final = 0.66
"""The width of the ring around the board."""
TRAY: Final = 1.8
"""The height of the strip below the ring."""
TRAIN: Final = 0.38
TRAIN_AT: Final = (-0.22, 0.21)
"""The place of a waiting train, from the middle of the cell above the board. The ring has the lower part of this cell."""
STATION_AT: Final = (0.18, 0.16)
"""The place of a train at an outer station, from the middle of the cell above the board."""
CENTRAL_AT: Final = (-0.18, -0.25)
"""The place of a train at a central station, from the middle of a space in the centre that it enters from above."""
GATE_AT: Final = (0, 0.5 - RING / 2)
NAME_AT: Final = (-0.02, 0.5 - RING + 0.1)
"""The place of the number of a column, from the middle of the cell above the board."""
TURN: Final = 1.6
"""The side of the tile to be placed, in each of its rotations. It is smaller if there is no room for all rotations."""
HAND: Final = 0.68
HAND_PITCH: Final = 0.84
STACK: Final = 1.1
SHEET: Final = 10
"""The stack is drawn with one sheet for this many tiles."""
GAIN: Final = 1.0
"""Twice the height of the numbers that show points."""
TURNED: Final = (0, 270, 180, 90)
"""The degrees, clockwise, of a rotation by 0, 1, 2 or 3 quarter turns counter-clockwise."""
NAMES: Final = tuple(face_name(face) for face in range(tiles.ORIENTED + 1))
"""The names of the oriented tiles, by number."""
TRACKS: Final = ("track-0", "track-1", "track-2", "track-3")
"""The sprites of tracks, by the number of sides from the entry to the exit, counter-clockwise."""
AT: Final = {(x, y): f"{x}-{y}" for x in range(1, MAX_SIDE + 1) for y in range(1, MAX_SIDE + 1)}
"""The part of an item's id that names its space."""
RUN: Final = 3
"""When a train arrives, its tracks change colour in moments of this many tiles each."""
RUNS: Final = 6
COLOURS: Final = 10
"""The number of colours in a game of one player."""
ENDLESS: Final = "∞"
DOUBLE: Final = "×2"

Point = tuple[float, float]


def draw(view: RawPosition, player: int) -> Scene:
    """Return the spaces, tiles, tracks and trains, and the strip below."""
    side, players, faces = int(view.side), int(view.players), view.faces.tolist()
    paths = paths_over(side, faces)
    still = _still(side, players)
    items = [*still.ground]
    for space, free in enumerate(still.spaces):
        items.append(_tile(side, space, faces[space]) if faces[space] else free)
    items += _tracks(still, paths)
    items += _trains(still, paths, players)
    width = side + 2 * RING
    y = width + TRAY / 2
    hands = HAND_PITCH * ((players + 1) // 2) if players > 1 else 0
    stack = width - STACK / 2 - 0.25
    items += _turns(view, (stack - STACK / 2 - 0.2 - hands), y)
    for seat, kind in enumerate(view.hands.tolist()[:players] if players > 1 else []):
        x, above = stack - STACK / 2 - 0.1 - hands + HAND_PITCH * (seat // 2 + 0.5), y + HAND_PITCH * (seat % 2 - 0.5)
        items.append(Item(f"slot-{seat}", "slot", x, above, HAND, HAND))
        if kind != tiles.NONE:
            tile, times = tiles.FACES[tiles.faces(kind)[0] - 1]
            label = "hand", (SEAT, seat), kind_name(kind)
            items.append(
                Item(f"hand-{seat}", f"tile-{tile}", x, above, HAND, HAND, TURNED[times], label=label, start="stack")
            )
        items.append(Item(f"sign-{seat}", f"train-{seat}", x - HAND / 2, above - HAND / 2, 0.28, 0.28, 0, f"player-{seat}"))
    return Scene(width, width + TRAY, (*items, *_stack(view, stack, y)), _standings(view, paths), _task(view, paths))


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    """Return the tile that was placed."""
    return Placed((tile_at(board.place_of(int(after.side), space_of(action))),)) if 0 <= action < DECLINE else Placed()


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> list[Choice]:
    """Return the items to touch for each action: a rotation and a space, or only a space if the tile has one rotation.
    Declining is a button.
    """
    spaces, turns = board.spaces(int(view.side)), len(tiles.faces(int(view.tile))) > 1
    found = []
    for action in legal:
        if action == DECLINE:
            found.append(Choice(action, (), ("choice.decline",)))
        else:
            space = f"space-{AT[spaces[space_of(action)]]}"
            found.append(Choice(action, (f"turn-{NAMES[action & FACE]}", space) if turns else (space,)))
    return found


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    """Return the action that a touched space and rotation mean, legal or not, or -1 if the touched items mean none. A space
    without a rotation is enough if the tile cannot be placed there, so that the refusal explains why.
    """
    faces, ids = tiles.faces(int(view.tile)), set(touched)
    places = enumerate(board.spaces(int(view.side)))
    spaces = [space for space, place in places if ids & {f"space-{AT[place]}", f"tile-{AT[place]}"}]
    turns = [face for face in faces if f"turn-{NAMES[face]}" in ids]
    if not faces or len(spaces) != 1 or len(turns) > 1 or len(touched) != 1 + len(turns):
        return -1
    possible, (word, bit) = turns or faces, divmod(spaces[0], board.WORD)
    is_whole = bool(turns) == (len(faces) > 1)
    if not is_whole and any(rules.places(view, word, tiles.FACES[face - 1][1]) >> bit & 1 for face in possible):
        return -1
    return action_of(spaces[0], possible[0])


def describe(view: RawPosition, player: int, action: int) -> Message:
    """Return an action in words: the tile, its space, and the points that it brings to each player."""
    if action == DECLINE:
        return "told.declines", _kind_pictured(int(view.tile))
    side, players, face = int(view.side), int(view.players), action & FACE
    owners, points = board.owners(side, players), Counter[int]()
    for path in _arrived(view, _faces_after(view, action)):
        points[owners[path.number - 1]] += path.points
    gains = [("told.gain", (SEAT, owner), points[owner]) for owner in sorted(points)]
    placed = ("told.tile_at", _pictured(face, NAMES[face]), *board.place_of(side, space_of(action)))
    if not gains:
        return "told.places", placed
    return "told.scores", placed, ("told.points", points[0]) if players == 1 else (LIST, *gains)


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Return the items that show an action before it is played: the tile, the new tracks, and the arriving trains with their
    points. For declining there are only words.
    """
    told = describe(view, player, action)
    if action == DECLINE:
        return Preview((), (), told)
    side, players = int(view.side), int(view.players)
    still, before = _still(side, players), paths_over(side, view.faces.tolist())
    after = paths_over(side, _faces_after(view, action))
    tracks = set(_tracks(still, before))
    places = {train.id: (train.x, train.y) for train in _trains(still, before, players)}
    arriving = [train for train in _trains(still, after, players) if places.get(train.id) != (train.x, train.y)]
    shown = [_tile(side, space_of(action), action & FACE)]
    shown += [track for track in _tracks(still, after) if track not in tracks]
    shown += arriving
    shown += _gains(_arrived(view, _faces_after(view, action)), arriving, side + 2 * RING)
    ghosts = tuple(replace(item, id=f"ghost-{item.id}", label="", start="") for item in shown)
    return Preview(ghosts, tuple(train.id for train in arriving if train.id in places), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> list[Item]:
    """Return items to show for a moment: the points of the trains that have just arrived, at the trains or at the nearest
    place where they fit.
    """
    return _gains(_arrived(before, after.faces.tolist()), scene.items, scene.width)


def _gains(arrived: Sequence[TracedPath], items: Sequence[Item], width: float) -> list[Item]:
    """Return the items with the points of the trains that have arrived. `items` has the trains, and `width` is the width of
    the scene.
    """
    places, gains = {item.id: (item.x, item.y) for item in items}, []
    for path in arrived:
        x, y = (min(max(at, GAIN / 2), width - GAIN / 2) for at in places[f"train-{path.number}"])
        gains.append(Item(f"gain-{path.number}", "", x, y, 1, GAIN, classes="gain", text=f"+{path.points}"))
    return gains


# The tiles that are not placed


def _turns(view: RawPosition, room: float, y: float) -> list[Item]:
    """Return the items for the rotations of the tile to be placed, from left to right. The tile comes from the stack or from
    a hand.
    """
    from_stack = view.players == 1 or rules.is_terminal(view) or view.hands[view.mover] != tiles.NONE
    start, faces, items = "stack" if from_stack else f"hand-{view.mover}", tiles.faces(int(view.tile)), list[Item]()
    for at, face in enumerate(faces):
        wide = min(TURN, room / len(faces) - 0.1)
        x, (tile, times), name = 0.25 + wide / 2 + (wide + 0.1) * at, tiles.FACES[face - 1], NAMES[face]
        label: Message = ("turn", name)
        items.append(Item(f"turn-{name}", f"tile-{tile}", x, y, wide, wide, TURNED[times], "turn", label, start=start))
        items.append(Item(f"name-{name}", "", x, y + wide / 2 - 0.15, 0.5, 0.5, 0, "badge code", text=name))
    return items


def _stack(view: RawPosition, x: float, y: float) -> list[Item]:
    """Return the items of the stack: its height shows how many tiles are left, and the number is on the uppermost."""
    left = int(view.stacked)
    label, text = ("stack.endless",) if view.endless else ("stack", left), ENDLESS if view.endless else str(left)
    high = tiles.STACK // SHEET if view.endless else -(-left // SHEET)
    sheets = [
        Item(f"sheet-{at}", "back", x + 0.03 * (at - 2), y - 0.06 * (at - 2), STACK, STACK) for at in range(1, high + 1)
    ]
    top = Item(
        "stack", "", x + 0.03 * (high - 2), y - 0.06 * (high - 2), STACK, STACK, 0, "stack" if high else "muted", label, text
    )
    return [Item("sheet-0", "slot", x - 0.06, y + 0.12, STACK, STACK), *sheets, top]


# Places


def _at(place: Place) -> Point:
    """Return the middle of a cell: a space, or a cell of the ring around the board."""
    return RING + place[0] - 0.5, RING + place[1] - 0.5


def _in_ring(place: Place, across: int, offset: Point) -> Point:
    """Return a point in a cell of the ring across a side of the board. `offset` is the distance from the middle of the cell
    if the cell is above the board, and is turned for the other sides.
    """
    (x, y), (right, down) = _at(place), offset
    turned = {NORTH: (right, down), EAST: (-down, right), SOUTH: (-right, -down), WEST: (down, -right)}[across]
    return x + turned[0], y + turned[1]


# The board


class Still(NamedTuple):
    """The items that depend only on the size of the board and the number of players."""

    ground: tuple[Item, ...]
    """The plate, the centre, the gates, and the numbers of columns and rows."""
    spaces: tuple[Item, ...]
    """The free spaces."""
    owners: tuple[int, ...]
    """By train, a player or `NOBODY`. The next three are by train, too."""
    colours: tuple[str, ...]
    """The classes for the owner's colour, or empty without an owner. A single player's trains have ten colours."""
    homes: tuple[Item, ...]
    """The homes of trains that have arrived."""
    trains: tuple[Item, ...]
    """The trains that have not left."""


@cache
def _still(side: int, players: int) -> Still:
    """Return the items of a board on which no tile has been placed."""
    middle = RING + side / 2
    ground = [
        Item("plate", "plate", middle, middle, side + 0.12, side + 0.12),
        Item("centre", "centre", middle, middle, 2, 2, classes="centre", label=("centre",), text=DOUBLE),
    ]
    for number, train in enumerate(board.trains(side), 1):
        x, y = _in_ring(train.outside, train.side, GATE_AT)
        ground.append(Item(f"gate-{number}", "gate", x, y, 1, RING, TURNED[(train.side + 1) % tiles.SIDES]))
    for at in range(1, side + 1):
        for line, place, across in (("column", (at, 0), NORTH), ("row", (0, at), WEST)):
            ground.append(
                Item(f"{line}-{at}", "", *_in_ring(place, across, NAME_AT), 0.2, 0.2, 0, "muted code line", text=str(at))
            )
    spaces = [
        Item(f"space-{AT[x, y]}", "space", *_at((x, y)), classes="place", label=("space.free", x, y))
        for x, y in board.spaces(side)
    ]
    owners, colours, homes, trains = board.owners(side, players), [], [], []
    for path in paths_over(side, [tiles.NONE] * len(spaces)):
        number, owner = path.number, owners[path.number - 1]
        colour = f"own player-{(number - 1) % COLOURS}" if players == 1 else "" if owner == NOBODY else f"player-{owner}"
        x, y = _in_ring(path.train.outside, path.train.side, TRAIN_AT)
        classes = f"home code of-train-{number} {colour}".strip()
        colours.append(colour)
        homes.append(Item(f"home-{number}", "home", x, y, TRAIN, TRAIN, 0, classes, text=str(number)))
        trains.append(_train(path, owner, "" if players == 1 else colour, x, y, players))
    return Still(tuple(ground), tuple(spaces), owners, tuple(colours), tuple(homes), tuple(trains))


def tile_at(place: Place) -> str:
    """Return the id of the tile at a place."""
    return f"tile-{AT[place]}"


def _tile(side: int, space: int, face: int) -> Item:
    """Return a tile on the board. It comes from below the board."""
    place, (tile, times), name = board.place_of(side, space), tiles.FACES[face - 1], NAMES[face]
    label = "space.tile", *place, name
    return Item(tile_at(place), f"tile-{tile}", *_at(place), 1, 1, TURNED[times], "", label, "", f"turn-{name}")


# Trains and their tracks


def _tracks(still: Still, paths: Sequence[TracedPath]) -> list[Item]:
    """Return the tracks that the trains have travelled, those of closed paths above the others."""
    items = []
    for path in sorted(paths, key=lambda path: path.closed):
        if path.steps:
            closed = " closed" if path.closed else ""
            classes = f"{still.colours[path.number - 1]} of-train-{path.number}{closed}".strip()
            for at, step in enumerate(path.steps):
                place, entered = step.place, step.entered
                name, sprite = f"track-{AT[place]}-{entered}", TRACKS[step.left - entered]
                items.append(
                    Item(name, sprite, *_at(place), 1, 1, TURNED[entered], f"{classes} run-{min(at // RUN, RUNS - 1)}")
                )
    return items


def _trains(still: Still, paths: Sequence[TracedPath], players: int) -> list[Item]:
    """Return the trains, and the homes of trains that have arrived at a station."""
    items = []
    for path, owner, colour, home, waiting in zip(
        paths, still.owners, still.colours, still.homes, still.trains, strict=True
    ):
        if not path.steps:
            items.append(waiting)
        elif not path.closed:
            items.append(_train(path, owner, colour, home.x, home.y, players))
        else:
            left = path.steps[-1].left
            x, y = _in_ring(path.end, left ^ 2, CENTRAL_AT) if path.central else _in_ring(path.end, left, STATION_AT)
            items += home, _train(path, owner, colour, x, y, players)
    return items


def _train(path: TracedPath, owner: int, colour: str, x: float, y: float, players: int) -> Item:
    """Return a train at its place. The label has its progress and its owner."""
    number = path.number
    label: Message = ("train.open", number, len(path.steps)) if path.steps else ("train.waiting", number)
    if path.closed:
        label = "train.centre" if path.central else "train.arrived", number, path.points
    if players > 1:
        label = ("train.nobodys", label) if owner == NOBODY else ("train.of", label, (SEAT, owner))
    sprite, classes = f"train-{owner}", f"train on-player {colour}".strip()
    if owner == NOBODY:
        sprite, classes = "train-none", "train"
    under_way = f"of-train-{number}{'' if path.closed else ' open'} " if path.steps else ""
    classes += f" {under_way}code"
    return Item(f"train-{number}", sprite, x, y, TRAIN, TRAIN, 0, classes, label, str(number))


def _faces_after(view: RawPosition, action: int) -> list[int]:
    """Return the oriented tiles on the board, by space, after an action that places one."""
    faces: list[int] = view.faces.tolist()
    faces[space_of(action)] = action & FACE
    return faces


def _arrived(view: RawPosition, faces: Sequence[int]) -> list[TracedPath]:
    """Return the paths that are open in the view and closed with these tiles, without those of trains without an owner."""
    side = int(view.side)
    pairs = zip(
        board.owners(side, int(view.players)), paths_over(side, view.faces.tolist()), paths_over(side, faces), strict=True
    )
    return [after for owner, before, after in pairs if after.closed and not before.closed and owner != NOBODY]


# Words


def _pictured(face: int, text: Message) -> Message:
    tile, times = tiles.FACES[face - 1]
    return PICTURE, text, f"tile-{tile}", TURNED[times], ""


def _kind_pictured(kind: int) -> Message:
    return _pictured(tiles.faces(kind)[0], kind_name(kind))


def _standings(view: RawPosition, paths: Sequence[TracedPath]) -> tuple[Standing, ...]:
    """Return the points of each player, and how many of the player's trains have arrived."""
    owners, standings = board.owners(int(view.side), int(view.players)), []
    arrived = [owners[path.number - 1] for path in paths if path.closed]
    for player, points in enumerate(view.points.tolist()[: int(view.players)]):
        trains: Message = ("standing.of", arrived.count(player), owners.count(player))
        facts = ((("standing.points",), points), (("standing.arrived",), trains))
        standings.append(Standing(player, facts, f"train-{player}"))
    return tuple(standings)


def _task(view: RawPosition, paths: Sequence[TracedPath]) -> Message:
    """Return the task of the mover, or the result of the game."""
    if not rules.is_terminal(view):
        task = "task.turn" if len(tiles.faces(int(view.tile))) > 1 else "task.place"
        decline = "_or_decline" if rules.may_decline(view) else ""
        return f"{task}{decline}", _kind_pictured(int(view.tile))
    if view.players == 1:
        closed = [path for path in paths if path.closed]
        reason: Message = ("ending.full",)
        if view.free.any():
            reason = ("ending.no_place", _kind_pictured(int(view.tile))) if view.tile else ("ending.stack",)
        return "ending.alone", reason, int(view.points[0]), len(closed), sum(path.central for path in closed)
    won = int(rules.winners(view))
    best = [player for player in range(int(view.players)) if won >> player & 1]
    names = (LIST, *((SEAT, player) for player in best))
    return "ending.won" if len(best) == 1 else "ending.shared", names, int(view.points[best[0]])


def begin_turn(view: RawPosition, player: int) -> None:
    """Put the tile to be placed back into the mover's hand, and begin the player's turn. If the player has no tile, the game
    ends in the view.
    """
    if view.hands[view.mover] == NONE:
        view.hands[view.mover] = view.tile
    if view.hands[player] == NONE:
        view.mover = TERMINAL
    else:
        rules.begin_turn(view, player)
