"""Every rule of the document and of the published game, each with a position."""

from collections import Counter
from typing import Any

import pytest

import ludoteca
from ludoteca.core.errors import IllegalActionError, NotationError, ParameterError
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import board, rules, tiles
from ludoteca.games.metro.board import DECLINE, action_of
from ludoteca.games.metro.paths import path_of, paths_of
from ludoteca.testing import MOST_DEVIATIONS, check_deals, uniformity

EMPTY_4 = "4/1,*,*,1/1,*,*,1/4"
EMPTY_8 = "8/8/8/3,*,*,3/3,*,*,3/8/8/8"
GENERATOR = "0123456789abcdef"


def solo(rows: str, tile: int, side: int = 4, mover: str = "1") -> State:
    return ludoteca.load("metro", side=side).state_from_string(f"{rows} {mover} {tile} {GENERATOR}")


def published(players: int, seed: int = 1, **chosen: Any) -> State:
    return ludoteca.load("metro", players=players, **chosen).new_initial_state(seed)


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def texts(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def reason(state: State, text: str) -> str:
    before = str(state)
    with pytest.raises(IllegalActionError) as caught:
        play(state, text)
    assert str(state) == before
    return str(caught.value)


def at_the_end(state: State, seed: int = 1) -> State:
    rng = new_rng(seed)
    while not state.is_terminal():
        state.apply_action(state.random_action(rng))
    return state


# The board and the tiles


@pytest.mark.parametrize(("side", "spaces"), [(4, 12), (6, 32), (8, 60), (10, 96), (12, 140)])
def test_boards(side: int, spaces: int) -> None:
    assert board.number_of_spaces(side) == len(board.spaces(side)) == spaces
    assert [board.space_at(side, place) for place in board.spaces(side)] == list(range(spaces))
    assert len(board.trains(side)) == len(set(board.outer_stations(side))) == 4 * side
    assert len(set(board.central_stations(side))) == 8


def test_trains_are_numbered_from_the_top_right_corner_anticlockwise() -> None:
    outside = [train.outside for train in board.trains(8)]
    assert [outside[number - 1] for number in (1, 8, 9, 16, 17, 24, 25, 32)] == [
        (8, 0), (1, 0), (0, 1), (0, 8), (1, 9), (8, 9), (9, 8), (9, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(("players", "each", "nobody"), [(1, 32, []), (2, 16, []), (3, 10, [16, 17]), (4, 8, []),
                                                         (5, 6, [16, 17]), (6, 5, [16, 17])])  # fmt: skip
def test_owners(players: int, each: int, nobody: list[int]) -> None:
    owners = board.owners(8, players)
    assert [owners.count(player) for player in range(players)] == [each] * players
    assert [number for number, owner in enumerate(owners, 1) if owner == board.NOBODY] == nobody


def test_a_rotation_shifts_the_list_to_the_right() -> None:
    """“Cartea #3, rotită o dată, va fi reprezentată prin lista +2, +0, +1, +1.”"""
    assert tiles.rotated(tiles.TILES[3 - 1], 1) == (2, 0, 1, 1)
    assert [tiles.distinct_rotations(tile) for tile in range(1, 11)] == [1, 4, 4, 2, 4, 1, 4, 2, 1, 1]
    assert tiles.ORIENTED == 24


def test_turning_a_tile_turns_its_tracks() -> None:
    for tile in range(1, 11):
        plain = tiles.exits(tiles.oriented(tile, 0))
        for times in range(tiles.distinct_rotations(tile)):
            turned = tiles.exits(tiles.oriented(tile, times))
            assert all(turned[(side + times) % 4] == (way_out + times) % 4 for side, way_out in enumerate(plain))


# Legal places of a tile


def test_on_the_empty_board_a_straight_tile_has_one_rotation_in_corners_and_on_edges() -> None:
    assert texts(solo(EMPTY_4, 9)) == [f"{x} {y} R0" for x, y in board.spaces(4)]


def test_a_tile_goes_on_the_edge_or_beside_a_tile_not_beside_the_centre() -> None:
    state = solo("6/6/2,*,*,2/2,*,*,2/6/2,9R0,3", 9, side=6)
    assert "3 5 R0" in texts(state)
    assert "2 5 R0" not in texts(state)
    assert reason(state, "2 5 R0") == "2 5 is neither on the edge of the board nor next to a tile"
    assert reason(state, "2 3 R0") == "2 3 is neither on the edge of the board nor next to a tile"


def test_no_path_of_length_1_may_arise() -> None:
    state = solo(EMPTY_8, 4, side=8)
    assert "4 1 R0" in texts(state)
    assert reason(state, "4 1 R1") == "tile 4R1 on 4 1 would make a path of length 1, from a train straight to a station"


def test_in_a_corner_it_may_not_lead_from_one_edge_to_the_other() -> None:
    """#7 = 1 2 2 3: of its rotations R0 and R2 lead no train of the first corner straight out."""
    assert [text for text in texts(solo(EMPTY_8, 7, side=8)) if text.startswith("1 1 ")] == ["1 1 R0", "1 1 R2"]


def test_a_path_of_length_1_into_the_centre_is_allowed() -> None:
    """ "On a 4 x 4 board a tile on the rim can lead straight into the centre: a path of length 1, allowed, 2 points." """
    state = play(solo(EMPTY_4, 9), "2 1 R0")
    assert state.scores() == [2]
    assert [(path.central, len(path.steps)) for path in paths_of(state.raw)] == [(True, 1)]


@pytest.mark.parametrize(("text", "says"), [
    ("1 1 R0", "1 1 is taken: tile 9R0 lies there"),
    ("decline", "a single player cannot decline a tile"),
])  # fmt: skip
def test_refusals(text: str, says: str) -> None:
    assert reason(solo("9R0,7/8/8/3,*,*,3/3,*,*,3/8/8/8", 9, side=8), text) == says


def test_an_action_that_lays_another_tile() -> None:
    with pytest.raises(IllegalActionError, match="tile 4R1 is not the one to be placed, which is 9"):
        solo(EMPTY_4, 9).apply_action(action_of(0, tiles.oriented(4, 1)))


# Scores


def test_a_path_that_passes_a_tile_twice_counts_it_twice() -> None:
    """The document's example: “5 puncte pentru traseul albastru, care trece de două ori printr-o carte”."""
    rows = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8"
    state = solo(rows, 9, side=8)
    assert state.scores() == [10]
    blue, green = (path_of(state.raw, number) for number in (7, 6))
    assert (blue.train.outside, blue.end, blue.points) == ((2, 0), (2, 0), 5)
    assert (green.train.outside, green.end, green.points) == ((3, 0), (0, 3), 5)
    assert [(path.train.outside, len(path.steps)) for path in paths_of(state.raw) if not path.closed] == [((0, 3), 2)]


def test_a_path_into_the_centre_counts_double() -> None:
    state = solo("3,9R0,4/3,9R0,4/3,9R0,4/3,*,*,3/3,*,*,3/8/8/8", 9, side=8)
    assert state.scores() == [6]


def test_points_go_to_the_owner_of_the_train_and_ties_share() -> None:
    for players in (2, 5):
        state = at_the_end(published(players, players))
        owners, expected = board.owners(8, players), [0] * (players + 1)
        for path in paths_of(state.raw):
            expected[min(owners[path.number - 1], players)] += path.points
        assert state.scores() == expected[:-1]
        best = [player for player, points in enumerate(state.scores()) if points == max(state.scores())]
        assert state.winners() == best
        assert state.returns() == [(player in best) / len(best) for player in range(players)]


def test_one_who_plays_alone_plays_for_points() -> None:
    game = ludoteca.load("metro")
    assert (game.utility(), game.max_utility()) == ("points", rules.MAX_SCORE)
    assert ludoteca.load("metro", players=2).utility() == "win"
    state = at_the_end(game.new_initial_state(2))
    assert state.returns() == [float(state.scores()[0])]
    assert state.scores()[0] > 0


# Solo: the course of a game


def test_the_game_ends_when_the_next_tile_has_no_place() -> None:
    """“Fie pentru că plasarea cărții ar crea trasee de lungime 1”: #1 has no place on the edge."""
    state = solo(EMPTY_8, 1, side=8, mover="-")
    assert state.is_terminal()
    assert state.returns() == [0.0]


def test_the_game_ends_when_no_space_is_free() -> None:
    state = solo("9R0,9R0,9R0,9R0/9R0,*,*,9R0/9R0,*,*,9R0/9R0,9R0,9R0,1", 9)
    play(state, "4 4 R0")
    assert state.is_terminal()


def test_the_game_ends_when_the_stack_is_used_up() -> None:
    state = at_the_end(ludoteca.load("metro", side=12, tiles="stack").new_initial_state(1))
    assert len(state.history()) == 60
    assert str(state).endswith(" - - -")


def test_the_same_seed_gives_the_same_tiles_wherever_they_are_placed() -> None:
    drawn = []
    for choose in (0, -1):
        state = ludoteca.load("metro", side=12).new_initial_state(5)
        kinds: list[int] = []
        while not state.is_terminal() and len(kinds) < 30:
            kinds.append(int(state.raw.tile))
            state.apply_action(state.legal_actions()[choose])
        drawn.append(kinds)
    assert len(drawn[0]) > 20
    assert drawn[0] == drawn[1][: len(drawn[0])]


def test_the_endless_draw_is_uniform() -> None:
    state = ludoteca.load("metro").new_initial_state(1)
    counts = Counter(rules.take_tile(state.raw) - tiles.ORIENTED for _ in range(5000))
    assert counts.keys() == set(range(1, 11))
    assert uniformity(counts, 10) < MOST_DEVIATIONS


# Several players


def test_each_has_a_tile_and_the_first_is_to_move() -> None:
    state = published(4)
    assert state.current_player() == 0
    assert [bool(kind) for kind in state.raw.hands] == [False, True, True, True, False, False]
    assert state.raw.stacked == 56


def test_a_tile_is_placed_as_it_is_printed() -> None:
    state = published(3, 4)
    times = int(tiles.ROTATION_OF[state.raw.tile])
    assert {text[-2:] for text in texts(state) if text != "decline"} == {f"R{times}"}
    other = f"R{(times + 1) % 4}"
    tile = tiles.tile_id(int(state.raw.tile))
    with pytest.raises(NotationError, match=f"^{other}: tile #{tile} is placed with R{times}$"):
        state.string_to_action(f"4 1 {other}")


def test_rotate_lets_tiles_be_turned() -> None:
    state = ludoteca.load("metro", players=2, rotate="yes").new_initial_state(1)
    while tiles.tile_id(int(state.raw.tile)) != 7:
        state.apply_action(state.legal_actions()[0])
    assert {text[-2:] for text in texts(state)} >= {"R0", "R1", "R2", "R3"}


def test_after_placing_one_draws_and_the_next_is_to_move() -> None:
    state = published(3)
    top = state.raw.stack[56]
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1
    assert (state.raw.hands[0], state.raw.stacked) == (top, 56)


def test_declining_keeps_the_tile_and_the_one_drawn_must_be_placed() -> None:
    state = published(3)
    kept, top = int(state.raw.tile), int(state.raw.stack[56])
    play(state, "decline")
    assert (state.current_player(), int(state.raw.tile), int(state.raw.hands[0])) == (0, top, kept)
    assert "decline" not in texts(state)
    assert "has been declined" in reason(state, "decline")
    state.apply_action(state.legal_actions()[0])
    assert (state.current_player(), int(state.raw.hands[0])) == (1, kept)
    assert state.raw.stacked == 56


def test_nobody_declines_when_the_stack_is_used_up_and_who_has_no_tile_is_passed_over() -> None:
    state, rng, order = published(4, 2), new_rng(1), []
    while not state.is_terminal():
        if state.raw.stacked == 0:
            assert "decline" not in texts(state)
            order.append(state.current_player())
        state.apply_action(state.random_action(rng))
    assert sorted(order) == [0, 1, 2, 3]
    assert reason(published_without_stack(), "decline") == "the stack is used up: the last tiles cannot be declined"


def published_without_stack() -> State:
    state, rng = published(2), new_rng(3)
    while state.raw.stacked:
        state.apply_action(state.random_action(rng))
    return state


def test_who_declines_with_the_last_tile_of_the_stack_still_has_one() -> None:
    state, rng = published(2, 5), new_rng(2)
    while state.raw.stacked > 1:
        action = state.random_action(rng)
        state.apply_action(action if action != DECLINE else state.legal_actions()[0])
    decliner = state.current_player()
    play(state, "decline")
    left = []
    while not state.is_terminal():
        left.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert left == [decliner, 1 - decliner, decliner]


def test_a_path_of_length_1_is_a_last_resort() -> None:
    """ "A path of length 1 is allowed when the tile has no other place": #1 first, on the empty board, on the whole edge."""
    state = next(state for state in (published(2, seed) for seed in range(200)) if state.raw.tile == 1)
    assert len(texts(state)) == 28 + 1
    play(state, "4 1 R0")
    assert state.scores() == [1, 0]  # train 5 is the first player's


def test_it_is_none_while_there_is_another_place() -> None:
    game = ludoteca.load("metro", players=2)
    state = next(state for state in map(game.new_initial_state, range(200)) if state.raw.hands[1] == 1)
    inner = next(action for action in state.legal_actions() if state.action_to_string(action).startswith("4 1 "))
    state.apply_action(inner)
    assert texts(state) == ["4 2 R0", "decline"]


# Parameters


@pytest.mark.parametrize(("chosen", "says"), [
    ({"players": 2, "side": 10}, "2 players play on side 8 only"),
    ({"players": 3, "tiles": "stack"}, "tiles is for 1 player"),
    ({"rotate": "yes"}, "rotate is for 2 players and more"),
    ({"side": 7}, "a whole number from 4 to 12 in steps of 2"),
    ({"players": 7}, "a whole number from 1 to 6"),
])  # fmt: skip
def test_what_does_not_go_together(chosen: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        ludoteca.load("metro", **chosen)


# What each may know


def test_a_view_tells_how_many_of_each_tile_are_left_and_not_their_order() -> None:
    state = published(3, 6)
    view = state.view(0).raw
    assert not view.stack.any()
    assert view.left.tolist() == [Counter(state.raw.stack.tolist()[:57])[kind] for kind in range(tiles.KINDS + 1)]
    alone = ludoteca.load("metro").new_initial_state(6)
    assert alone.raw.generator != 0
    assert alone.view(0).raw.generator == 0


@pytest.mark.slow
def test_redeals_are_uniform_where_all_can_be_counted() -> None:
    """A stack of three tiles, two of them alike: three orders, equally likely."""
    game, found = ludoteca.load("metro", players=2), 0
    for seed in range(60):
        state, rng = game.new_initial_state(seed), new_rng(seed)
        while state.raw.stacked > 3:
            state.apply_action(state.random_action(rng))
        stack = state.raw.stack.tolist()[:3]
        if len(set(stack)) == 2:
            check_deals([with_stack(state, order) for order in sorted(set(orders(stack)))], 0, draws=1500)
            found += 1
            if found == 2:
                return
    pytest.fail("no such stack was found")


def orders(stack: list[int]) -> list[tuple[int, ...]]:
    a, b, c = stack
    return [(a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)]


def with_stack(state: State, stack: tuple[int, ...]) -> State:
    other = state.clone()
    other.raw.stack[:3] = stack
    return other
