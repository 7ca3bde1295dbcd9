"""The predicates of the assignment as functions, and the data of its base file.

The names are the assignment's (“Cerințe de implementare”). The rules page lists their arguments and results. A predicate
that enumerates returns a list. States, moves and paths are values: they can be kept and compared, and old states stay valid.

A space is `(x, y)`, x to the right and y down from 1. A tile is `"#1"` to `"#10"`, a rotation `"R0"` to `"R3"`. `rules`
decides which moves are available.
"""

import secrets
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, NamedTuple, overload

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import load
from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words
from ludoteca.core.position import Position
from ludoteca.core.rng import draw, new_rng
from ludoteca.games.metro import board, rules
from ludoteca.games.metro.board import rotation_of, space_of
from ludoteca.games.metro.notation import why_no_space, why_not_placed
from ludoteca.games.metro.paths import TracedPath, path_of
from ludoteca.games.metro.sides import PUBLISHED_SIDE
from ludoteca.games.metro.tiles import FACES, IDS, NONE, SIDES, TILES, distinct_rotations, oriented, turnable

Space = tuple[int, int]
PlacedTile = tuple[Space, str, str]
"""Space, tile and rotation."""
TurnedTile = tuple[str, str]
"""Tile and rotation."""

TILE_IDS: Final = tuple(f"#{number}" for number in range(1, IDS + 1))
ROTATION_IDS: Final = tuple(f"R{times}" for times in range(SIDES))
SPACE: Final = "({},{})"
TILE: Final = "#{} R{}"
"""Formats of spaces and tiles in messages."""
_DIRECTIONS: Final = "wsen"
_TRAINS_GO: Final = "snew"
"""The directions in which trains go, in the order of the base file."""
TRIES: Final = 500
"""The number of games that `pick_move` plays for one choice. With it a whole game brings 343 points, with 0 games 334, and
with 1,500 games 346."""


class Move(NamedTuple):
    """A move places a tile with a rotation on a space. “O mutare înseamnă plasarea unei cărți, cu o anumită rotație, într-un
    anumit spațiu de pe hartă.”
    """

    space: Space
    tile_id: str
    rotation_id: str


class Path(NamedTuple):
    """A path is its entry point and the rotated tiles along it. “Un traseu va fi reprezentat prin punctul său de intrare și
    o listă de cărți rotite care compun calea.”
    """

    entry: Space
    """The place of its train, outside the board."""
    tiles: tuple[TurnedTile, ...]
    """The tiles in the order travelled. A tile that is passed twice is listed twice."""


class GameState:
    """A position of the game of one player: its tiles. It is immutable, and equal to every state with the same tiles.

    The tiles may come in any order. It is not checked that they could have been placed one after another. Raises
    NotationError for a tile or space that does not exist or a space that comes twice, ParameterError for a wrong side.
    """

    __slots__ = ("_position", "side", "tiles")
    side: int
    """The number of spaces on a side of the board."""
    tiles: tuple[PlacedTile, ...]
    """The placed tiles, sorted by space."""
    _position: Position

    def __init__(self, tiles: Iterable[PlacedTile] = (), side: int = PUBLISHED_SIDE) -> None:
        position = _prepared(side).copy()
        placed = sorted(tiles)
        for space, tile_id, rotation_id in placed:
            _lay(position.raw, space, _face(tile_id, rotation_id))
        self._set(position, side, tuple(placed))

    def _set(self, position: Position, side: int, tiles: tuple[PlacedTile, ...]) -> None:
        for name, value in (("_position", position), ("side", side), ("tiles", tiles)):
            object.__setattr__(self, name, value)

    def _after(self, move: Move) -> "GameState":
        """Return the state after an available move."""
        position = self._position.copy()
        _lay(position.raw, move.space, _face(move.tile_id, move.rotation_id))
        state = object.__new__(GameState)
        state._set(position, self.side, tuple(sorted((*self.tiles, (move.space, move.tile_id, move.rotation_id)))))
        return state

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a GameState does not change: {name} cannot be set")

    @property
    def position(self) -> Position:
        """Return a copy of the position, without a next tile."""
        return self._position.copy()

    @property
    def raw(self) -> RawPosition:
        """Return the position in the rules' layout. Do not change it."""
        return self._position.raw

    def __reduce__(self) -> tuple[Any, ...]:
        return GameState, (self.tiles, self.side)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and (self.side, self.tiles) == (other.side, other.tiles)

    def __hash__(self) -> int:
        return hash((self.side, self.tiles))

    def __repr__(self) -> str:
        return f"GameState({list(self.tiles)!r}, side={self.side})"


# The state of the game


def initial_game_state(side: int = PUBLISHED_SIDE) -> GameState:
    """Return the empty board. Raises ParameterError unless the side is an even number from 4 to 12."""
    return GameState(side=side)


def get_game_tiles(state: GameState) -> list[PlacedTile]:
    """Return the placed tiles, each `((x, y), tile, rotation)`, sorted by space."""
    return list(state.tiles)


