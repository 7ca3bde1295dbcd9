"""Our predicates with one function replaced: what students' programs do wrong, each named after what it breaks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.judging import Mutant
from ludoteca.games.metro import PUBLISHED_SIDE, predicates
from ludoteca.games.metro.board import Place, beyond, border, is_centre, numbers
from ludoteca.games.metro.paths import Step, TracedPath, trains_of
from ludoteca.games.metro.predicates import ROTATION_IDS, TILE_IDS, TRIES, GameState, Move, Path, Space, TurnedTile
from ludoteca.games.metro.tiles import FACES, NONE, SIDES, TILES, Tracks, distinct_rotations, rotated

# Which moves are available

Near = Callable[[GameState, Space], bool]
Fits = Callable[[Sequence[int], Sequence[int]], bool]
Answer = list[Move] | bool


def is_near(state: GameState, space: Space) -> bool:
    """On the edge or beside a tile, and not in the centre."""
    beside = bool(border(state.side, space)) or _is_beside_tile(state, space)
    return beside and not is_centre(state.side, space)


def _is_beside_tile(state: GameState, space: Space) -> bool:
    taken = {each for each, _, _ in state.tiles}
    return any(beyond(space, side) in taken for side in range(SIDES))


def is_long(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """No path of length 1 arises."""
    return not any(ways[side] in edges for side in edges)


def _moves(
    state: GameState, near: Near = is_near, fits: Fits = is_long, turns: Callable[[int], int] = distinct_rotations
) -> Iterator[Move]:
    """All that may be made, as the rules have it or with a part of them changed."""
    taken = {space for space, _, _ in state.tiles}
    for space in ((x, y) for x in range(1, state.side + 1) for y in range(1, state.side + 1)):
        if space not in taken and near(state, space):
            edges = border(state.side, space)
            for number, tile_id in enumerate(TILE_IDS, 1):
                for times in range(turns(number)):
                    if fits(_ways(rotated(TILES[number - 1], times)), edges):
                        yield Move(space, tile_id, ROTATION_IDS[times])


def _ways(tracks: Tracks) -> tuple[int, ...]:
    return tuple((side + turn) % SIDES for side, turn in enumerate(tracks))


def _given(moves: Iterator[Move], move: Move | None) -> Answer:
    return [*moves] if move is None else move in moves


def available_anywhere(state: GameState, move: Move | None = None) -> Answer:
    return _given(_moves(state, near=lambda state, space: not is_centre(state.side, space)), move)


def available_at_the_edge(state: GameState, move: Move | None = None) -> Answer:
    return _given(_moves(state, near=lambda state, space: bool(border(state.side, space))), move)


def available_beside_tiles(state: GameState, move: Move | None = None) -> Answer:
    """The first tile goes to the edge, all others go beside tiles."""

    def near(state: GameState, space: Space) -> bool:
        beside = _is_beside_tile(state, space) and not is_centre(state.side, space)
        return beside if state.tiles else bool(border(state.side, space))

    return _given(_moves(state, near=near), move)


def available_beside_the_centre(state: GameState, move: Move | None = None) -> Answer:
    """The centre counts as a tile."""

    def near(state: GameState, space: Space) -> bool:
        around = (beyond(space, side) for side in range(SIDES))
        beside = is_near(state, space) or any(is_centre(state.side, place) for place in around)
        return beside and not is_centre(state.side, space)

    return _given(_moves(state, near=near), move)


def available_beside_corners(state: GameState, move: Move | None = None) -> Answer:
    """A tile that touches at a corner only counts, too."""

    def near(state: GameState, space: Space) -> bool:
        taken, (x, y) = {each for each, _, _ in state.tiles}, space
        corners = {(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)}
        return (is_near(state, space) or bool(corners & taken)) and not is_centre(state.side, space)

    return _given(_moves(state, near=near), move)


def available_in_the_centre(state: GameState, move: Move | None = None) -> Answer:
    def near(state: GameState, space: Space) -> bool:
        return is_near(state, space) or is_centre(state.side, space)

    return _given(_moves(state, near=near), move)


def available_of_length_1(state: GameState, move: Move | None = None) -> Answer:
    return _given(_moves(state, fits=lambda *_: True), move)


def available_around_corners(state: GameState, move: Move | None = None) -> Answer:
    """Only a track that comes out where it went in is a path of length 1."""

    def fits(ways: Sequence[int], edges: Sequence[int]) -> bool:
        return not any(ways[side] == side for side in edges)

    return _given(_moves(state, fits=fits), move)


def available_in_four_rotations(state: GameState, move: Move | None = None) -> Answer:
    return _given(_moves(state, turns=lambda _: SIDES), move)


def available_without_rotations(state: GameState, move: Move | None = None) -> Answer:
    return _given(_moves(state, turns=lambda _: 1), move)


def available_twice(state: GameState, move: Move | None = None) -> Answer:
    """What is both on the edge and beside a tile is given twice."""
    moves = [
        *_moves(
            state,
        )
    ]
    if move is not None:
        return move in moves
    edge = [each for each in moves if border(state.side, each.space)]
    return edge + [each for each in moves if _is_beside_tile(state, each.space)]


# Where paths lead


def path_clockwise(state: RawPosition, number: int) -> TracedPath:
    """Sides are counted clockwise."""
    return _trace(state, number, lambda tracks, side: (side - tracks[side]) % SIDES)


def path_rotated_back(state: RawPosition, number: int) -> TracedPath:
    """The list of a rotated tile is shifted to the left."""
    return _trace(state, number, rotation=lambda times: -times % SIDES)


def path_unrotated(state: RawPosition, number: int) -> TracedPath:
    return _trace(state, number, rotation=lambda _: 0)


def path_to_a_tile_again(state: RawPosition, number: int) -> TracedPath:
    """A path is at its end where it comes to a tile for the second time."""
    return _trace(state, number, again=False)


def path_open_in_the_centre(state: RawPosition, number: int) -> TracedPath:
    path = _trace(state, number)
    return path._replace(closed=path.closed and not path.central)


def _trace(
    state: RawPosition,
    number: int,
    way: Callable[[Tracks, int], int] = lambda tracks, side: (side + tracks[side]) % SIDES,
    rotation: Callable[[int], int] = lambda times: times,
    again: bool = True,
) -> TracedPath:
    """As `paths.path_of`, with parts of it changed. A path that would go on without end stops."""
    side = int(state.side)
    space_of, train = numbers(side), trains_of(side)[number - 1]
    place, entered, steps = train.inside, train.side, list[Step]()
    while place in space_of and (face := int(state.faces[space_of[place]])) != NONE:
        if len(steps) > SIDES * len(space_of) or (not again and place in [step.place for step in steps]):
            break
        tile, times = FACES[face - 1]
        left = way(rotated(TILES[tile - 1], rotation(times)), entered)
        steps.append(Step(place, face, entered, left))
        place, entered = beyond(place, left), left ^ 2
    closed = place not in space_of
    return TracedPath(number, train, tuple(steps), place, closed=closed, central=closed and is_centre(side, place))


# What is told of paths and moves


def entry_inside(path: Path) -> Space:
    """The space that the train enters."""
    x, y = (min(max(at, 1), PUBLISHED_SIDE) for at in path.entry)
    return x, y


def each_tile_once(path: Path) -> list[TurnedTile]:
    return list(dict.fromkeys(path.tiles))


def tiles_backwards(path: Path) -> list[TurnedTile]:
    return list(path.tiles)[::-1]


def all_paths(state: GameState) -> list[Path]:
    """Closed paths are open ones, too."""
    return get_open_paths(state) + predicates.get_closed_paths(state)


get_open_paths = predicates.get_open_paths


def paths_of_all_trains(state: GameState) -> list[Path]:
    """A train without a tile before it has an open path, which is empty."""
    left = {path.entry for path in get_open_paths(state) + predicates.get_closed_paths(state)}
    waiting = [train.outside for train in trains_of(state.side) if train.outside not in left]
    return get_open_paths(state) + [Path(entry, ()) for entry in waiting]


def closed_at_home(state: GameState) -> list[Path]:
    """Only paths that come back to their own station are closed."""
    return [path for path in get_closed_paths(state) if path.entry == _end_of(state, path.entry)]


get_closed_paths = predicates.get_closed_paths


def _end_of(state: GameState, entry: Space) -> Place:
    train = next(number for number, each in enumerate(trains_of(state.side), 1) if each.outside == entry)
    return _trace(state.raw, train).end


def rotation_and_blank(move: Move) -> str:
    return f"{move.rotation_id} "


def row_and_column(move: Move) -> Space:
    return move.space[1], move.space[0]


# Whole games


def pick_at_the_edge(state: GameState, tile_id: str, *, tries: int = TRIES) -> Move | None:
    """No place but those on the edge is found."""
    moves = (move for move in _moves(state) if move.tile_id == tile_id)
    return next((move for move in moves if border(state.side, move.space)), None)


def play_without_the_last(
    next_tile: Callable[[int], str | None] | None = None,
    *,
    side: int = PUBLISHED_SIDE,
    seed: int | None = None,
    tries: int = TRIES,
) -> GameState:
    """The game ends a tile too early."""
    end = play_game(next_tile, seed=seed, tries=tries)
    return GameState(end.tiles[:-1])


def play_till_the_board_is_full(
    next_tile: Callable[[int], str | None] | None = None,
    *,
    side: int = PUBLISHED_SIDE,
    seed: int | None = None,
    tries: int = TRIES,
) -> GameState:
    """A tile that has no place is laid on a free space all the same."""
    end = play_game(next_tile, seed=seed, tries=tries)
    taken = {space for space, _, _ in end.tiles}
    free = [place for place in numbers(end.side) if place not in taken]
    tile_id = (next_tile(len(end.tiles)) if next_tile else None) or TILE_IDS[0]
    return GameState([*end.tiles, *((place, tile_id, ROTATION_IDS[0]) for place in free)])


play_game = predicates.play_game

AVAILABLE: Final = ("predicates", "available_move")

MUTANTS: Final = (
    Mutant("a tile may lie on any free space", "alone", *AVAILABLE, available_anywhere),
    Mutant("a tile may lie on the edge only", "beside", *AVAILABLE, available_at_the_edge),
    Mutant("every tile but the first lies beside another", "edge", *AVAILABLE, available_beside_tiles),
    Mutant("a tile may lie beside the centre alone", "beside-centre", *AVAILABLE, available_beside_the_centre),
    Mutant("a tile may touch others at a corner only", "alone", *AVAILABLE, available_beside_corners),
    Mutant("a tile may lie in the centre", "centre-space", *AVAILABLE, available_in_the_centre),
    Mutant("paths of length 1 may arise", "length-1", *AVAILABLE, available_of_length_1),
    Mutant("a path of length 1 may turn around a corner", "length-1-corner", *AVAILABLE, available_around_corners),
    Mutant("every tile has four rotations", "rotations", *AVAILABLE, available_in_four_rotations),
    Mutant("tiles are not rotated", "rotations", *AVAILABLE, available_without_rotations),
    Mutant("moves are given twice", "all", *AVAILABLE, available_twice),
    Mutant("sides are counted clockwise", "track-1", "paths", "path_of", path_clockwise),
    Mutant("a rotation shifts the list to the left", "rotated", "paths", "path_of", path_rotated_back),
    Mutant("paths do not know of rotations", "rotated", "paths", "path_of", path_unrotated),
    Mutant("a path passes a tile once", "twice", "paths", "path_of", path_to_a_tile_again),
    Mutant("a path that ends in the centre is open", "centre", "paths", "path_of", path_open_in_the_centre),
    Mutant("the entry is the first space on the board", "entry", "predicates", "get_path_entry", entry_inside),
    Mutant("a tile that is passed twice is listed once", "twice", "predicates", "get_path_tiles", each_tile_once),
    Mutant("tiles are listed from the path's end", "order", "predicates", "get_path_tiles", tiles_backwards),
    Mutant("closed paths are open, too", "open", "predicates", "get_open_paths", all_paths),
    Mutant("trains without a tile have open paths", "open", "predicates", "get_open_paths", paths_of_all_trains),
    Mutant("only paths that come home are closed", "closed", "predicates", "get_closed_paths", closed_at_home),
    Mutant("the space of a move is row and column", "move", "predicates", "get_move_space", row_and_column),
    Mutant("no place but those on the edge is found", "pick", "predicates", "pick_move", pick_at_the_edge),
    Mutant("the game ends a tile too early", "game-full", "predicates", "play_game", play_without_the_last),
    Mutant("the game goes on until the board is full", "game-short", "predicates", "play_game", play_till_the_board_is_full),
    Mutant("a blank follows a rotation", "", "predicates", "get_move_rotation_id", rotation_and_blank),
)
