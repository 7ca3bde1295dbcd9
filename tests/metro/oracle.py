"""Metro made from the document and its rules page alone: slow, obvious, and sharing no code with the library.

A board is a dict from spaces (x, y) to turned tiles (id, rotation). Each call walks every path from its train.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

Space = tuple[int, int]
Tile = tuple[str, int]
"""An id and how often it is turned: ("#3", 1)."""
Board = dict[Space, Tile]
Move = tuple[Space, int]
"""The place of the tile, and its rotation."""

TRACKS = {
    "#1": "0000", "#2": "0013", "#3": "0112", "#4": "0202", "#5": "0233",
    "#6": "1111", "#7": "1223", "#8": "1313", "#9": "2222", "#10": "3333",
}  # fmt: skip
SIDES = "wsen"
STEP = {"w": (-1, 0), "s": (0, 1), "e": (1, 0), "n": (0, -1)}

COPIES = {
    "#1": (2,), "#2": (2, 2, 2, 2), "#3": (2, 2, 2, 2), "#4": (2, 2), "#5": (2, 2, 2, 2),
    "#6": (2,), "#7": (4, 4, 4, 4), "#8": (3, 3), "#9": (4,), "#10": (2,),
}  # fmt: skip
STACK = [(name, turned) for name, copies in COPIES.items() for turned, n in enumerate(copies) for _ in range(n)]

OWNERS = {
    2: ("1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31", "2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32"),
    3: ("1 4 6 11 15 20 23 25 28 31", "2 7 9 12 14 19 22 27 29 32", "3 5 8 10 13 18 21 24 26 30"),
    4: ("4 7 11 16 20 23 27 32", "3 8 12 15 19 24 28 31", "1 6 10 13 18 21 25 30", "2 5 9 14 17 22 26 29"),
    5: ("1 5 10 14 22 28", "6 12 18 23 27 32", "3 7 15 19 25 29", "2 9 13 21 26 30", "4 8 11 20 24 31"),
    6: ("1 5 10 19 27", "2 11 18 25 29", "4 8 14 21 26", "6 15 20 24 31", "3 9 13 23 30", "7 12 22 28 32"),
}


@cache
def tracks(tile: Tile) -> str:
    """“Rk = the list rotated k places to the right”."""
    name, turned = tile
    return TRACKS[name][-turned:] + TRACKS[name][:-turned] if turned else TRACKS[name]


@cache
def rotations(name: str) -> list[int]:
    """The distinct ones."""
    seen = [tracks((name, turned)) for turned in range(4)]
    return [turned for turned in range(4) if seen.index(seen[turned]) == turned]


@cache
def trains(side: int) -> list[tuple[Space, str]]:
    """The place and the direction of each train."""
    numbers = range(1, side + 1)
    return [
        *(((x, 0), "s") for x in numbers),
        *(((x, side + 1), "n") for x in numbers),
        *(((0, y), "e") for y in numbers),
        *(((side + 1, y), "w") for y in numbers),
    ]


@cache
def trains_before(side: int, space: Space) -> list[tuple[Space, str]]:
    """Those whose first space it is."""
    return [train for train in trains(side) if beside(*train) == space]


@cache
def in_centre(space: Space, side: int) -> bool:
    middle = (side // 2, side // 2 + 1)
    return space[0] in middle and space[1] in middle


def on_board(space: Space, side: int) -> bool:
    return 1 <= space[0] <= side and 1 <= space[1] <= side


def beside(space: Space, direction: str) -> Space:
    across, down = STEP[direction]
    return space[0] + across, space[1] + down


class Path(NamedTuple):
    entry: Space
    spaces: tuple[Space, ...]
    tiles: tuple[Tile, ...]
    end: str
    """`outer`, `centre`, or nothing while it is open."""

    @property
    def points(self) -> int:
        return {"": 0, "outer": 1, "centre": 2}[self.end] * len(self.tiles)


def walk(board: Board, side: int, entry: Space, direction: str) -> Path:
    spaces: list[Space] = []
    here = beside(entry, direction)
    while here in board:
        spaces.append(here)
        entered = (SIDES.index(direction) + 2) % 4
        direction = SIDES[(entered + int(tracks(board[here])[entered])) % 4]
        here = beside(here, direction)
    arrived = "outer" if not on_board(here, side) else "centre" if in_centre(here, side) else ""
    return Path(entry, tuple(spaces), tuple(board[space] for space in spaces), arrived)


def paths(board: Board, side: int) -> list[Path]:
    """All paths that have left their trains, in the order of the trains."""
    walked = (walk(board, side, *train) for train in trains(side))
    return [path for path in walked if path.spaces]


def open_paths(board: Board, side: int) -> list[Path]:
    return [path for path in paths(board, side) if not path.end]


def closed_paths(board: Board, side: int) -> list[Path]:
    return [path for path in paths(board, side) if path.end]


def spaces_for(board: Board, side: int) -> Iterator[Space]:
    """“A free space that is not in the centre and is on the edge of the board or beside a placed tile”."""
    for y in range(1, side + 1):
        for x in range(1, side + 1):
            edge = x in (1, side) or y in (1, side)
            touches = any(beside((x, y), direction) in board for direction in SIDES)
            if (x, y) not in board and not in_centre((x, y), side) and (edge or touches):
                yield x, y


def too_short(board: Board, side: int, space: Space, tile: Tile) -> bool:
    """Would a path of length 1 arise? “Train to outer station through that one tile alone”."""
    walked = [walk(board | {space: tile}, side, *train) for train in trains_before(side, space)]
    return any(path.end == "outer" and path.spaces == (space,) for path in walked)


def places(board: Board, side: int, tiles: list[Tile]) -> set[tuple[Space, Tile]]:
    """Where any of these turned tiles may go."""
    return {(space, tile) for space in spaces_for(board, side) for tile in tiles if not too_short(board, side, space, tile)}


def published_places(board: Board, side: int, tiles: list[Tile]) -> set[tuple[Space, Tile]]:
    """“A path of length 1 is allowed when the tile has no other place”."""
    return places(board, side, tiles) or {(space, tile) for space in spaces_for(board, side) for tile in tiles}


def all_rotations(name: str) -> list[Tile]:
    return [(name, turned) for turned in rotations(name)]


def available(board: Board, side: int) -> set[tuple[Space, Tile]]:
    """Every available move of the document's game, with any tile."""
    return places(board, side, [tile for name in TRACKS for tile in all_rotations(name)])


