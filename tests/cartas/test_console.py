"""The document's programs: golden runs, whole and line by line, input that is wrong, and how long they take."""

import io
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludoteca.cli.console import command
from ludoteca.core import console as driver
from ludoteca.core.bits import members
from ludoteca.core.console import ConsoleError
from ludoteca.core.words import counted
from ludoteca.games.cartas import GAME, cards
from ludoteca.games.cartas.combinations import answers, shape_of
from ludoteca.games.cartas.text import console
from ludoteca.games.cartas.text.lines import play_to_answer
from tests import consoles
from tests.consoles import no_file

OWN = Path(__file__).parents[1] / "golden" / "cartas"
SHARED = Path(__file__).parents[3] / "shared" / "golden" / "cartas"
COMMAND = [sys.executable, "-m", "ludoteca", "console", "cartas"]

OWN_GOLDENS = [pytest.param(path, path.name.partition(".")[0], id=path.stem) for path in sorted(OWN.glob("*.in"))]
SHARED_GOLDENS = [
    pytest.param(path, path.parent.name, id=f"shared-{path.parent.name}-{path.stem}")
    for path in sorted(SHARED.glob("guiao*/*.in"))
]


def run(program: str, typed: str) -> tuple[str, str, int]:
    """Return what a program prints, its complaint and its status."""
    done = consoles.run("cartas", typed, program)
    return done.text, "".join(done.complaints), done.status


def pictures(text: str) -> str:
    """The text with its cards as pictures."""
    for word, picture in zip(cards.WORDS, cards.PICTURES, strict=True):
        text = text.replace(word.replace(" ", ""), picture)
    return text


@pytest.mark.parametrize(("path", "program"), OWN_GOLDENS + SHARED_GOLDENS)
def test_goldens_byte_for_byte(path: Path, program: str) -> None:
    typed, printed = path.read_bytes(), path.with_suffix(".out").read_bytes()
    assert run(program, typed.decode()) == (printed.decode(), "", 0)
    done = CliRunner().invoke(command, ["cartas", program], input=typed)
    assert (done.stdout_bytes, done.stderr, done.exit_code, done.exception) == (printed, "", 0, None)


@pytest.mark.parametrize(("path", "program"), OWN_GOLDENS)
def test_a_test_is_answered_as_soon_as_it_is_read(path: Path, program: str) -> None:
    """Cut off anywhere, all whole tests have been answered, and the complaint names the line that is missing."""
    lines = path.read_bytes().decode().splitlines(keepends=True)
    whole = path.with_suffix(".out").read_bytes().decode()
    for n in range(len(lines)):
        printed, complaint, status = run(program, "".join(lines[:n]))
        if program != "jogador":
            assert whole.startswith(printed)
            assert (status, complaint.startswith(f"a entrada acaba depois de {counted(n, 'linha')}: esperava")) == (1, True)


CARD = "\N{PLAYING CARD ACE OF SPADES}"
ONE = "conjunto com 1 cartas onde a carta mais alta é A♠\n"
TWICE = f"a carta {CARD} está repetida, outra vez no carácter 2"
WRONG = [
    ("guiao1", "x\n", "", "linha 1: li 'x', esperava o número de linhas"),
    ("guiao1", "9999999999\n", "", "linha 1: li '9999999999', esperava o número de linhas"),
    ("guiao1", "", "", "a entrada acaba depois de 0 linhas: esperava o número de linhas"),
    ("guiao1", f"2\n{CARD}\n", ONE, "a entrada acaba depois de 2 linhas: esperava cartas"),
    ("guiao1", f"1\n{CARD} xyz {CARD}\n", "", "linha 2: li 'xyz' no carácter 3, esperava uma carta"),
    ("guiao1", f"1\n{CARD}\U0001f0cf\n", "", "linha 2: li '\\U0001f0cf' no carácter 2, esperava uma carta"),
    ("guiao1", "1\n\N{PLAYING CARD BACK}\n", "", "linha 2: li '\\U0001f0a0' no carácter 1, esperava uma carta"),
    ("guiao1", "1\n11 ♠\n", "", "linha 2: li '11' no carácter 1, esperava uma carta"),
    ("guiao1", "1\n10♠ 2♥ 10 ♠\n", "", "linha 2: a carta 10 ♠ está repetida, outra vez no carácter 8"),
    ("guiao1", f"1\n{CARD}A♠\n", "", "linha 2: a carta A♠ está repetida, outra vez no carácter 2"),
    ("guiao2", f"2\n1\n{CARD}\n2\n{CARD}\n", "Teste 1\nA♠\n", "a entrada acaba depois de 5 linhas: esperava uma combinação"),
    ("guiao2", f"1\n{CARD}\n", "", f"linha 2: li '{CARD}', esperava o número de linhas"),
    ("guiao3", f"1\n1\n{CARD}\nPASSO\n", "", "a entrada acaba depois de 4 linhas: esperava a jogada ou PASSO"),
    ("guiao4", f"2\nPASSO\n{CARD}\nPASSO\n{CARD}{CARD}\n", "Teste 1\nA♠\n", f"linha 5: {TWICE}"),
    ("guiao4", "1\nPASSO\nPASSO\n", "", "linha 3: li 'PASSO' no carácter 1, esperava uma carta"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "typed", "printed", "complaint"), WRONG)
