"""The terminal's drawing: from the view only, and readable without colours."""

from rich.console import Console

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.conclave import screen


def drawn(state: State, seat: int, lit: tuple[int, ...] = ()) -> str:
    console = Console(width=130, no_color=True)
    with console.capture() as captured:
        console.print(screen.draw(state.view(seat).raw, lit))
    return captured.get()


def test_a_seat_sees_its_own_hand_and_backs() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    text = drawn(state, 0)
    assert "p2c p3g r2g r2c" in text
    assert "r5s" not in text
    assert "r t r b" in text
    assert "Player 1 is to send." in text


def test_the_cells_of_the_last_emissaries_are_marked() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    action = state.string_to_action("1:22")
    state.apply_action(action)
    assert "p3g*" in drawn(state, 0, (action, state.string_to_action("e")))
    assert "p3g*" not in drawn(state, 0)


def test_every_position_of_a_game_can_be_drawn() -> None:
    for players in (2, 3, 4):
        state, rng = ludoteca.load("conclave", players=players).new_initial_state(players), new_rng(1)
        while not state.is_terminal():
            if len(state.history()) % 5 == 0:
                assert f"player {state.current_player() + 1} is to" in drawn(state, -1).lower()
            state.apply_action(state.random_action(rng))
        assert "The game is over." in drawn(state, -1)


def test_the_ending_names_the_winner_and_all_points() -> None:
    text = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- -,-,-,-/-,-,-,- b1c,o3c/b2c,o2c - - -"
    view = ludoteca.load("conclave").state_from_string(text).view(0).raw
    assert screen.ending(view) == "Player 1 wins with 1 points of disappointment; player 2 has 2."
    assert screen.player_name(1) == "player 2"
