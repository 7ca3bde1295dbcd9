"""Functions of our predicates with a mistake of students' programs, from which the mutants are made."""

from collections.abc import Callable, Iterator, Sequence

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.board import beyond, border, is_centre, numbers
from ludoteca.games.metro.paths import Step, TracedPath, trains_of
from ludoteca.games.metro.sides import PUBLISHED_SIDE
from ludoteca.games.metro.text import predicates
from ludoteca.games.metro.text.predicates import ROTATION_IDS, TILE_IDS, TRIES, GameState, Move, Path, Space
from ludoteca.games.metro.tiles import (
    EAST,
    FACES,
    NONE,
    NORTH,
    SIDES,
    TILES,
    WEST,
    Tracks,
    distinct_rotations,
    rotated,
)

# Which moves are available

Near = Callable[[GameState, Space], bool]
Fits = Callable[[Sequence[int], Sequence[int]], bool]
Answer = list[Move] | bool
Available = Callable[..., Answer]


def is_free(state: GameState, space: Space) -> bool:
    return space not in _taken(state)


def _taken(state: GameState) -> set[Space]:
    return {each for each, _, _ in state.tiles}


def _beside(state: GameState, space: Space, sides: Sequence[int] = range(SIDES)) -> int:
    """The number of tiles next to a space."""
    return sum(beyond(space, side) in _taken(state) for side in sides)


def is_near(state: GameState, space: Space) -> bool:
    """The right rule: on the edge or next to a tile, and not in the centre."""
    return not is_centre(state.side, space) and bool(border(state.side, space) or _beside(state, space))


