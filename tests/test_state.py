"""The Python API of a game for bots and learners."""

import pickle
import threading
from typing import Any

import numpy as np
import pytest

import ludoteca
from duel import GAME as DUEL
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import Game


@pytest.fixture
def game() -> Game:
    return ludoteca.load("okupacio", players=3, board="4 4 2 1 1 1 3 2 5 1")


def test_a_game_tells_its_bounds(game: Game) -> None:
    assert (game.num_players(), game.num_distinct_actions(), game.max_game_length()) == (3, 651, 5634)
    assert (game.min_utility(), game.max_utility(), game.mode, game.name) == (0.0, 1.0, "interpreted", "okupacio")


def test_equal_parameters_make_equal_games(game: Game) -> None:
    other = ludoteca.load("okupacio", players="3", board="..#./#.../##../...#")
    assert other == game
    assert hash(other) == hash(game)
    assert other != ludoteca.load("okupacio", players=2, board="4 4 2 1 1 1 3 2 5 1")
    assert other.new_initial_state(1) == game.new_initial_state(2)
    assert game != "okupacio"


def test_reprs_rebuild(game: Game) -> None:
    state = game.new_initial_state(1).child(1)
    assert eval(repr(game), {"ludoteca": ludoteca}) == game
    assert eval(repr(state), {"ludoteca": ludoteca}) == state


def test_legal_actions_are_plain_sorted_integers_and_a_mask(game: Game) -> None:
    state = game.new_initial_state(1)
    legal = state.legal_actions()
    assert legal == [0, 1, 3, 27, 28, 29, 54, 55, 78, 79, 80, 650]
    assert all(type(action) is int for action in legal)
    assert [action for action, one in enumerate(state.legal_actions_mask()) if one] == legal


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (2, "ac is a wall"),
        (4, "action 4 is not a cell of the board, which has rows a to d and columns a to d"),
        (-1, "action -1 is not a cell of the board"),
        (2**80, "action 1208925819614629174706176 is not a cell of the board"),
    ],
)
def test_an_illegal_action_is_refused_with_the_reason(game: Game, action: int, says: str) -> None:
    state = game.new_initial_state(1)
    with pytest.raises(IllegalActionError, match=says):
        state.apply_action(action)
    assert state == game.new_initial_state(1)
    assert state.history() == []


@pytest.mark.parametrize("action", ["ab", 1.0, None])
def test_an_action_is_a_number(game: Game, action: Any) -> None:
    with pytest.raises(TypeError):
        game.new_initial_state(1).apply_action(action)


@pytest.mark.parametrize(("board", "end"), [("4x5", "18, 19"), ("4x6", "18, 19 and 4 more")])
def test_a_wrong_number_of_an_action_is_refused_with_twenty_right_ones(board: str, end: str) -> None:
    with pytest.raises(IllegalActionError, match=f"read action number 99, .* expected 0, 1, .*{end}$"):
        ludoteca.load("okupacio", board=board).new_initial_state(1).decode_action(99)


def test_a_deal_without_a_seed_differs_each_time() -> None:
    deals = {str(Game(DUEL, {"cards": 8}).new_initial_state()) for _ in range(12)}
    assert len(deals) > 6


def test_what_a_seat_sees(game: Game) -> None:
    state = game.new_initial_state(1).child(1)
    assert state.observation_string(2) == str(state) == "AA#./#.../##../...# B 1 0:0,0:2,0:1"
    assert state.information_state_string(2) == f"2|{state}|1"
    assert state.seen_actions(-1) == [1]
    for player in (-2, 3):
        with pytest.raises(ValueError, match=f"player {player}: expected -1"):
            state.view(player)


def test_what_a_seat_does_not_see() -> None:
    state = Game(DUEL, {"cards": 4}).state_from_string("4 0 3,12 0,0 2,2 0,0 0 -1 0,0 0 0")
    state.apply_action(state.string_to_action("1?"))
    assert [state.seen_actions(seat) for seat in (-1, 0, 1)] == [[17], [9], [17]]
    assert state.observation_string(1) == "4 0 0,12 0,0 1,2 1,0 0 -2 0,0 1 0"


def test_the_tensor_shows_armies_in_turn_order(game: Game) -> None:
    state = game.state_from_string("AA#B/#.BB/##AC/CC.# A 6 0:2,0:1,0:0")
    layout = game.features.layout
    row = state.observation_tensor(1)
    assert row.shape == (layout.size,)
    assert row.dtype == np.float32
    tensor, numbers = layout.split(row)
    assert (tensor.shape, numbers.shape) == ((4, 4, 4), (9,))
    assert (tensor == state.observation(1).planes).all()
    assert [int(plane.sum()) for plane in tensor] == [3, 3, 3, 2]
    assert tensor[0, 0, 3] == tensor[1, 2, 3] == tensor[2, 0, 0] == tensor[3, 1, 1] == 1
    assert (tensor.sum(axis=0) == np.array([[1, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 0]])).all()
    assert (state.observation(-1).planes[0] == tensor[2]).all()


def test_a_state_can_be_pickled(game: Game) -> None:
    state = game.new_initial_state(1).child(1)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.history() == [1]
    seen = pickle.loads(pickle.dumps(state.resample_from_infostate(0, ludoteca.new_rng(1))))
    assert seen.information_state_string(0) == state.information_state_string(0)


def test_states_of_one_game_can_be_played_in_threads() -> None:
    game = ludoteca.load("okupacio", board="8x8", compiled=True)
    ends: list[str] = []

    def play() -> None:
        state, rng = game.new_initial_state(1), ludoteca.new_rng(1)
        while not state.is_terminal():
            state.apply_action(state.random_action(rng))
        ends.append(str(state))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 4
    assert len(set(ends)) == 1


def test_the_package_gives_what_it_promises() -> None:
    assert set(ludoteca.__all__) <= set(dir(ludoteca))
    assert all(getattr(ludoteca, name) is not None for name in ludoteca.__all__)
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = ludoteca.chess  # type: ignore[attr-defined]