def get_open_paths(state: GameState) -> list[Path]:
    """Return the paths that have left their trains and not arrived, in the order of `entry_point`."""
    return [_path(path) for path in _paths(state) if not path.closed]


def get_closed_paths(state: GameState) -> list[Path]:
    """Return the paths from a train to a station, outer or central, in the order of `entry_point`."""
    return [_path(path) for path in _paths(state) if path.closed]


def get_path_entry(path: Path) -> Space:
    """Return the space outside the board from which the train of a path comes: “Punctul de intrare este coordonata spațiului
    din afara hărții de unde vine trenul.”
    """
    return path.entry


def get_path_tiles(path: Path) -> list[TurnedTile]:
    """Return the tiles of a path, each `(tile, rotation)`, in the order travelled."""
    return list(path.tiles)


def get_path_points(state: GameState, path: Path) -> int:
    """Return the points of a path: its length, twice its length if it ends in the centre, or 0 while it is open.

    Raises NotationError if the state has no such path.
    """
    for found in _paths(state):
        if _path(found) == path:
            return found.points
    raise NotationError(f"the state has no such path from {path.entry}")


def get_score(state: GameState) -> int:
    """Return the points of all closed paths together."""
    return int(state.raw.points[0])


# Moves


@overload
def available_move(state: GameState) -> list[Move]: ...
@overload
def available_move(state: GameState, move: Move) -> bool: ...
def available_move(state: GameState, move: Move | None = None) -> list[Move] | bool:
    """Return whether a move is available, or all available moves, sorted by space (along the rows), tile and rotation."""
    if move is None:
        found: list[tuple[int, int]] = []
        for face, (tile, times) in enumerate(FACES, 1):
            words = (int(rules.fitting(state.raw, turnable(tile), word, times)) for word in range(board.WORDS))
            found += ((number, face) for number in board.spaces_in(words))
        return [Move(board.place_of(state.side, number), *_ids(face)) for number, face in sorted(found)]
    try:
        return not refusal(state, move)
    except NotationError:
        return False


def refusal(state: GameState, move: Move, language: str = ENGLISH) -> str:
    """Return a sentence with the reason why a move is not available, or an empty text if it is.

    Raises NotationError for an unknown tile or rotation.
    """
    return why_not(state.raw, move.space, _face(move.tile_id, move.rotation_id), language)


def why_not(raw: RawPosition, space: Space, face: int, language: str = ENGLISH) -> str:
    """Return a sentence with the reason why an oriented tile cannot be placed on a space, or an empty text if it can."""
    return _in_words(why_not_placed(raw, space, face, SPACE, TILE), language)


def get_move_space(move: Move) -> Space:
    """Return the space of a move. `Move(space, tile_id, rotation_id)` builds a move."""
    return move.space


def get_move_tile_id(move: Move) -> str:
    """Return the tile of a move."""
    return move.tile_id


def get_move_rotation_id(move: Move) -> str:
    """Return the rotation of a move."""
    return move.rotation_id


def apply_move(state: GameState, move: Move) -> GameState:
    """Return the state after a move. `state` does not change. “Starea jocului în care se ajunge după aplicarea unei mutări.”

    Raises NotationError for an unknown tile or rotation, and IllegalActionError with the reason if the move is not
    available.
    """
    if reason := refusal(state, move):
        raise IllegalActionError(reason)
    return state._after(move)


# A whole game


def pick_move(state: GameState, tile_id: str, *, tries: int = TRIES) -> Move | None:
    """Return a good move with the next tile (see `strategy.choose`), or None if it has no place.

    `tries` is the approximate number of games that are played to find it. A game takes about 16 microseconds. The same
    number finds the same move. With 0 no game is played and nothing is compiled. Raises NotationError for an unknown tile,
    ValueError for a negative number.
    """
    from ludoteca.games.metro.play import strategy

    tile = _tile(tile_id)
    if tries < 0:
        raise ValueError(f"tries: read {tries}, expected 0 or more")
    action = strategy.choose(state.position, turnable(tile), tries)
    if action < 0:
        return None
    return Move(board.place_of(state.side, space_of(action)), tile_id, ROTATION_IDS[rotation_of(action)])


def play_game(
    next_tile: Callable[[int], str | None] | None = None,
    *,
    side: int = PUBLISHED_SIDE,
    seed: int | None = None,
    tries: int = TRIES,
) -> GameState:
    """Play a whole game with `pick_move` and return its last state.

    `next_tile` returns the tile after a number of moves, or None to end the game. Without it tiles are drawn at random, and
    all ten are equally likely. The same tiles or the same seed, with the same `tries`, give the same game. Raises
    NotationError for an unknown tile, ValueError for negative `tries`.
    """
    state = initial_game_state(side)
    tiles = next_tile or _random_tiles(seed)
    while (tile_id := tiles(len(state.tiles))) is not None and (move := pick_move(state, tile_id, tries=tries)) is not None:
        state = apply_move(state, move)
    return state


