"""`ludoteca play` through pipes and in a pseudo-terminal. The game is always Okupació."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager, chdir
from pathlib import Path

import pytest

from ludoteca.core.record import read_record
from tests.processes import PATIENCE, run_here, until_it_waits, without_progress
from tests.terminals import Terminal, shell, terminal

COMMAND = [sys.executable, "-m", "ludoteca"]
WALLED = "4 4 2 1 1 1 3 2 5 1"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PLAY = ("play", "okupacio", "--opponent", "random")
"""Levels need compiled rules. They are in `tests/test_play.py`."""
CELLS = "".join(f"{row}{column}\n" for row in "abcd" for column in "abcd")
"""Every cell of a 4 x 4 board. A player who types all of them plays to the end."""


def ludoteca_(*arguments: str, typed: str = "", folder: Path | None = None, **environment: str) -> tuple[int, str, str]:
    """Return the exit status, standard output with its lines joined (the screen wraps them), and standard error.

    Run the program in this process, or in a separate process if there is an environment.
    """
    if not environment:
        with chdir(folder or Path.cwd()):
            here = run_here(*arguments, typed=typed)
        return here.returncode, " ".join(here.stdout.split()), here.stderr
    result = subprocess.run(
        [*COMMAND, *arguments],
        input=typed.encode("utf-8", "surrogateescape"),
        capture_output=True,
        cwd=folder,
        env={**os.environ, **environment},
        timeout=PATIENCE,
        check=False,
    )
    assert b"Traceback" not in result.stderr
    return (
        result.returncode,
        " ".join(result.stdout.decode("utf-8", "replace").split()),
        without_progress(result.stderr),
    )


def play(*options: str, typed: str = "", folder: Path | None = None, **environment: str) -> tuple[int, str, str]:
    return ludoteca_(*PLAY, *options, typed=typed, folder=folder, **environment)


@pytest.mark.parametrize(
    ("options", "ending"),
    [
        pytest.param(["--seed", "4"], "Player 1 wins. Cells: 8;", id="won"),
        pytest.param(["--seed", "1", "--players", "3", "--seat", "3"], " wins. Cells: ", id="third of three"),
        pytest.param(["--opponent", "person"], " wins. Cells: ", id="against oneself"),
    ],
)
def test_a_whole_game(tmp_path: Path, options: list[str], ending: str) -> None:
    status, printed, errors = play("--board", "4x4", *options, "--save", "game.json", typed=CELLS, folder=tmp_path)
    assert (status, errors) == (0, "")
    assert ending in printed
    assert printed.endswith("The record is in game.json.")
    status, printed, errors = ludoteca_("record", "verify", "game.json", folder=tmp_path)
    assert (status, errors) == (0, "")
    assert re.fullmatch(r"game.json: a record of okupacio, \d+ actions, all legal; its result holds", printed)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        pytest.param("ac", "Not played: ac is a wall.", id="a wall"),
        pytest.param("[bold]", "Not played: '[bold]' is no move", id="a word that means something to the painter"),
        pytest.param("a\x1bb", r"Not played: 'a\x1bb' is no move", id="an escape"),
        pytest.param("help", "A move is a cell, its row and then its column, such as ab; 00 resigns.", id="help"),
    ],
)
def test_an_answer_that_is_no_move(typed: str, says: str) -> None:
    status, printed, errors = play("--board", WALLED, "--seed", "1", typed=f"{typed}\n")
    assert (status, errors) == (1, "")
    assert says in printed


@pytest.mark.parametrize("typed", ["", "ab\n\n  q  \n"])
def test_a_game_is_left_and_its_record_kept(tmp_path: Path, typed: str) -> None:
    status, printed, errors = play("--seed", "1", "--save", "game.json", typed=typed, folder=tmp_path)
    assert (status, errors) == (0 if "q" in typed else 1, "")
    assert printed.endswith("The game is left unfinished. The record is in game.json.")
    status, printed, _ = ludoteca_("record", "verify", "game.json", folder=tmp_path)
    actions = 2 if "ab" in typed else 0
    expected = f"game.json: a record of okupacio, {actions} actions, all legal; the game is not finished"
    assert (status, printed) == (0, expected)


def test_who_gives_up_is_out_and_the_others_play_on() -> None:
    status, printed, errors = play("--board", "4x4", "--players", "3", "--seed", "2", typed="00\n")
    assert (status, errors) == (0, "")
    assert "Player 1 takes" not in printed
    assert re.search(r"Player [23] wins. Cells: \d+;", printed)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("\ufeff4 4 2 1 1 1\r\n3 2 5 1\r\n", id="numbers, with a byte order mark and CRLF"),
        pytest.param("\ufeff..#.\r\n#...\r\n##..\r\n...#\r\n", id="picture, with a byte order mark and CRLF"),
    ],
)
def test_a_board_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tauler.txt").write_bytes(content.encode())
    status, printed, errors = play("--board", "tauler.txt", typed="ac\n")
    assert (status, errors) == (1, "")
    assert "Not played: ac is a wall." in printed


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"4 4 17\n", "ludoteca: board: tauler.txt: number 3 of the board is 17: "),
        (b"", "ludoteca: board: tauler.txt: the board ends after 0 numbers"),
        (bytes(range(256)), "ludoteca: board: tauler.txt: "),
    ],
    ids=["numbers", "empty", "binary"],
)
def test_a_wrong_board_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, says: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tauler.txt").write_bytes(content)
    status, printed, errors = play("--board", "tauler.txt")
    assert (status, printed) == (2, "")
    assert errors.startswith(says)
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--players", "11"], "ludoteca: players: read '11', expected a whole number from 2 to 10\n"),
        (["--players", "5", "--seat", "6"], "ludoteca: seat: read 6, expected 1 to 5\n"),
        (["--board", "3x4"], "the board has 3 rows: expected 4 to 25 "),
        (
            ["--board", "mai.txt"],
            "ludoteca: board: number 1 of the board is 'mai.txt': expected a natural number greater than 0 (read ",
        ),
        (["--board", "."], "ludoteca: board: "),
        (["--board", "9" * 5000], "ludoteca: board: "),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_an_option_that_is_wrong_is_told_in_a_line(options: list[str], says: str) -> None:
    status, printed, errors = play(*options)
    assert (status, printed) == (2, "")
    assert says in errors
    assert errors.startswith("ludoteca: ")
    assert errors.count("\n") == 1


@pytest.mark.parametrize("option", ["--seat=x", "--bord=4x4", "--save=."])
def test_an_option_that_click_refuses(option: str) -> None:
    status, printed, errors = play(option)
    assert (status, printed) == (2, "")
    assert "Try 'ludoteca play okupacio --help' for help." in errors


def test_a_board_too_long_for_the_name_of_a_file() -> None:
    status, printed, errors = play("--board", "25 25 " + "1 " * 625, typed="ab\n")
    assert (status, errors) == (1, "")
    assert "Not played: ab is a wall." in printed


def test_a_record_that_cannot_be_written_is_told_before_the_game() -> None:
    status, printed, errors = play("--save", "/there/is/no/such/folder/game.json", typed="ab\n")
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("ludoteca: ")


@pytest.mark.parametrize(
    ("encoding", "typed"),
    [("utf-8:strict", "\udcff\nac\n"), ("ascii", "ac\n")],
    ids=["input that is no UTF-8", "a screen without accents"],
)
def test_a_terminal_of_another_encoding(encoding: str, typed: str) -> None:
    status, printed, _ = play("--board", WALLED, "--seed", "1", typed=typed, PYTHONIOENCODING=encoding)
    assert (status, "Not played: ac is a wall." in printed) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ((), {"LC_ALL": "ca_ES.UTF-8"}),
        (("--language", "ca"), {"LC_ALL": "ro_RO.UTF-8"}),
    ],
    ids=["the system", "an option and the system"],
)
def test_the_language_is_chosen(arguments: tuple[str, ...], environment: dict[str, str], tmp_path: Path) -> None:
    options = ("--board", "4x4", "--seed", "4", "--save", "partida.json", *arguments)
    status, printed, errors = play(*options, typed=f"help\nzz\n{CELLS}", folder=tmp_path, **environment)
    assert (status, errors) == (0, "")
    for text in (
        "Okupació. Escriu help per saber com s'escriuen les jugades",
        "Una jugada és una casella, primer la fila i després la columna, com ara ab; 00 abandona.",
        "No s'ha jugat: zz és fora del tauler, que té files de la a a la d i columnes de la a a la d.",
        "Ocupa una casella lliure.",
        "Jugador 2 ocupa ",
        "Guanya jugador 1.",
        "El registre és a partida.json.",
    ):
        assert text in printed
    assert not re.search(r"\b(Player|player|takes|wins|The)\b", printed)


def test_a_game_goes_on_in_another_language(tmp_path: Path) -> None:
    play("--seed", "1", "--save", "game.json", typed="ab\n", folder=tmp_path)
    resumed = ("play", "--resume", "game.json", "--opponent", "random", "--language", "ro")
    status, printed, errors = ludoteca_(*resumed, typed="q\n", folder=tmp_path)
    assert (status, errors) == (0, "")
    assert printed.endswith("Jucătorul 1: Partida rămâne neterminată. Înregistrarea este în game.json.")


def test_the_rules_are_walked_through_as_far_as_one_likes() -> None:
    status, printed, _ = play("--board", "4x4", "--seed", "1", typed="rules\n\nq\nq\n")
    assert status == 0
    assert printed.count("Enter goes on, q goes back to the game.") == 2
    assert "Two to ten armies share a board" in printed
    assert "A cell with two neighbours falls when both are yours" not in printed


# in a terminal


def in_terminal(*options: str, columns: int = 80, lines: int = 30, **environment: str) -> AbstractContextManager[Terminal]:
    return terminal(*PLAY, *options, columns=columns, lines=lines, **environment)


def test_a_game_in_a_terminal() -> None:
    with in_terminal("--board", "4x4", "--seed", "4") as tty:
        first = tty.wait_for("Player 1: ")
        assert "a b c d" in ESCAPE.sub("", first)
        tty.type("zz\n")
        tty.wait_for("Not played: zz is outside the board")
        tty.wait_for("Player 1: ")
        tty.type("aa\n")
        second = tty.wait_for("Player 1: ")
        assert re.search(r"\x1b\[[0-9;]*48;[0-9;]*mA\*", second)
        tty.type(CELLS)
        tty.wait_for("Player 1 wins. Cells: 8;")
        assert tty.status() == 0
        assert "Traceback" not in tty.seen


def test_an_earlier_line_is_called_back_and_edited() -> None:
    with in_terminal("--board", "4x4", "--seed", "4") as tty:
        tty.wait_for("Player 1: ")
        until_it_waits(tty.process)
        tty.type("zz\n")
        tty.wait_for("Not played: zz")
        until_it_waits(tty.process)
        tty.type("\x1b[A\x7f\x7faa\n")
        tty.wait_for("Player 1 takes aa (row 1, column 1).")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_the_prompt_returns_after_a_stop() -> None:
    with shell(NO_COLOR="1") as tty:
        tty.wait_for("shell> ")
        tty.type(f"{shlex.join([sys.executable, '-m', 'ludoteca', *PLAY, '--board', '4x4', '--seed', '4'])}\n")
        tty.wait_for("Player 1: ")
        tty.type("a")
        tty.wait_for("a")
        until_it_waits(tty.foreground())
        tty.type("\x1a")
        tty.wait_for("Stopped")
        tty.wait_for("shell> ")
        tty.type("fg\n")
        tty.wait_for("Player 1: ")
        tty.type("aa\n")
        tty.wait_for("Player 1 takes aa (row 1, column 1).")


def test_who_leaves_may_save_the_game(tmp_path: Path) -> None:
    with in_terminal("--board", "4x4", "--seed", "4") as tty:
        tty.wait_for("Player 1: ")
        tty.type("aa\n")
        tty.wait_for("Player 1: ")
        until_it_waits(tty.process)
        tty.type("q\n")
        tty.wait_for("Save the game?")
        until_it_waits(tty.process)
        tty.type(f"{tmp_path / 'kept.json'}\n")
        assert tty.status() == 0
    assert len(read_record(tmp_path / "kept.json").actions) == 2


def test_lines_typed_during_a_hint_are_discarded() -> None:
    with in_terminal("--board", "4x4", "--seed", "4") as tty:
        tty.wait_for("Player 1: ")
        until_it_waits(tty.process)
        tty.type("?\n")
        tty.wait_for("\n")
        tty.type("aa\nbb\n")
        tty.wait_for("discarded")
        until_it_waits(tty.process)
        tty.type("cc\n")
        tty.wait_for("Player 1 takes cc (row 3, column 3).")
        assert "Player 1 takes aa (row 1, column 1)." not in tty.seen


@pytest.mark.parametrize(("keys", "status"), [("q\n", 0), ("\x04", 1), ("\x03", 130)], ids=["q", "Ctrl-D", "Ctrl-C"])
def test_keys_that_leave_the_game(keys: str, status: int) -> None:
    with in_terminal("--seed", "1") as tty:
        tty.wait_for("Player 1: ")
        until_it_waits(tty.process)
        tty.type(keys)
        tty.wait_for("The game is left unfinished.")
        assert tty.status() == status
        assert "Traceback" not in tty.seen
