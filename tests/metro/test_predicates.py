"""The assignment's predicates as functions: values that stay valid, moves checked and listed, errors that say why."""

import pickle
from random import Random

import pytest

from ludoteca.core.errors import IllegalActionError, NotationError, ParameterError
from ludoteca.games import metro
from ludoteca.games.metro import GameState, Move
from ludoteca.games.metro.text import predicates
from tests.metro.oracle import Board, available, closed_paths, open_paths, scores
from tests.metro.test_goldens import move_of, played

EXAMPLE = [move_of(text) for text in ("2 1 #5 R0", "2 2 #7 R2", "3 2 #2 R1", "2 3 #3 R2", "3 1 #6 R0", "1 3 #9 R0")]


def test_the_documents_example() -> None:
    state = played(EXAMPLE)
    blue, green = metro.get_closed_paths(state)
    (red,) = metro.get_open_paths(state)
    assert (metro.get_path_entry(blue), metro.get_path_entry(green), metro.get_path_entry(red)) == ((2, 0), (3, 0), (0, 3))
    assert metro.get_path_tiles(blue) == [("#5", "R0"), ("#6", "R0"), ("#2", "R1"), ("#7", "R2"), ("#5", "R0")]
    assert [metro.get_path_points(state, path) for path in (blue, green, red)] == [5, 5, 0]
    assert metro.get_score(state) == 10


@pytest.mark.parametrize("side", [4, 10])
def test_random_games_are_those_of_the_oracle(side: int) -> None:
    random, state, tiles = Random(side), metro.initial_game_state(side), Board()
    for _ in range(2 * side):
        moves = metro.available_move(state)
        assert len(moves) == len(set(moves))
        assert {(space, (tile, int(rotation[1]))) for space, tile, rotation in moves} == available(tiles, side)
        if not moves:
            break
        move = random.choice(moves)
        state = metro.apply_move(state, move)
        tiles[move.space] = (move.tile_id, int(move.rotation_id[1]))
        for found, known in ((metro.get_open_paths, open_paths), (metro.get_closed_paths, closed_paths)):
            assert [(path.entry, [*path.tiles]) for path in found(state)] == [
                (path.entry, [(tile, f"R{turned}") for tile, turned in path.tiles]) for path in known(tiles, side)
            ]
        assert metro.get_score(state) == scores(tiles, side, 1)[0]


# States are values


def test_an_old_state_stays_valid() -> None:
    start = metro.initial_game_state()
    moves = metro.available_move(start)
    after = metro.apply_move(start, moves[0])
    assert metro.get_game_tiles(start) == []
    assert metro.available_move(start) == moves
    assert metro.get_game_tiles(after) == [tuple(moves[0])]


def test_equal_positions_are_equal_however_they_are_reached() -> None:
    state = played(EXAMPLE)
    other = played([EXAMPLE[4], EXAMPLE[5], EXAMPLE[0], *EXAMPLE[1:4]])
    assert (state, hash(state)) == (other, hash(other))
    assert state != played(EXAMPLE[:5])
    assert metro.initial_game_state(6) != metro.initial_game_state(8)


def test_a_state_is_rebuilt_from_its_repr_its_tiles_or_a_pickle() -> None:
    state = played(EXAMPLE)
    assert eval(repr(state)) == state  # its arguments are plain
    assert pickle.loads(pickle.dumps(state)) == state
    rebuilt = GameState(reversed(state.tiles))
    assert (metro.get_score(rebuilt), metro.available_move(rebuilt)) == (10, metro.available_move(state))


def test_a_state_does_not_change() -> None:
    state = metro.initial_game_state()
    with pytest.raises(AttributeError, match="does not change: tiles cannot be set"):
        state.tiles = ()
    state.position.array["side"] = 4
    assert len(metro.available_move(state)) == 448


