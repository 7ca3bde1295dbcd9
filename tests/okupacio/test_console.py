"""The document's program: golden runs, as a whole and line by line, and input that is wrong or ends early.

The README.txt of this checkout's goldens names their origin. The goldens of ../shared are read in that folder.
"""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

import pytest
from click.testing import CliRunner

from ludoteca.cli.console import command
from ludoteca.core import console as driver
from ludoteca.games.okupacio import GAME
from tests.consoles import Run, run
from tests.processes import PATIENCE, until_it_waits

OWN = Path(__file__).parents[1] / "golden" / "okupacio"
SHARED = Path(__file__).parents[3] / "shared" / "golden" / "okupacio"
COMMAND = [sys.executable, "-m", "ludoteca", "console", "okupacio"]
OPENING = "BENVINGUTS A OKUPACIO !\nENTRA NOMBRE DE JUGADORS (2..10):\nNOM DEL FITXER DEL TAULER:\n"


class Golden(NamedTuple):
    """The input, the output and the exit status of a run."""

    folder: Path
    typed: str
    printed: str
    status: int


def read_golden(path: Path) -> Golden:
    typed, printed = (path.with_suffix(suffix).read_bytes().decode() for suffix in (".in", ".out"))
    return Golden(path.parent, typed, printed, 0 if "GAME OVER" in printed else 1)


OWN_GOLDENS = [pytest.param(read_golden(path), id=path.stem) for path in sorted(OWN.glob("*.in"))]
SHARED_GOLDENS = [pytest.param(read_golden(path), id=f"shared-{path.stem}") for path in sorted(SHARED.glob("*.in"))]
GOLDENS = OWN_GOLDENS + SHARED_GOLDENS


class Answer(NamedTuple):
    """The answer to a question: its start and end in the input, and the end of its prompt in the output."""

    start: int
    end: int
    prompt_end: int


PROMPT = re.compile(r"^(ENTRA NOMBRE DE JUGADORS \(2\.\.10\):|NOM DEL FITXER DEL TAULER:|JUGADOR [A-J])\n", re.MULTILINE)
WORD = re.compile(r"\s*(\S+)", re.ASCII)
MOVE = re.compile(r"\s*(\S\s*\S)", re.ASCII)


@cache
def answers(golden: Golden) -> list[Answer]:
    """Return the answer in the input to each prompt of the output."""
    found: list[Answer] = []
    at = 0
    for prompt in PROMPT.finditer(golden.printed):
        form = MOVE if prompt[1].startswith("JUGADOR") else WORD
        answer = form.match(golden.typed, at)
        assert answer, f"nothing answers {prompt[1]!r}"
        at = answer.end()
        found.append(Answer(answer.start(1), at, prompt.end()))
    return found


def due(golden: Golden, typed: int) -> str:
    """Return the output that is due after the first `typed` characters of the input."""
    waiting = next((answer for answer in answers(golden) if answer.end > typed), None)
    return golden.printed[: waiting.prompt_end] if waiting else golden.printed


# as a whole and line by line


def start(folder: Path = OWN) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    return subprocess.Popen(COMMAND, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)


def read(stream: IO[bytes], length: int) -> str:
    """Read this many bytes, or fewer if the time is over or the stream ends."""
    text, deadline = b"", time.monotonic() + PATIENCE
    while len(text) < length and select.select([stream], [], [], max(0, deadline - time.monotonic()))[0]:
        part = os.read(stream.fileno(), 1 << 16)
        if not part:
            break
        text += part
    return text.decode()


@pytest.mark.parametrize("golden", OWN_GOLDENS[:1])
def test_a_golden_line_by_line_in_a_process(golden: Golden) -> None:
    with start(golden.folder) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        printed, typed = "", 0
        for line in golden.typed.splitlines(keepends=True):
            expected = due(golden, typed)
            printed += read(process.stdout, len(expected) - len(printed))
            assert printed == expected
            if expected == golden.printed:
                break
            process.stdin.write(line.encode())
            typed += len(line)
        if not golden.typed.endswith("\n"):
            process.stdin.close()
        assert printed + read(process.stdout, len(golden.printed) + 1) == golden.printed
        assert process.wait(PATIENCE) == golden.status
        assert process.stderr.read() == b""


# in this process: the input ends, anywhere


