"""The drawing in the terminal. It shows only the view, and is readable without colours."""

from functools import partial

from rich.console import Console

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.messages import catalogue, in_words
from ludoteca.games.conclave.view import screen

SAY = partial(in_words, templates=catalogue("ludoteca.games.conclave", "en"))


def drawn(state: State, seat: int, lit: tuple[str, ...] = ()) -> str:
    console = Console(width=130, no_color=True)
    with console.capture() as captured:
        console.print(screen.draw(state.view(seat).raw, lit, SAY))
    return captured.get()


def test_a_seat_sees_its_own_hand_and_backs() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    text = drawn(state, 0)
    assert "p2c p3g r2g r2c" in text
    assert "r5s" not in text
    assert "r t r b" in text


def test_the_cells_of_the_last_emissaries_are_marked() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    action = state.string_to_action("1:22")
    state.apply_action(action)
    assert "p3g*" in drawn(state, 0, ("p3g",))
    assert "p3g*" not in drawn(state, 0)


def test_sums_are_in_brackets_for_those_who_control_the_magic() -> None:
    text = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- -,-,-,-/-,-,-,- b1c,o3c/b2c,o2c - - -"
    state = ludoteca.load("conclave").state_from_string(text)
    first, second = (line.split()[-2:] for line in drawn(state, 0).splitlines()[1:4:2])
    assert (first, second) == (["1", "[3]"], ["[2]", "2"])