@pytest.mark.parametrize(
    ("tiles", "says"),
    [
        ([((1, 1), "#9", "R0"), ((1, 1), "#8", "R0")], r"two tiles lie on \(1,1\)"),
        ([((4, 5), "#9", "R0")], r"\(4,5\) is in the centre"),
        ([((9, 5), "#9", "R0")], r"\(9,5\) is outside the board"),
        ([((1, 1), "#0", "R0")], "read the tile '#0', expected one of #1, #2"),
        ([((1, 1), "#4", "R2")], "read the rotation 'R2', expected R0 or R1 for #4"),
    ],
)
def test_tiles_that_cannot_lie_together_make_no_state(tiles: list[predicates.PlacedTile], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        GameState(tiles)


def test_a_side_that_is_no_side() -> None:
    with pytest.raises(ParameterError, match="side: read 7, expected a whole number from 4 to 12 in steps of 2"):
        metro.initial_game_state(7)


# Moves


def test_a_move_is_built_and_read() -> None:
    move = Move((3, 2), "#2", "R1")
    parts = metro.get_move_space(move), metro.get_move_tile_id(move), metro.get_move_rotation_id(move)
    assert parts == ((3, 2), "#2", "R1")


REFUSED = [
    ("1 1 #1 R0", "tile #1 R0 on (1,1) would make a path of length 1, from a train straight to a station"),
    ("2 1 #9 R0", "(2,1) is taken: tile #5 R0 lies there"),
    ("4 4 #9 R0", "(4,4) is in the centre, where no tile may lie"),
    ("3 -1 #9 R0", "(3,-1) is outside the board: x and y are from 1 to 8"),
]


@pytest.mark.parametrize(("text", "says"), REFUSED)
def test_a_move_that_is_not_available_is_refused_with_the_reason(text: str, says: str) -> None:
    state = played(EXAMPLE)
    with pytest.raises(IllegalActionError) as refused:
        metro.apply_move(state, move_of(text))
    assert str(refused.value) == says
    assert not metro.available_move(state, move_of(text))
    assert state == played(EXAMPLE)


@pytest.mark.parametrize("text", ["1 1 #11 R0", "1 1 #9 R1", "1 1 #7 0"])
def test_unknown_tiles_and_rotations_are_not_available_and_named_when_applied(text: str) -> None:
    state = metro.initial_game_state()
    assert not metro.available_move(state, move_of(text))
    with pytest.raises(NotationError, match="expected"):
        metro.apply_move(state, move_of(text))


def test_a_path_of_another_state_has_no_points_here() -> None:
    path = metro.get_open_paths(played(EXAMPLE))[0]
    with pytest.raises(NotationError, match=r"no such path from \(0, 3\)"):
        metro.get_path_points(metro.initial_game_state(), path)


# The data of the base file


def test_the_board() -> None:
    assert (metro.width(), metro.height(), metro.limits(), metro.exterior(6)) == (8, 8, (1, 1, 8, 8), (0, 0, 7, 7))
    assert metro.center_space() == [(4, 4), (4, 5), (5, 4), (5, 5)]
    assert metro.entry_point(4)[::3] == [(1, 0, "s"), (4, 0, "s"), (3, 5, "n"), (0, 2, "e"), (5, 1, "w"), (5, 4, "w")]
    assert metro.exit_point(4)[:16:5] == [(1, 0, "n"), (2, 5, "s"), (0, 3, "w"), (5, 4, "e")]


def test_the_central_stations_are_entered_from_outside_the_centre() -> None:
    central = metro.exit_point()[32:]
    assert central == [
        (4, 4, "s"), (5, 4, "s"), (4, 5, "n"), (5, 5, "n"), (4, 4, "e"), (4, 5, "e"), (5, 4, "w"), (5, 5, "w"),
    ]  # fmt: skip
    assert [len(metro.exit_point(side)) for side in (4, 8, 12)] == [24, 40, 56]


def test_the_tiles() -> None:
    assert metro.tile()[1:3] == [(0, 0, 1, 3, "#2"), (0, 1, 1, 2, "#3")]
    assert [tile_id for *_, tile_id in metro.tile()] == [f"#{number}" for number in range(1, 11)]
    assert metro.rotation() == [(0, "R0"), (1, "R1"), (2, "R2"), (3, "R3")]