def test_wrong_input(program: str, typed: str, printed: str, complaint: str) -> None:
    found = run(program, typed)
    assert found[0] == pictures(printed)
    assert found[1].encode("ascii", "backslashreplace") == complaint.encode("ascii", "backslashreplace") or found[1] == (
        complaint.encode("ascii", "backslashreplace").decode("unicode_escape")
    )
    assert found[2] == 1


@pytest.mark.parametrize("arguments", [[], ["guiao5"], ["guiao1", "guiao2"]])
def test_the_name_of_a_program_is_needed(arguments: list[str]) -> None:
    with pytest.raises(ConsoleError, match="esperava o nome de um programa: guiao1, guiao2, guiao3, guiao4, jogador"):
        next(console.session(driver.Console(GAME.language), arguments, no_file))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--fast"], "li '--fast', esperava --seconds N"),
        (["--seconds", "0"], "li '0', esperava um número de segundos até 60, por exemplo 0.5"),
        (["--seconds=61"], "li '61', esperava um número de segundos até 60, por exemplo 0.5"),
        (["--seconds", "1", "2"], "li '--seconds 1 2', esperava --seconds N"),
    ],
)
def test_jogador_is_told_its_time_in_seconds(arguments: list[str], complaint: str) -> None:
    with pytest.raises(ConsoleError, match=complaint):
        next(console.session(driver.Console(GAME.language), ["jogador", *arguments], no_file))


def test_jogador_takes_the_time_that_it_is_given() -> None:
    lines, printed = io.StringIO("5♠9♠J♥K♦\n"), [""]
    begin = time.perf_counter()
    status = driver.run(GAME, ["jogador", "--seconds=0.05"], no_file, lines.readline, printed.append, printed.append)
    assert time.perf_counter() - begin >= 0.05
    assert status == 0
    assert legal("5♠9♠J♥K♦\n", "".join(printed).strip())


def test_counts_may_have_blanks_and_zeros() -> None:
    assert run("guiao1", f" 01 \n{CARD}\n") == (pictures(ONE), "", 0)


@pytest.mark.parametrize(("path", "program"), OWN_GOLDENS)
def test_lines_after_the_last_that_counts_are_told_and_change_nothing(path: Path, program: str) -> None:
    typed, printed = (path.with_suffix(suffix).read_bytes().decode() for suffix in (".in", ".out"))
    if program != "jogador":
        typed = typed.removesuffix("\n")
        surplus = f"linha {typed.count(chr(10)) + 3}: li 'xyz', não esperava mais nada: o resto não é lido"
        assert run(program, f"{typed}\n \n\n") == (printed, "", 0)
        assert run(program, f"{typed}\n\nxyz\n\nabc") == (printed, surplus, 0)


def test_who_types_is_not_asked_for_more_than_counts() -> None:
    lines, printed = iter(["1\n", f"{CARD}\n"]), list[str]()
    assert (
        driver.run(GAME, ["guiao1"], no_file, lambda: next(lines), printed.append, pytest.fail, is_whole=lambda: False) == 0
    )
    assert printed[-1] == pictures(ONE)


def test_lines_without_cards_are_no_combinations() -> None:
    assert run("guiao1", "1\n\n") == ("Nada!\n", "", 0)
    assert run("guiao3", f"1\n1\n{CARD}\n\n{CARD}\n") == (f"Teste 1\n{CARD}\n", "", 0)


# Guião 4, fast


def five_pairs() -> str:
    """A hundred tests of five pairs: hands of 21 cards, three of each value."""
    card = cards.PICTURES
    hand = "".join(card[4 * value + suit] for value in range(2, 9) for suit in ((0, 1, 3), (1, 2, 3))[value % 2])
    last = "".join(card[4 * value + suit] for value in range(1, 6) for suit in (0, 2))
    return "100\n" + f"{last}\n{hand}\n" * 100


def test_guiao_4_writes_tens_of_thousands_of_lines_in_seconds_of_process_time() -> None:
    """It takes half a second on an idle machine. A program that tries all subsets takes minutes."""
    before = os.times()
    done = subprocess.run([*COMMAND, "guiao4"], input=five_pairs().encode(), capture_output=True, check=True)
    after = os.times()
    assert done.stdout.count(b"\n") == 100 * (1 + 3 * 3**5)
    assert after.children_user + after.children_system - before.children_user - before.children_system < 5


@pytest.mark.slow
@pytest.mark.parametrize("held", [20, pytest.param(24, marks=pytest.mark.soak)])
def test_guiao_4_lists_hands_of_any_length_in_order(held: int) -> None:
    printed, _, _ = run("guiao4", "1\nPASSO\n" + "".join(cards.PICTURES[:held]) + "\n")
    lines = printed.splitlines()[1:]
    assert len(lines) == len(set(lines)) > 10_000
    plays = [cards.read(line)[0] for line in lines]
    assert all(map(shape_of, plays))
    groups = [(shape_of(play), members(play)) for play in plays]
    for one, two in pairwise(groups):
        assert one[0] != two[0] or one[1] < two[1]


