"""The drawing in a terminal. It is made from the view and is readable without colours. A whole game is played with it."""

import re
from functools import partial

import pytest
from rich.console import Console

from ludoteca.core.game import State
from ludoteca.core.messages import catalogue, in_words
from ludoteca.games.qinto.view import screen
from tests.qinto.positions import at, grid_of

GRID = grid_of("1b 1G 1R 1B\n2b .  .  WW\n.  .  .  4R")
HAND = ["2B", "5b", "1W", "WY", "1b"]


SAY = partial(in_words, templates=catalogue("ludoteca.games.qinto", "en"))


def drawn(state: State, seat: int, lit: tuple[str, ...] = (), width: int = 100) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(screen.draw(state.view(seat).raw, lit, SAY))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def test_the_grid_and_the_own_hand() -> None:
    assert (
        drawn(at(GRID, HAND), 0)
        == """\
    -1  0   1   2   3   4
 -1 ·   ·   ·   ·   ·   ·
  0 ·   1b  1G  1R  1B  ·
  1 ·   2b  ·   ·   WW  ·
  2 ·   ·   ·   ·   4R  ·
  3 ·   ·   ·   ·   ·   ·

             hand             pile
 > player 1  1b 2B 5b 1W WY   25
   player 2  ? ? ? ? ?        18"""
    )


def test_the_cells_of_the_last_steps_are_marked() -> None:
    state = at(GRID, HAND)
    state.apply_action(state.string_to_action("+5b@2,0"))
    assert "  2 ·   5b* ·   ·   4R  ·\n" in drawn(state, 0, ("tile/2,0",))
    assert "*" not in drawn(state, 0)


@pytest.mark.parametrize("width", [30, 24, 16])
def test_a_narrow_terminal_has_narrow_cells(width: int) -> None:
    row = {30: "  0 ·   1b  1G  1R  1B  ·", 24: "  0 ·  1b 1G 1R 1B ·", 16: "  0 · 1b1G1R1B·"}[width]
    assert row in drawn(at(GRID, HAND), 0, width=width).splitlines()


def test_wilds_that_all_know_and_a_pile_that_one_player_knows() -> None:
    state = at(GRID, HAND)
    for step in ["~5b@1,3", "end", "end", "-WW", "-1b"]:
        state.apply_action(state.string_to_action(step))
    mine, others = drawn(state, 0), drawn(state, 1)
    assert "27, at the bottom WW 1b" in mine
    assert "at the bottom" not in others
    assert "WW, perhaps in the hand of player 1, perhaps elsewhere\nWW, perhaps in the pile" in others


def test_classic_has_one_pile() -> None:
    state = at(GRID, HAND, "classic")
    state.apply_action(state.string_to_action("+1W@0,4"))
    assert re.search(r"> player 1 .* 43\n   player 2 .*\?$", drawn(state, 0))