def converse(typed: str, read_file: Callable[[str], str]) -> Run:
    return run("okupacio", typed, read_file=read_file)


def read_file(name: str) -> str:
    return (OWN / name).read_text()


def run_here(typed: bytes, folder: Path = OWN) -> Run:
    """Run the whole program in this process."""
    with chdir(folder):
        result = CliRunner().invoke(command, ["okupacio"], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return Run(result.exit_code, result.stdout, result.stderr.splitlines())


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_golden_whole(golden: Golden) -> None:
    assert run_here(golden.typed.encode(), golden.folder) == (golden.status, golden.printed, [])


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_golden_line_by_line(golden: Golden) -> None:
    """Before each line is read, the answers to the lines before it are printed, and nothing else."""
    lines, printed, typed = golden.typed.splitlines(keepends=True), list[str](), 0

    def next_line() -> str:
        nonlocal typed
        assert "".join(printed) == due(golden, typed)
        line = lines.pop(0) if lines else ""
        typed += len(line)
        return line

    def read_beside(name: str) -> str:
        return (golden.folder / name).read_text()

    status = driver.run(GAME, [], read_beside, next_line, printed.append, pytest.fail)
    assert ("".join(printed), status) == (golden.printed, golden.status)


def cuts(golden: Golden) -> list[int]:
    """Return every place at which the input may end, or some of them for a long input.

    Places inside the words of the opening are missing, because a cut makes other words of them.
    """
    words = [range(answer.start + 1, answer.end) for answer in answers(golden)[: golden.printed.count(":\n")]]
    places = [cut for cut in range(len(golden.typed)) if not any(cut in word for word in words)]
    return places[:: 1 + len(places) // 25]


@pytest.mark.parametrize("golden", OWN_GOLDENS)
def test_the_input_ends_anywhere(golden: Golden) -> None:
    for cut in cuts(golden):
        result = converse(golden.typed[:cut], read_file)
        expected = due(golden, cut)
        assert result.text == expected
        if expected == golden.printed:
            assert result == (golden.status, golden.printed, [])
        else:
            assert result.status == 1
            assert [text.startswith("l'entrada només té ") for text in result.complaints] == [True]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        pytest.param("", "l'entrada només té 0 línies: s'esperava el nombre de jugadors", id="nothing"),
        pytest.param("\n \n", "l'entrada només té 2 línies: s'esperava el nombre de jugadors", id="blanks"),
        pytest.param("2\n", "l'entrada només té 1 línia: s'esperava el nom del fitxer del tauler", id="players"),
        pytest.param(
            "2 tauler4x4.txt", "l'entrada només té 1 línia: s'esperava una tirada de l'exèrcit A", id="the opening"
        ),
        pytest.param("2\ntauler4x4.txt\nab\nb", "la segona lletra d'una tirada de l'exèrcit B", id="half a move"),
        pytest.param("2\ntauler4x4.txt\nab\nab\n", "s'esperava una tirada de l'exèrcit B", id="a wrong move"),
    ],
)
def test_what_is_missing_at_the_end_of_the_input(typed: str, says: str) -> None:
    result = converse(typed, read_file)
    assert (result.status, len(result.complaints)) == (1, 1)
    assert says in result.complaints[0]


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        pytest.param("1", "ENTRA NOMBRE DE JUGADORS (2..10):\n" * 2, id="of 10 players"),
        pytest.param("10\ntauler4x4.tx", OPENING.split("\n", 1)[1] + "NO ES POT OBRIR EL FITXER\n", id="of a file's name"),
    ],
)
def test_the_input_ends_in_the_middle_of_a_word(typed: str, printed: str) -> None:
    result = converse(typed, read_file)
    assert (result.status, result.text) == (1, f"BENVINGUTS A OKUPACIO !\n{printed}")


def test_an_interrupt_ends_the_program_in_one_line() -> None:
    with start() as process:
        assert process.stdout
        read(process.stdout, len("BENVINGUTS A OKUPACIO !\nENTRA NOMBRE DE JUGADORS (2..10):\n"))
        until_it_waits(process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, b"ludoteca: interrupted\n")


# boards that are wrong

