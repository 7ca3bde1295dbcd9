"""The drawing of the board in a terminal."""

import re
from io import StringIO
from itertools import combinations

import pytest
from rich.console import Console
from rich.style import Style

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.games.okupacio.view import screen

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def at(position: str) -> State:
    rows, *_, armies = position.split()
    game = ludoteca.load("okupacio", players=armies.count(",") + 1, board=re.sub("[A-J]", ".", rows))
    return game.state_from_string(position)


def draw(state: State, width: int = 80, marked: str = "", *, colours: bool = False, no_color: bool = False) -> list[str]:
    """Return the lines of the drawing, in which these pieces are marked."""
    file = StringIO()
    console = Console(
        file=file, width=width, force_terminal=colours, color_system="truecolor" if colours else None, no_color=no_color
    )
    console.print(screen.draw(state.view(SPECTATOR).raw, marked.split(), str))
    return file.getvalue().splitlines()


TEN = "ABCD/EFGH/IJ../.... A 40 0:9,0:8,0:7,0:6,0:5,0:4,0:3,0:2,0:1,0:0"


def test_the_board_has_letters_around_it() -> None:
    state = at("AA#./#.B./##../CC.# A 3 0:2,1:1,0:0")
    assert [line.rstrip() for line in draw(state, marked="stone-db")] == [
        "  a b c d",
        "a A A ##.  a",
        "b ##. B .  b",
        "c ####. .  c",
        "d C C*. ## d",
    ]


def test_every_army_has_its_letter_on_the_board_and_as_its_sign() -> None:
    state = at(TEN)
    assert [line[2:10].split() for line in draw(state)[1:4]] == [list("ABCD"), list("EFGH"), ["I", "J", ".", "."]]
    signs = [screen.sign(state.raw, army) for army in range(10)]
    assert [sign.plain.strip() for sign in signs] == list("ABCDEFGHIJ")
    assert [sign.style for sign in signs] == list(screen.COLOURS)


def test_no_two_armies_have_the_same_colour() -> None:
    styles = [Style.parse(colour) for colour in screen.COLOURS]
    assert len(styles) == 10
    for one, other in combinations(styles, 2):
        assert one.bgcolor != other.bgcolor


def test_without_colours_the_text_is_the_same() -> None:
    plain = draw(at(TEN), marked="stone-aa")
    assert [ESCAPE.sub("", line) for line in draw(at(TEN), marked="stone-aa", colours=True)] == plain
    uncoloured = "\n".join(draw(at(TEN), marked="stone-aa", colours=True, no_color=True))
    assert re.search(r"\x1b\[[0-9;]*[34]8;", uncoloured) is None
    assert ESCAPE.sub("", uncoloured).splitlines() == plain


@pytest.mark.parametrize(
    ("marked", "cells"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("stone-ab", ["ab"], id="a move"),
        pytest.param("stone-ab stone-bc", ["ab", "bc"], id="two moves"),
    ],
)
def test_the_last_moves_are_marked(marked: str, cells: list[str]) -> None:
    lines = draw(at("AA../..B./..../.... A 2 0:1,0:0"), marked=marked)
    found = [f"{line[0]}{'abcd'[i]}" for line in lines[1:5] for i in range(4) if line[3 + 2 * i] == "*"]
    assert found == cells


@pytest.mark.parametrize(("board", "width"), [("25x4", 40), ("4x25", 80), ("25x25", 54)])
def test_every_row_of_the_board_is_one_line(board: str, width: int) -> None:
    rows, columns = map(int, board.split("x"))
    lines = draw(ludoteca.load("okupacio", players=10, board=board).new_initial_state(), width)
    letters = "abcdefghijklmnopqrstuvwxy"
    assert lines[0].split()[:columns] == list(letters[:columns])
    for letter, line in zip(letters[:rows], lines[1:], strict=False):
        assert line.startswith(f"{letter} {'. ' * columns} {letter}")
