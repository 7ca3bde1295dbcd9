"""The drawing in a terminal. It is made from the view and is readable without colours. A whole game is played with it."""

import io
import re
from functools import partial
from random import Random

import pytest
from rich.console import Console

import ludoteca
from ludoteca.cli.playing import TerminalGame
from ludoteca.core.game import Game, State
from ludoteca.core.messages import catalogue, in_words
from ludoteca.core.rng import new_rng
from ludoteca.games.qinto import GAME
from ludoteca.games.qinto.view import screen
from tests.qinto.positions import at, grid_of

GRID = grid_of("1b 1G 1R 1B\n2b .  .  WW\n.  .  .  4R")
HAND = ["2B", "5b", "1W", "WY", "1b"]


SAY = partial(in_words, templates=catalogue("ludoteca.games.qinto", "en"))


def drawn(state: State, seat: int, lit: tuple[int, ...] = (), width: int = 100) -> str:
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
    steps = [state.string_to_action("+5b@2,0"), state.string_to_action("-1b"), state.string_to_action("end")]
    state.apply_action(steps[0])
    assert "  2 ·   5b* ·   ·   4R  ·\n" in drawn(state, 0, tuple(steps))
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


@pytest.mark.parametrize("variant", ["light", "classic", "plus"])
def test_every_position_of_a_game_can_be_drawn(variant: str) -> None:
    for players in (2, 3, 4):
        state, rng = ludoteca.load("qinto", variant=variant, players=players).new_initial_state(players), new_rng(1)
        while not state.is_terminal():
            if len(state.history()) % 7 == 0:
                assert f"> player {state.current_player() + 1}" in drawn(state, -1)
            state.apply_action(state.random_action(rng))
        assert ">" not in drawn(state, -1)


class Screen(Console):
    """A terminal whose player makes one mistake, asks for help once, and then types random legal actions."""

    def __init__(self) -> None:
        super().__init__(file=io.StringIO(), width=120, highlight=False)
        self.state: State | None = None
        self._lines = ["help", "+9b@0,0"]
        self._random = Random(1)

    def input(self, prompt: object = "", **_: object) -> str:
        assert self.state
        if self._lines:
            return self._lines.pop()
        legal = sorted(map(self.state.action_to_string, self.state.legal_actions()))
        return self._random.choice([text for text in legal if text[0] in "+~"] or legal)


def test_a_whole_game_at_the_terminal() -> None:
    console = Screen()
    table = TerminalGame(Game(GAME, {"players": 2}).new_initial_state(7), {0}, "random", 7, console)
    console.state = table.state
    assert table.play() == 0
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "Not played: '9b' is no tile" in text
    assert "A turn is typed tile by tile" in text
    assert "Player 2 adds " in text
    assert not re.search(r"Player 2 puts (?!a tile under the pile)", text)
    assert re.search(r"(wins|share the win)\.\n$", text)
