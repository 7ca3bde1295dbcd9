"""`ludoteca play`: the player sees only the knowledge of the seat, gets hints, and can leave a game."""

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from rich.console import Console

from ludoteca.agents.agent import new_searcher
from ludoteca.cli import terminal
from ludoteca.cli.terminal import TerminalGame
from ludoteca.core import codecache, registry
from ludoteca.core.game import Game, open_record
from ludoteca.core.record import read_record
from tests.processes import run_here

SEED = 3


class Screen(Console):
    """A terminal with prepared input lines."""

    def __init__(self, *lines: str) -> None:
        super().__init__(file=io.StringIO(), width=100, highlight=False)
        self._lines: Iterator[str] = iter(lines)

    def input(self, prompt: object = "", **_: object) -> str:
        self.print(prompt, markup=False)
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    def text(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def shown(people: set[int], *lines: str) -> str:
    screen = Screen(*lines)
    TerminalGame(Game(registry.find("cartas")).new_initial_state(SEED), people, "random", SEED, screen).play()
    return screen.text()


def hand(player: int) -> list[str]:
    """Return the drawing of a player's cards after the deal."""
    game = Game(registry.find("cartas"))
    cards = game.new_initial_state(SEED).raw.hands[player]
    notation = game.spec.module("notation")
    return [notation.action_to_string(game.new_initial_state(SEED).raw, 1 << bit) for bit in range(56) if cards >> bit & 1]


@pytest.mark.parametrize("seat", range(4))
def test_one_person_sees_the_own_hand_only(seat: int) -> None:
    text = shown({seat})
    assert all(
        (card in text) == (player == seat) for player in range(4) for card in [hand(player)[0]] if card not in told(text)
    )


def told(text: str) -> str:
    """Return the text about the moves of the other players."""
    return "".join(line for line in text.splitlines() if " plays " in line or "on the table" in line)


def test_several_people_are_asked_before_a_hand_is_shown() -> None:
    text = shown({0, 1, 2, 3})
    assert "Player 1 alone at the screen?" in text
    assert not any(card in text for player in range(4) for card in hand(player))


def test_each_of_several_people_sees_the_own_hand() -> None:
    text = shown({0, 1, 2, 3}, "", "PASSO", "")
    first, second = text.split("Player 2 alone at the screen?")
    assert all(card in first for card in hand(0))
    assert all(card in second for card in hand(1))
    assert not any(card in first for card in hand(1))
    assert not any(card in second for card in hand(0))


FIRST = Path(__file__).parents[1] / "examples/bots/first.sh"


def test_a_bot_of_ones_own_plays_the_other_seats_to_the_end(tmp_path: Path) -> None:
    words = "play", "okupacio", "--board", "4x4", "--players", "3", "--seat", "2", "--opponent-bot", str(FIRST)
    cells = "".join(f"{row}{column}\n" for row in "abcd" for column in "abcd")
    played = run_here(*words, "--save", str(tmp_path / "game.json"), typed=cells)
    assert played.returncode == 0
    assert "Player 1 takes aa (row 1, column 1)" in played.stdout
    assert open_record(read_record(tmp_path / "game.json")).is_terminal()


@pytest.mark.parametrize(
    ("bot", "parts"),
    [
        (
            "sh -c 'read x; echo hello >&2; echo ludoteca 1; exit 3'",
            ["  > position", "hello", "exit: it ended with exit status 3"],
        ),
        ("python3 missing.py", ["there is no file 'missing.py' for python3 to run"]),
    ],
)
def test_a_bot_that_cannot_play_ends_the_game_with_an_explanation(bot: str, parts: list[str]) -> None:
    played = run_here("play", "okupacio", "--board", "4x4", "--opponent-bot", bot, typed="aa\nab\n")
    assert played.returncode == 1
    assert [part for part in parts if part not in played.stdout + played.stderr] == []


OKUPACIO = Game(registry.find("okupacio"), {"board": "4x4"})


def typed(game: Game, *lines: str, opponent: str = "random") -> str:
    screen = Screen(*lines)
    TerminalGame(game.new_initial_state(SEED), {0}, opponent, SEED, screen).play()
    return screen.text()


@pytest.fixture(scope="module")
def _compiled() -> None:
    """Compile the search of agents. Interpreted, they would search less on a busy machine."""
    new_searcher(Game(OKUPACIO.spec, OKUPACIO.parameters, compiled=True))


@pytest.fixture
def quick_hints(monkeypatch: pytest.MonkeyPatch, _compiled: None) -> None:
    monkeypatch.setattr(terminal, "HINTS_BY", "200x")


@pytest.mark.usefixtures("quick_hints")
def test_a_hint_is_a_legal_action_and_plays_nothing() -> None:
    text = " ".join(typed(OKUPACIO, "?", "q").split())
    hint = text.split("Hint: A quick guess: takes ")[1].split(".")[0]
    state = OKUPACIO.new_initial_state(SEED)
    assert state.string_to_action(hint.partition(" ")[0]) in state.legal_actions()
    assert "It may be wrong, as it was chosen after trying 200 continuations." in text
    assert "Player 1 takes " not in text


@pytest.mark.usefixtures("quick_hints")
def test_a_hint_tells_no_secret() -> None:
    text = shown({0}, "?")
    hint = text.split("Hint: ")[1].split("Player 1:")[0]
    assert not any(card in hint for player in (1, 2, 3) for card in hand(player) if card not in legal_texts())


def legal_texts() -> str:
    """Return the legal actions of player 1 in notation. Lines about other players can contain them."""
    state = Game(registry.find("cartas")).new_initial_state(SEED)
    return " ".join(state.action_to_string(action) for action in state.legal_actions())


def test_help_explains_the_game_and_what_is_not_read_is_no_move() -> None:
    text = typed(OKUPACIO, "help", "zz", "q")
    assert "A move is a cell, its row and then its column" in text
    assert "Not played: zz is outside the board" in text
    assert "Player 1 takes " not in text


def test_an_agents_name_is_no_program() -> None:
    played = run_here("play", "okupacio", "--opponent-bot", "greedy")
    assert played.returncode == 2
    assert "opponent-bot: read 'greedy', expected a program's command line" in played.stderr


@pytest.mark.parametrize("word", ["q", "quit", "EXIT"])
def test_several_words_leave_the_game(word: str) -> None:
    assert "The game is left unfinished." in typed(OKUPACIO, word)


def test_a_move_may_be_typed_in_capitals() -> None:
    assert "Player 1 takes ab (row 1, column 2)." in typed(OKUPACIO, "AB", "q")


def test_all_moves_are_listed() -> None:
    text = " ".join(typed(OKUPACIO, "moves", "q").split())
    assert f"Possible now: {', '.join(row + column for row in 'abcd' for column in 'abcd')}, 00." in text


def test_a_move_is_taken_back_with_the_answer_to_it() -> None:
    screen = Screen("ab", "undo", "q")
    game = TerminalGame(OKUPACIO.new_initial_state(SEED), {0}, "random", SEED, screen)
    game.play()
    assert game.state.history() == []
    assert screen.text().count("Player 1 takes ab (row 1, column 2).") == 1


@pytest.mark.parametrize(
    ("game", "lines", "reason"),
    [
        (OKUPACIO, ("undo", "q"), "There is no move of yours to take back."),
        (Game(registry.find("conclave")), ("moves", "undo", "q"), "There is no move of yours to take back."),
    ],
)
def test_a_move_that_cannot_be_taken_back_has_a_reason(game: Game, lines: tuple[str, ...], reason: str) -> None:
    assert reason in typed(game, *lines)


def test_where_something_is_hidden_no_move_is_taken_back() -> None:
    game = Game(registry.find("cartas"))
    state = game.new_initial_state(SEED)
    first = state.action_to_string(state.legal_actions()[0])
    screen = Screen(first, "undo", "q")
    TerminalGame(state, {state.current_player()}, "random", SEED, screen).play()
    assert "Moves cannot be taken back in this game" in " ".join(screen.text().split())


def test_a_deal_that_ends_at_once_is_drawn_again_unless_its_seed_is_given() -> None:
    dead = run_here("play", "metro", "--seed", "1")
    assert (dead.returncode, "This deal ends before the first move." in dead.stdout) == (0, True)
    for _ in range(20):  # one deal in ten ends at once
        assert "The game is left unfinished." in run_here("play", "metro", typed="q\n").stdout


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["metro", "--opponent", "2"], "opponent: Metro has one player with these parameters"),
        (["okupacio", "--opponent", "2", "--opponent-bot", "x"], "Leave out --opponent or --opponent-bot"),
    ],
)
def test_an_option_that_does_not_apply_is_refused(options: list[str], says: str) -> None:
    played = run_here("play", *options)
    assert (played.returncode, says in played.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.usefixtures("_compiled")
def test_nobody_waits_for_what_is_compiled_and_its_end_is_told(tmp_path: Path) -> None:
    with started(tmp_path, "100000x", compiled=False) as process:
        write(process.stdin, "ab\n")
        wait_for(process.stdout, "The computer plays faster and weaker until it is ready: ")
        wait_for(process.stdout, "Player 2 takes ")
        write(process.stdin, "?\n")
        for line in process.stdout or ():
            if "The computer is ready, and plays at full strength from now on." in line:
                break
            if "continuation" in line:
                write(process.stdin, "?\n")
        else:
            raise AssertionError("it was never ready")
        write(process.stdin, "q\n")
        process.communicate(timeout=300)
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.usefixtures("_compiled")
def test_ctrl_c_while_an_agent_thinks_keeps_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    with started(tmp_path, "600s", "--save", str(record)) as process:
        write(process.stdin, "ab\n")
        wait_for(process.stderr, "Player 2 is thinking ...")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out.endswith(f"The game is left unfinished.\nThe record is in {record}.\n")
    assert '"actions": ["ab"]' in record.read_text(encoding="utf-8")


def started(cache: Path, opponent: str, *more: str, compiled: bool = True) -> "subprocess.Popen[str]":
    """Play a game with a person in a terminal. `compiled` is False to leave the steps of the game interpreted."""
    (cache / "cache").mkdir()
    for code in codecache.root().glob("*.okupacio.*.code"):
        if compiled or "+ludoteca.core.steps-" not in code.name:
            shutil.copy(code, cache / "cache")
    command = [sys.executable, "-m", "ludoteca", "play", "okupacio", "--board", "8x8", "--opponent", opponent, *more]
    pipe, environment = subprocess.PIPE, os.environ | {codecache.ENVIRONMENT: str(cache / "cache")}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


def write(stream: IO[str] | None, text: str) -> None:
    assert stream
    stream.write(text)
    stream.flush()


def wait_for(stream: IO[str] | None, text: str) -> None:
    assert stream
    assert any(text in line for line in stream), f"{text!r} was never said"