def test_guiao_4_writes_as_it_goes_and_ends_when_nobody_reads_on() -> None:
    """40 cards have more combinations than any memory holds. The program has 400 MB."""
    typed = "1\nPASSO\n" + "".join(cards.PICTURES[:40]) + "\n"
    limited = ["bash", "-c", 'ulimit -v 400000; exec "$@"', "bash", *COMMAND, "guiao4"]
    with subprocess.Popen(limited, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(typed.encode())
        process.stdin.close()
        lines = [process.stdout.readline() for _ in range(200_000)]
        process.stdout.close()
        assert process.stderr.read() == b""
    assert lines[:2] == [b"Teste 1\n", f"{cards.PICTURES[0]}\n".encode()]
    assert len(set(lines)) == len(lines)


# The player of the tournament


def legal(typed: str, answer: str) -> bool:
    """Is the answer one that the position allows?"""
    lines = typed.removeprefix("\ufeff").split("\n")
    lines = [line.strip() for line in lines if line.strip()]
    if lines[0].isdigit():
        lines = lines[1:]
    hand = cards.read(lines[0])[0]
    last = play_to_answer([0 if line == "PASSO" else cards.read(line)[0] for line in lines[1:]])
    if answer == "PASSO":
        return True
    play = cards.read(answer)[0]
    return not play & ~hand and (answers(play, last) if last else shape_of(play) != 0)


DOCUMENT = (OWN / "jogador.document.in").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("mark", "counted", "ends", "last", "form"),
    [
        ("", "", "\n", True, "words"),
        ("\ufeff", "15\n", "\r\n", True, "words"),
        ("", "3\n", "\r\n", False, "pictures"),
        ("\ufeff", "0015\n", "\n", False, "pictures"),
    ],
)
def test_jogador_reads_every_form_of_input(mark: str, counted: str, ends: str, last: bool, form: str) -> None:
    text = counted + (DOCUMENT if form == "words" else pictures(DOCUMENT.replace(" ", "")))
    text = mark + text.replace("\n", ends)
    expected = "10 ♠ J ♥ C ♦\n" if form == "words" else pictures("10♠ J♥ C♦\n")
    assert run("jogador", text if last else text.rstrip()) == (expected, "", 0)


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "a entrada acaba depois de 0 linhas: esperava a mão, ou o número de jogadas"),
        ("3\n", "a entrada acaba depois de 1 linha: esperava a mão"),
        ("\n", "linha 1: li '', esperava as cartas da mão"),
        ("PASSO\n", "linha 1: li 'PASSO' no carácter 1, esperava uma carta"),
        ("5♠\nhello\n", "linha 2: li 'hello' no carácter 1, esperava uma carta"),
        ("5♠5♠\n", "linha 1: a carta 5♠ está repetida, outra vez no carácter 3"),
        ("5♠\n\n4♠\n", "linha 2: li '', esperava uma jogada ou PASSO"),
    ],
)
def test_jogador_passes_when_it_cannot_read(typed: str, complaint: str) -> None:
    assert run("jogador", typed) == ("PASSO\n", complaint, 1)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("5♠\n", "5 ♠"), ("5♠\n6♠\n", "PASSO"), ("5♠ 9♠\n4♠\n\n", None),
        ("7♠7♥7♦\n6♠6♥6♦\nPASSO\nPASSO\n", "7 ♠ 7 ♥ 7 ♦"), ("A♠A♥A♦A♣\nK♠\nPASSO\n", "A ♠ A ♥ A ♦ A ♣"),
        ("3♠3♥4♠4♥5♠5♥\nK♠\nPASSO\n", "3 ♠ 3 ♥ 4 ♠ 4 ♥ 5 ♠ 5 ♥"),
    ],
)  # fmt: skip
def test_jogador_goes_out_when_it_can_and_passes_when_it_must(typed: str, answer: str | None) -> None:
    printed, complaint, status = run("jogador", typed)
    assert (complaint, status) == ("", 0)
    assert printed.strip() == answer or (answer is None and legal(typed, printed.strip()))


@pytest.mark.parametrize("size", [21, 56])
def test_jogador_answers_hands_of_any_size(size: int) -> None:
    hand = "".join(cards.PICTURES[(5 * i) % 56] for i in range(size))
    for plays in ("", cards.PICTURES[3] + "\n", cards.PICTURES[52] + "\n"):
        typed = f"{hand}\n{plays}"
        before = time.process_time()
        printed, _, status = run("jogador", typed)
        assert time.process_time() - before < 5, "subsets of 56 cards would take for ever"
        assert status == 0
        assert legal(typed, printed.strip())


def test_jogador_answers_positions_that_others_wrote() -> None:
    for path in [OWN / "jogador.document.in", *sorted(SHARED.glob("jogador/*.in"))]:
        typed = path.read_bytes().decode()
        printed, complaint, status = run("jogador", typed)
        assert (complaint, status, printed.count("\n")) == ("", 0, 1), path
        assert legal(typed, printed.strip()), path
