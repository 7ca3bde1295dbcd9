"""Boards in terminals of several sizes: they fit with standings, task and prompt, or a line shows the size they need."""

import io
import re
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import ludoteca
from ludoteca.cli.screen import Screen
from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from tests.terminals import terminal
from tests.test_terminal import ESCAPE

TOO_SMALL = "The whole board needs"


def shown(screen: Screen, state: State, columns: int = 80, lines: int = 24, *, is_terminal: bool = True) -> list[str]:
    """Return the lines on the screen: a blank line, the board, standings, task and prompt."""
    file = io.StringIO()
    console = Console(file=file, width=columns, height=lines, color_system=None, force_terminal=is_terminal)
    console.print(screen.draw(state, max(SPECTATOR, state.current_player()), state.placed().items))
    return ["", *(line.rstrip() for line in file.getvalue().splitlines()), "Player 1: "]


def in_english(name: str, moves: int = 0, **chosen: Any) -> tuple[Screen, State]:
    """Return a screen, and a position after some random moves."""
    state, rng = ludoteca.load(name, **chosen).new_initial_state(2), new_rng(1)
    while not state.is_terminal() and len(state.history()) < moves:
        state.apply_action(state.random_action(rng))
    return Screen(state.game.spec, "en"), state


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.soak), "ro"])
@pytest.mark.parametrize("spec", registry.registered_games(), ids=lambda spec: spec.name)
def test_every_game_fits_80_columns_and_24_lines(spec: GameSpec, language: str) -> None:
    state, rng, screen = Game(spec).new_initial_state(2), new_rng(3), Screen(spec, language)
    while not state.is_terminal():
        if len(state.history()) % 8 == 0:
            text = shown(screen, state)
            assert len(text) <= 24, "\n".join(text)
            assert max(map(cell_len, text)) <= 80
            assert "…" not in "".join(text)
            action = state.legal_actions()[0]
            assert screen.describe(state, SPECTATOR, action).startswith(screen.name(state.current_player()))
            assert state.action_to_string(action) in screen.help(state)
        state.apply_action(state.random_action(rng))
    assert len(shown(screen, state)) <= 24


@pytest.mark.parametrize(("name", "players"), [("metro", 6), ("conclave", 4), ("qinto", 4)], ids=str)
def test_many_players_fit_too(name: str, players: int) -> None:
    for moves in (0, 24, 48):
        screen, state = in_english(name, moves, players=players)
        assert len(shown(screen, state)) <= 24


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_large_board_is_shown_if_there_is_room_or_no_terminal(is_terminal: bool) -> None:
    screen, state = in_english("metro", 12)
    text = shown(screen, state, 80, 60 if is_terminal else 24, is_terminal=is_terminal)
    assert any("◀──" in line for line in text)
    assert not screen.is_small
    assert "Heavy lines" in screen.help(state)


def test_the_help_and_the_rules_explain_the_board_that_is_shown() -> None:
    screen, state = in_english("metro", 12)
    shown(screen, state)
    assert "Heavy lines" not in screen.help(state)
    assert "four arrows" in screen.help(state)
    texts = [text for text, _ in screen.rules()]
    assert sum("four arrows" in text for text in texts) == 1
    console = Console(file=io.StringIO(), width=80, color_system=None)
    boards = [board for _, board in screen.rules() if board]
    assert all(len(console.render_lines(board)) <= 20 for board in boards)


def test_a_terminal_that_is_too_small_is_reported_once_for_each_size() -> None:
    screen, state = in_english("okupacio", board="25x25")
    text = " ".join(shown(screen, state))
    assert "This terminal has 80 columns and 24 lines. The whole board needs 80 columns and 30 lines. Player 1:" in text
    assert TOO_SMALL not in " ".join(shown(screen, state))
    assert TOO_SMALL in " ".join(shown(screen, state, 80, 20))
    assert TOO_SMALL not in " ".join(shown(screen, state, 80, 30))


def test_a_narrow_terminal_needs_more_columns() -> None:
    screen, state = in_english("metro")
    assert "The whole board needs 80 columns and 23 lines." in " ".join(shown(screen, state, 40, 24))
    screen, state = in_english("metro")
    assert TOO_SMALL not in " ".join(shown(screen, state, 40, 40))


def test_the_small_board_of_okupacio_marks_the_last_move_with_a_small_letter() -> None:
    screen, state = in_english("okupacio", 2, board="20x20")
    text = "\n".join(line[2:22] for line in shown(screen, state)[2:22])
    assert screen.is_small
    assert sorted(re.findall("[A-Za-z]", text)) == ["A", "b"]


@pytest.mark.parametrize(
    ("name", "columns", "lines", "fits"),
    [
        ("cartas", 80, 24, True),
        ("metro", 40, 24, False),
        ("metro", 80, 60, True),
    ],
)
def test_a_real_terminal(name: str, columns: int, lines: int, fits: bool) -> None:
    options = ("play", name, "--seed", "2", "--opponent", "random", "--language", "en")
    alone = [option for option in options if name != "metro" or option not in ("--opponent", "random")]
    with terminal(*alone, columns=columns, lines=lines) as tty:
        tty.wait_for("to leave.")
        text = ESCAPE.sub("", tty.wait_for("Player 1: ")).split("\r\n")[1:]
        tty.type("q\n")
        assert tty.status() == 0
    assert max(map(cell_len, map(str.rstrip, text))) <= columns
    assert (len(text) <= lines) is fits
    assert (TOO_SMALL in " ".join(" ".join(text).split())) is not fits
    large = any("░░▼░" in line for line in text)
    assert large is (lines == 60)