def is_long(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """The right rule: no path of length 1 arises."""
    return not any(ways[side] in edges for side in edges)


def is_anywhere(state: GameState, space: Space) -> bool:
    return not is_centre(state.side, space)


def is_on_the_edge(state: GameState, space: Space) -> bool:
    return bool(border(state.side, space))


def is_on_the_upper_or_left_edge(state: GameState, space: Space) -> bool:
    return is_near(state, space) and bool(1 in space or _beside(state, space))


def is_on_the_edge_between_corners(state: GameState, space: Space) -> bool:
    return is_near(state, space) and bool(len(border(state.side, space)) == 1 or _beside(state, space))


def is_beside_once_begun(state: GameState, space: Space) -> bool:
    """The first tile goes to the edge, all others go next to tiles."""
    return is_near(state, space) and (not state.tiles or _beside(state, space) > 0)


def is_in_a_row(state: GameState, space: Space) -> bool:
    """A tile above or below is no neighbour."""
    return is_near(state, space) and bool(border(state.side, space) or _beside(state, space, (WEST, EAST)))


def is_near_the_centre(state: GameState, space: Space) -> bool:
    """The centre counts as a tile."""
    beside = any(is_centre(state.side, beyond(space, side)) for side in range(SIDES))
    return not is_centre(state.side, space) and (beside or is_near(state, space))


def is_near_a_corner(state: GameState, space: Space) -> bool:
    """A tile that touches only at a corner counts, too."""
    x, y = space
    corners = {(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)}
    return not is_centre(state.side, space) and (is_near(state, space) or bool(corners & _taken(state)))


def is_near_or_central(state: GameState, space: Space) -> bool:
    return is_near(state, space) or is_centre(state.side, space)


def is_near_or_partly_central(state: GameState, space: Space) -> bool:
    """The centre is a single space."""
    middle = state.side // 2
    return is_near(state, space) or (is_centre(state.side, space) and space != (middle, middle))


def comes_out_elsewhere(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """Only a track that comes out on the side of its entry is a path of length 1."""
    return not any(ways[side] == side for side in edges)


def goes_around_corners_one_way(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """A path of length 1 around a corner is refused in one direction only."""
    return comes_out_elsewhere(ways, edges) and not (len(edges) > 1 and ways[min(edges)] == max(edges))


def goes_around_corners_only(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """Only a path of length 1 around a corner is refused."""
    return not any(ways[side] in edges and ways[side] != side for side in edges)


def is_long_above_and_left(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """Trains on the right and below are forgotten."""
    return not any(ways[side] in edges for side in edges if side in (NORTH, WEST))


def is_long_from_one_side(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """A space in a corner has one train."""
    return not edges or ways[edges[0]] != edges[0]


def comes_back_nowhere(ways: Sequence[int], edges: Sequence[int]) -> bool:
    """On the edge, no track of a tile may come out on the side of its entry."""
    return is_long(ways, edges) and not (edges and any(way == side for side, way in enumerate(ways)))


def once_for_the_edge_and_once_for_neighbours(state: GameState, move: Move) -> int:
    return bool(border(state.side, move.space)) + bool(_beside(state, move.space))


def once_for_each_edge(state: GameState, move: Move) -> int:
    return max(1, len(border(state.side, move.space)))


def available(
    near: Near = is_near,
    fits: Fits = is_long,
    turns: Callable[[int], int] = distinct_rotations,
    copies: Callable[[GameState, Move], int] = lambda *_: 1,
    free: Near = is_free,
) -> Available:
    """Return `available_move` with a part of it changed."""

    def available_move(state: GameState, move: Move | None = None) -> Answer:
        moves = _moves(state, near, fits, turns, free)
        return [each for each in moves for _ in range(copies(state, each))] if move is None else move in moves

    return available_move


def _moves(
    state: GameState, near: Near, fits: Fits, turns: Callable[[int], int] = distinct_rotations, free: Near = is_free
) -> Iterator[Move]:
    for space in ((x, y) for x in range(1, state.side + 1) for y in range(1, state.side + 1)):
        if free(state, space) and near(state, space):
            edges = border(state.side, space)
            for number, tile_id in enumerate(TILE_IDS, 1):
                for times in range(turns(number)):
                    if fits(_ways(rotated(TILES[number - 1], times)), edges):
                        yield Move(space, tile_id, ROTATION_IDS[times])


def _ways(tracks: Tracks) -> tuple[int, ...]:
    return tuple((side + turn) % SIDES for side, turn in enumerate(tracks))


# Where paths lead


def central_is_open(state: RawPosition, number: int) -> TracedPath:
    path = trace(state, number)
    return path._replace(closed=path.closed and not path.central)


def closed_at_a_tile_again(state: RawPosition, number: int) -> TracedPath:
    """A path that comes to a tile for the second time has arrived."""
    whole, path = trace(state, number), trace(state, number, again=False)
    return path._replace(closed=path.closed or len(path.steps) < len(whole.steps))


def none_to_a_tile_again(state: RawPosition, number: int) -> TracedPath:
    """A path that passes a tile twice is no path."""
    path = trace(state, number)
    return path if len({step.place for step in path.steps}) == len(path.steps) else path._replace(steps=())


def trace(
    state: RawPosition,
    number: int,
    way: Callable[[Tracks, int], int] = lambda tracks, side: (side + tracks[side]) % SIDES,
    turned: Callable[[Tracks, int], Tracks] = rotated,
    again: bool = True,
) -> TracedPath:
    """Return the path as `paths.path_of` does, with parts of that function changed. An endless path stops."""
    side = int(state.side)
    space_of, train = numbers(side), trains_of(side)[number - 1]
    place, entered, steps = train.inside, train.side, list[Step]()
    while place in space_of and (face := int(state.faces[space_of[place]])) != NONE:
        if len(steps) > SIDES * len(space_of) or (not again and place in [step.place for step in steps]):
            break
        tile, times = FACES[face - 1]
        left = way(turned(TILES[tile - 1], times), entered)
        steps.append(Step(place, face, entered, left))
        place, entered = beyond(place, left), left ^ 2
    closed = place not in space_of
    return TracedPath(number, train, tuple(steps), place, closed=closed, central=closed and is_centre(side, place))


def added(tracks: Tracks, times: int) -> Tracks:
    """A rotation turns only the ends of connections."""
    a, b, c, d = ((turn + times) % SIDES for turn in tracks)
    return a, b, c, d


# Answers about paths and moves

get_open_paths = predicates.get_open_paths
get_closed_paths = predicates.get_closed_paths


def entry_inside(path: Path) -> Space:
    """The space that the train enters."""
    x, y = (min(max(at, 1), PUBLISHED_SIDE) for at in path.entry)
    return x, y


def all_paths(state: GameState) -> list[Path]:
    """Closed paths also count as open paths."""
    return get_open_paths(state) + get_closed_paths(state)


def paths_of_all_trains(state: GameState) -> list[Path]:
    """A train without a tile before it has an open path, which is empty."""
    left = {path.entry for path in all_paths(state)}
    waiting = [train.outside for train in trains_of(state.side) if train.outside not in left]
    return get_open_paths(state) + [Path(entry, ()) for entry in waiting]


def closed_if(is_listed: Callable[[TracedPath], bool]) -> Callable[[GameState], list[Path]]:
    """Return `get_closed_paths` with only some of the paths."""

    def some_closed_paths(state: GameState) -> list[Path]:
        numbers = {train.outside: number for number, train in enumerate(trains_of(state.side), 1)}
        return [path for path in get_closed_paths(state) if is_listed(trace(state.raw, numbers[path.entry]))]

    return some_closed_paths


def is_at_home(path: TracedPath) -> bool:
    return path.end == path.train.outside


# Whole games


def pick_at_the_edge(state: GameState, tile_id: str, *, tries: int = TRIES) -> Move | None:
    """Only places on the edge are found."""
    moves = (move for move in _moves(state, is_on_the_edge, is_long) if move.tile_id == tile_id)
    return next(moves, None)


def play_game_with(end_of: Callable[[GameState, Callable[[int], str | None]], GameState]) -> Callable[..., GameState]:
    """Return `play_game` with another end."""

    def play_otherwise(
        next_tile: Callable[[int], str | None] | None = None,
        *,
        side: int = PUBLISHED_SIDE,
        seed: int | None = None,
        tries: int = TRIES,
    ) -> GameState:
        return end_of(play_game(next_tile, seed=seed, tries=tries), next_tile or (lambda _: TILE_IDS[0]))

    return play_otherwise


play_game = predicates.play_game


def without_the_last(end: GameState, _: object) -> GameState:
    """The game ends a tile too early."""
    return GameState(end.tiles[:-1])


def until_the_board_is_full(end: GameState, next_tile: Callable[[int], str | None]) -> GameState:
    """A tile without a legal place is laid on a free space."""
    free = [place for place in numbers(end.side) if place not in _taken(end)]
    tile_id = next_tile(len(end.tiles)) or TILE_IDS[0]
    return GameState([*end.tiles, *((place, tile_id, ROTATION_IDS[0]) for place in free)])