def _random_tiles(seed: int | None) -> Callable[[int], str]:
    rng = new_rng(secrets.randbits(64) if seed is None else seed)
    return lambda _: TILE_IDS[draw(rng, IDS)]


# The data of the base file


def width(side: int = PUBLISHED_SIDE) -> int:
    """Return the number of columns."""
    return side


def height(side: int = PUBLISHED_SIDE) -> int:
    """Return the number of rows."""
    return side


def limits(side: int = PUBLISHED_SIDE) -> tuple[int, int, int, int]:
    """Return the first x and y of the board, then the last ones."""
    return 1, 1, side, side


def exterior(side: int = PUBLISHED_SIDE) -> tuple[int, int, int, int]:
    """Return the x and y just outside the board: left and above, then right and below."""
    return 0, 0, side + 1, side + 1


def center_space(side: int = PUBLISHED_SIDE) -> list[Space]:
    """Return the four spaces on which no tile may be placed, such as `[(4, 4), (4, 5), (5, 4), (5, 5)]`."""
    middle = (side // 2, side // 2 + 1)
    return [(x, y) for x in middle for y in middle if board.is_centre(side, (x, y))]


def entry_point(side: int = PUBLISHED_SIDE) -> list[tuple[int, int, str]]:
    """Return the places of trains and their directions, `s` for down: those above, below, on the left, on the right."""
    return [(*train.outside, direction) for _, train, direction in _trains(side)]


def exit_point(side: int = PUBLISHED_SIDE) -> list[tuple[int, int, str]]:
    """Return the stations and the directions of arrival: the outer ones as in `entry_point`, then the 8 central ones.

    An outer station is a place outside the board. A central station is the space of the centre that the train enters.
    """
    outer = [(*train.outside, _DIRECTIONS[train.side]) for _, train, _ in _trains(side)]
    central = [
        (*space, direction)
        for direction in _TRAINS_GO
        for space in center_space(side)
        if not board.is_centre(side, board.beyond(space, _DIRECTIONS.index(direction) ^ 2))
    ]
    return outer + central


def tile() -> list[tuple[int, int, int, int, str]]:
    """Return the ten tiles, each with four numbers and its id.

    The numbers are for tracks that enter on the left, below, on the right and above. Each is the number of sides,
    counter-clockwise, from the entry to the exit.
    """
    return [(tracks[0], tracks[1], tracks[2], tracks[3], tile_id) for tile_id, tracks in zip(TILE_IDS, TILES, strict=True)]


def rotation() -> list[tuple[int, str]]:
    """Return the number of places by which each rotation shifts a tile's list to the right, and the rotation's id."""
    return list(enumerate(ROTATION_IDS))


# From texts to numbers, and back


def _tile(tile_id: str) -> int:
    if tile_id not in TILE_IDS:
        raise NotationError(f"read the tile {tile_id!r}, expected one of {', '.join(TILE_IDS)}")
    return TILE_IDS.index(tile_id) + 1


def _face(tile_id: str, rotation_id: str) -> int:
    """Return the number of the oriented tile. Raises NotationError if there is no such tile, or it has no such rotation."""
    number = _tile(tile_id)
    possible = ROTATION_IDS[: distinct_rotations(number)]
    if rotation_id not in possible:
        raise NotationError(f"read the rotation {rotation_id!r}, expected {' or '.join(possible)} for {tile_id}")
    return oriented(number, possible.index(rotation_id))


def _ids(face: int) -> TurnedTile:
    number, times = FACES[face - 1]
    return TILE_IDS[number - 1], ROTATION_IDS[times]


@cache
def _prepared(side: int) -> Position:
    """Return the position of an empty board."""
    return load("metro", side=side).prepared


@cache
def _trains(side: int) -> list[tuple[int, board.Train, str]]:
    """Return the trains with their numbers and directions, in the order of the base file."""
    going = [(number, train, _DIRECTIONS[train.side ^ 2]) for number, train in enumerate(board.trains(side), 1)]
    return sorted(going, key=lambda each: (_TRAINS_GO.index(each[2]), each[1].outside))


def _lay(raw: RawPosition, space: Space, face: int) -> None:
    """Place a tile, even if it could not be the last one. Raises NotationError if the space is taken or does not exist."""
    if why := _in_words(why_no_space(raw, space, SPACE), ENGLISH):
        raise NotationError(why)
    number = board.space_at(int(raw.side), space)
    if raw.faces[number] != NONE:
        raise NotationError(f"two tiles lie on {SPACE.format(*space)}")
    rules.place(raw, number, face)


def _in_words(why: Message | None, language: str) -> str:
    return in_words(why, catalogue("ludoteca.games.metro", language)) if why else ""


def _paths(state: GameState) -> list[TracedPath]:
    """Return the paths of the trains that have left, in the order of the base file."""
    found = (path_of(state.raw, number) for number, _, _ in _trains(state.side))
    return [path for path in found if path.steps]


def _path(path: TracedPath) -> Path:
    return Path(path.train.outside, tuple(_ids(step.face) for step in path.steps))