WRONG_BOARDS = [
    pytest.param("", "el tauler només té 0 números", id="empty"),
    pytest.param("4 4", "el tauler només té 2 números", id="no counts"),
    pytest.param("3 4 12", "el número 1 del tauler (files) és 3", id="rows"),
    pytest.param("4 4 8 0 8", "el número 4 del tauler és '0'", id="zero"),
    pytest.param("4 4 17 -1", "el número 4 del tauler és '-1'", id="negative"),
    pytest.param("4 4 setze", "el número 3 del tauler és 'setze'", id="word"),
    pytest.param(f"4 4 {'9' * 5000}", "el número 3 del tauler és 999999999...", id="5000 digits"),
    pytest.param("4 4 2 1 14", "el número 5 del tauler és 14: ja té 3 caselles i només en queden 13", id="a count too high"),
    pytest.param("4 4 2 1 12", "el tauler s'acaba després del número 5, que és 12: omple 15 caselles de 16", id="less"),
    pytest.param("4 4 16 1", "el número 4 del tauler és 1: ja té 16 caselles i només en queden 0", id="more"),
    pytest.param("..#./#.../##../...#", "el número 1 del tauler és '..#./#.../##../...#'", id="a picture is no file"),
    pytest.param("1 " * 50_000, "el número 1 del tauler (files) és 1", id="too many numbers by far"),
]


@pytest.mark.parametrize(("board", "says"), WRONG_BOARDS)
def test_a_wrong_board_is_told_by_the_number_at_fault(board: str, says: str) -> None:
    result = converse("2\ntauler.txt\n00\n", lambda name: board)
    assert (result.status, result.text) == (1, OPENING)
    assert [text.startswith(f"tauler.txt: {says}") for text in result.complaints] == [True]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"4 4 17\n", "tauler.txt: el número 3 del tauler és 17: ", id="numbers"),
        pytest.param(bytes(range(256)) * 400, r"tauler.txt: el número 1 del tauler és '\x00\x01", id="binary"),
        pytest.param("4 4 16".encode("utf-16"), "tauler.txt: el número 1 del tauler és '", id="UTF-16"),
    ],
)
def test_the_program_tells_of_a_file_that_is_no_board(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "tauler.txt").write_bytes(content)
    result = run_here(b"2\ntauler.txt\n00\n", tmp_path)
    assert (result.status, result.text, len(result.complaints)) == (1, OPENING, 1)
    assert says in result.complaints[0]


@pytest.mark.parametrize("name", [b"mai.txt", b".", b"t\0auler.txt", b"x" * 5000, b"\xff.txt"], ids=ascii)
def test_a_file_that_cannot_be_opened(name: bytes) -> None:
    result = run_here(b"2\n" + name + b"\n00\n")
    assert (result.status, result.text) == (1, f"{OPENING}NO ES POT OBRIR EL FITXER\n")


def test_a_file_whose_name_is_no_utf_8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.txt")).write_text("4 4 16")
    result = run_here(b"2\n\xff.txt\n00\n", tmp_path)
    assert (result.status, result.complaints) == (0, [])


@pytest.mark.parametrize("odd", [b"\xff\xfe", b"\0\0", "à€".encode()], ids=ascii)
def test_odd_characters_are_as_wrong_as_any(odd: bytes) -> None:
    typed = b"--\n2\ntauler4x4.txt\n--\nab\n--\n00\n"
    assert run_here(typed.replace(b"--", odd)) == converse(typed.decode(), read_file)


# the modules that the program loads

WATCH = """
import json, sys
from io import TextIOWrapper
from ludoteca.cli import main

class Watched(TextIOWrapper):
    def readline(self, *args):
        seen.append(loaded())
        return super().readline(*args)

def loaded():
    return [name for name in ("numpy", "numba", "llvmlite", "rich", "msgspec") if name in sys.modules]

seen = []
sys.stdin = Watched(sys.stdin.buffer)
try:
    main()
finally:
    json.dump([seen[0], loaded()], sys.stderr)
"""


def test_the_program_loads_no_numpy_before_its_first_question_and_never_numba() -> None:
    typed = (OWN / "document.in").read_bytes()
    command = [sys.executable, "-c", WATCH, "console", "okupacio"]
    result = subprocess.run(command, input=typed, cwd=OWN, capture_output=True, timeout=PATIENCE, check=True)
    at_the_first_question, at_the_end = json.loads(result.stderr)
    assert result.stdout == (OWN / "document.out").read_bytes()
    assert at_the_first_question == []
    assert set(at_the_end) <= {"numpy", "msgspec"}