def station(number: int) -> Space:
    """The place of station 1..32 of the published board, from the top right corner counter-clockwise."""
    around = [(9 - i, 0) for i in range(1, 9)]
    around += [(0, i) for i in range(1, 9)]
    around += [(i, 9) for i in range(1, 9)]
    around += [(9, 9 - i) for i in range(1, 9)]
    return around[number - 1]


@cache
def owner_of(entry: Space, players: int) -> int | None:
    if players == 1:
        return 0
    for player, numbers in enumerate(OWNERS[players]):
        if entry in [station(int(number)) for number in numbers.split()]:
            return player
    return None


def scores(board: Board, side: int, players: int) -> list[int]:
    points = [0] * players
    for path in closed_paths(board, side):
        owner = owner_of(path.entry, players)
        if owner is not None:
            points[owner] += path.points
    return points


@dataclass
class Oracle:
    """A game in progress. `draw` gives the next tile, None when there is none."""

    players: int
    side: int
    rotate: bool
    draw: Callable[[], Tile | None]
    left: Callable[[], bool]
    """Are there tiles to draw?"""
    board: Board = field(default_factory=dict)
    mover: int = 0
    over: bool = False

    def __post_init__(self) -> None:
        """“One tile is dealt to each at set-up, in seat order”; in the solo game it is the next tile."""
        self.hands: list[list[Tile]] = [self._drawn() for _ in range(self.players)]
        self._find_mover()

    def _drawn(self) -> list[Tile]:
        tile = self.draw()
        return [] if tile is None else [tile]

    @property
    def tile(self) -> Tile:
        """The one to be placed: of two in hand, the one just drawn."""
        return self.hands[self.mover][-1]

    def placements(self) -> set[Move]:
        """The legal places of the next tile, with its rotations."""
        turned = all_rotations(self.tile[0]) if self.rotate or self.players == 1 else [self.tile]
        found = (places if self.players == 1 else published_places)(self.board, self.side, turned)
        return {(space, tile[1]) for space, tile in found}

    def may_decline(self) -> bool:
        return not self.over and self.players > 1 and len(self.hands[self.mover]) == 1 and self.left()

    def decline(self) -> None:
        """“Keep it, draw another and place that one, which then must be placed”."""
        self.hands[self.mover] += self._drawn()

    def place(self, space: Space, turned: int) -> None:
        self.board[space] = (self.hands[self.mover].pop()[0], turned)
        if not self.hands[self.mover]:
            self.hands[self.mover] = self._drawn()
        self.mover = (self.mover + 1) % self.players
        self._find_mover()

    def _find_mover(self) -> None:
        """“One who has none on his turn is passed over.” Solo: “when the next tile has no legal place, the game ends”."""
        if not any(self.hands):
            self.over = True
            return
        while not self.hands[self.mover]:
            self.mover = (self.mover + 1) % self.players
        self.over = self.players == 1 and not self.placements()

    def scores(self) -> list[int]:
        return scores(self.board, self.side, self.players)

    def winners(self) -> list[int]:
        if not self.over:
            return []
        best = max(self.scores())
        return [player for player, points in enumerate(self.scores()) if points == best]
