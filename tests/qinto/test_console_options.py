"""What `--hide` and `--marks` add to the golden runs of the text program, and nothing else."""

import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.core.console import CLEAR, SCREEN_LINES
from tests.qinto.test_console import ASK_NAMES, COMMAND, GOLDENS, read_golden, run
from tests.qinto.transcripts import ASK

ALONE = r"\nSó (.*) deve ver o ecrã agora\. Enter mostra a mão:\n"


def hidden(golden: Path) -> str:
    """A golden run in which each player is alone with the screen before they see their hand."""
    arguments, typed, printed = read_golden(golden)
    run_of_it = run(typed.replace("\n", "\n\n").removesuffix("\n"), *arguments, "--hide")
    assert (run_of_it.status, run_of_it.complaints) == (0, [])
    assert re.sub(ALONE, "", run_of_it.text.replace(SCREEN_LINES * "\n", "")) == printed
    return run_of_it.text


@pytest.mark.parametrize("golden", GOLDENS[:1])
def test_a_hand_is_on_the_screen_while_its_owner_is_alone_with_it(golden: Path) -> None:
    before, *screens = hidden(golden).split(SCREEN_LINES * "\n")
    assert screens
    for screen in [before, *screens]:
        public, *turn = re.split(ALONE, screen)
        assert "Mão de" not in public
        assert "Jogada" not in public
        if turn:
            player, shown = turn
            assert re.findall("Mão de (.*):", shown) == [player]
    assert "Parabéns" in screens[-1] or "Empate" in screens[-1]


def test_only_enter_shows_a_hand() -> None:
    text = run("A, B\n+ 1b@1,1\n?\n", "seed=4", "--hide").text
    assert len(re.findall(ALONE, text)) == 3
    assert "Mão" not in re.split(ALONE, text)[-1]


@pytest.mark.parametrize("typed", ["q\n", "\nq\n", "\n-\nq\n"])
def test_q_leaves_and_no_hand_stays_on_the_screen(typed: str) -> None:
    left = run(f"A, B\n{typed}", "seed=4", "--hide")
    assert (left.status, left.complaints) == (0, [])
    assert left.text.endswith("Jogo deixado antes do fim.\n")
    assert "Mão de" not in left.text.split(SCREEN_LINES * "\n")[-1]


def test_a_terminal_is_cleared() -> None:
    screen = "".join(on_a_terminal("Ana, Bruno\n\n-\n\nq\n", TERM="xterm"))
    assert screen.count(CLEAR) == 2
    first, second, last = screen.split(CLEAR)
    assert "Mão de Bruno" in first
    assert "Mão de" not in re.split(ALONE, second)[0]
    assert "Mão de Ana" in second
    assert last.split() == ["Jogo", "deixado", "antes", "do", "fim."]


def test_a_terminal_that_cannot_be_cleared_is_pushed_away() -> None:
    screen = "".join(on_a_terminal("Ana, Bruno\n\nq\n", TERM="dumb"))
    assert "\x1b" not in screen
    assert f"{ASK}\n{SCREEN_LINES * chr(10)}Jogo deixado" in screen


def on_a_terminal(typed: str, **environment: str) -> Iterator[str]:
    """The output of the program at a terminal."""
    ours, terminal = pty.openpty()
    command = [*COMMAND, "--seed=7", "--hide"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=terminal, env=os.environ | environment) as program:
        os.close(terminal)
        assert program.stdin
        program.stdin.write(typed.encode())
        program.stdin.close()
        written = b""
        while part := read_some(ours):
            written += part
    os.close(ours)
    yield written.decode().replace("\r\n", "\n")
    assert program.returncode == 0


def read_some(terminal: int) -> bytes:
    """The output at a terminal. It is empty if the program has ended, which Linux reports as an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


@pytest.mark.parametrize("golden", GOLDENS[-2:])
def test_the_tiles_of_the_last_turn_are_marked(golden: Path) -> None:
    arguments, typed, printed = read_golden(golden)
    marked = run(typed, *arguments, "--marks").text
    assert re.sub(r"\[(..)\]", r" \1 ", marked) == printed
    for told, screen in turns(marked):
        new = re.findall(r"\[(..)\]", screen)
        assert sorted(new) == sorted(tiles_put(told))


def turns(text: str) -> Iterator[tuple[str, str]]:
    """The text about each turn, and the grid that is printed after it."""
    opening, *answers = text.split(f"{ASK}\n")
    assert ASK_NAMES in opening
    assert "[" not in opening
    for answer in answers:
        told, screen = answer.split("\n", 1)
        yield told, screen


def tiles_put(told: str) -> list[str]:
    """The tiles that a turn has put on the grid."""
    if " junta " in told:
        return told.partition(" junta ")[2].removesuffix(".").split()
    return re.findall("(..) por ", told)
