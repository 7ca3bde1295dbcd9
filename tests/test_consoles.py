"""The documents' programs: their language, and the bytes that they read."""

from io import StringIO
from pathlib import Path
from time import process_time

import pytest
from click.testing import CliRunner, Result

from ludoteca.cli.console import command
from ludoteca.cli.files import MOST_CHARACTERS, read_text
from ludoteca.core import console, registry
from ludoteca.core.messages import LANGUAGES, catalogue, counted, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import excerpt
from tests.consoles import run

GAMES = [spec for spec in registry.registered_games() if spec.has("console")]
PROGRAMS = "guiao1, guiao2, guiao3, guiao4, jogador"
WRITTEN = "o mutare se scrie x y #carte Rk, de exemplu 2 1 #5 R0"


def board(name: str) -> str:  # every file is this board
    return "4 4 16"


def printed(game: str, arguments: list[str], typed: bytes) -> Result:
    """Return the result of a program for these bytes."""
    return CliRunner().invoke(command, [game, *arguments], input=typed)


# Language


@pytest.mark.parametrize(
    ("game", "arguments", "typed", "complaint"),
    [
        ("okupacio", ["x"], "", "s'ha llegit 'x': aquest programa no pren arguments"),
        ("okupacio", [], "2\n", "l'entrada només té 1 línia: s'esperava el nom del fitxer del tauler"),
        ("okupacio", [], "2 t\nab\n", "l'entrada només té 2 línies: s'esperava una tirada de l'exèrcit B"),
        ("conclave", ["x"], "", "s'ha llegit 'x': aquest programa no pren arguments"),
        ("conclave", [], "", "l'entrada només té 0 línies: s'esperava la llavor"),
        ("conclave", [], "1 dos\n", "línia 1: s'ha llegit 'dos', s'esperava el nombre de jugadors"),
        ("conclave", [], "1 2\na\nb\nJ x", "línia 4: s'ha llegit 'x', s'esperava una posició de la mà"),
        ("cartas", ["guiao5"], "", f"li 'guiao5', esperava o nome de um programa: {PROGRAMS}"),
        ("cartas", ["guiao1"], "1\n", "a entrada acaba depois de 1 linha: esperava cartas"),
        ("cartas", ["guiao2"], "1\nx\n", "linha 2: li 'x', esperava o número de linhas"),
        ("cartas", ["jogador"], "5♠\n4\n", "linha 2: li '4' no carácter 1, esperava uma carta"),
        ("qinto", ["rounds=0"], "", "li 'rounds=0', esperava um número inteiro de 1 a 20"),
        ("qinto", [], "A,B\n", "a entrada acaba depois de 1 linha: esperava uma jogada"),
        ("metro", ["--side=5"], "", "am citit '--side 5', așteptam un număr întreg de la 4 la 12, din 2 în 2"),
        ("metro", ["--tiles", "x"], "", "am citit '--tiles x', așteptam unul dintre endless, stack"),
        ("metro", ["moves"], 19 * "\n" + "x\n", f"linia 20: am citit „x”: {WRITTEN}"),
        ("metro", ["--seed", "7"], "m\n", "intrarea se termină după 1 linie: așteptam o mutare, de exemplu 2 1 R0, sau q"),
    ],
)  # fmt: skip
def test_a_program_complains_in_its_own_language(game: str, arguments: list[str], typed: str, complaint: str) -> None:
    assert run(game, typed, *arguments, read_file=board).complaints == [complaint]


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_a_program_says_which_language_it_speaks(spec: GameSpec) -> None:
    assert spec.language in LANGUAGES


@pytest.mark.parametrize(
    ("number", "english", "romanian"),
    [(0, "0 lines", "0 linii"), (1, "1 line", "1 linie"), (2, "2 lines", "2 linii"), (19, "19 lines", "19 linii"),
     (20, "20 lines", "20 de linii"), (100, "100 lines", "100 de linii"), (101, "101 lines", "101 linii")],
)  # fmt: skip
def test_plurals(number: int, english: str, romanian: str) -> None:
    for language, text in (("en", english), ("ro", romanian)):
        assert in_words(counted("line", number), catalogue("ludoteca.core", language)) == text


# Bytes


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\udcff\udcfe", r"\xff\xfe"), ("\x1b[31m\0\n", r"\x1b[31m\x00\n"), ("\u202e", r"\u202e"), ("a'ș🂡\\", "a'ș🂡\\"),
     (40 * "x", 40 * "x"), (41 * "\udc80", 40 * r"\x80" + "…")],
)  # fmt: skip
def test_what_is_no_text_is_shown_readably(text: str, shown: str) -> None:
    assert excerpt(text) == shown


@pytest.mark.parametrize(
    ("game", "arguments", "typed", "says"),
    [
        ("conclave", [], b"\xff\n", r"línia 1: s'ha llegit '\xff', s'esperava la llavor: un nombre natural"),
        ("cartas", ["guiao1"], b"\xff\xfe\n", r"linha 1: li '\xff\xfe', esperava o número de linhas"),
        ("metro", ["moves"], b"\xff\xfe\n", rf"linia 1: am citit „\xff\xfe”: {WRITTEN}"),
    ],
)  # fmt: skip
def test_bytes_that_are_no_utf_8_are_told_as_bytes(game: str, arguments: list[str], typed: bytes, says: str) -> None:
    done = printed(game, arguments, typed)
    assert (done.exit_code, done.stderr) == (1, f"ludoteca: {says}\n")


def test_bytes_that_are_no_utf_8_are_told_as_bytes_on_the_screen_too() -> None:
    assert r"Am citit „\xff”: mutarea se scrie x y" in printed("metro", ["--seed", "7"], b"\xff\nq\n").stdout
    assert r"não percebi '\xff': uma jogada" in printed("qinto", ["seed=1"], b"A,B\n\xff\n").stdout


@pytest.mark.parametrize(
    ("game", "arguments", "typed"),
    [
        ("okupacio", [], "2 t\n00\n"),
        ("conclave", [], "1 2\nA\nB\nF\n"),
        ("cartas", ["guiao1"], "1\nA♠\n"),
        ("cartas", ["jogador"], "A♠\n"),
        ("qinto", ["seed=1"], "A,B\n-\n"),
        ("metro", ["moves"], "2 1 #5 R0\n"),
        ("metro", ["--seed", "7"], "m\nq\n"),
        ("metro", ["--seed", "3"], "2 1 #5 R0\n"),
    ],
)
def test_a_byte_order_mark_before_the_input_is_no_part_of_it(game: str, arguments: list[str], typed: str) -> None:
    first, _, rest = typed.partition("\n")
    plain, marked, within = (
        run(game, text, *arguments, read_file=board) for text in (typed, f"\ufeff{typed}", f"{first}\n\ufeff{rest}")
    )
    assert marked == plain
    assert within != plain or not rest


def test_a_byte_order_mark_before_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xef\xbb\xbf4 4 16 \xff")
    assert read_text(str(file)) == "4 4 16 \ufffd"


# Long input


@pytest.mark.parametrize(
    ("game", "arguments", "typed", "says"),
    [
        ("okupacio", [], "2 {}\n", "té més d'un milió de caràcters: dona'n un de més curt"),
        ("qinto", ["grid", "{}"], "", "tem mais de um milhão de caracteres: dá um mais curto"),
    ],
)
def test_a_file_that_is_too_long_is_refused(tmp_path: Path, game: str, arguments: list[str], typed: str, says: str) -> None:
    file = tmp_path / "file"
    printed, complaints = list[str](), list[str]()
    for blanks, refused in ((MOST_CHARACTERS - 1, False), (MOST_CHARACTERS, True)):
        file.write_text("4" + blanks * " ", encoding="utf-8")
        lines = StringIO(typed.format(file))
        words = [word.format(file) for word in arguments]
        console.run(registry.find(game), words, read_text, lines.readline, printed.append, complaints.append)
        assert complaints.pop().endswith(says) == refused


WORDS = 400_000 * "1 "
ONE_WORD = 10_000_000 * "x"


@pytest.mark.parametrize(
    ("game", "arguments", "typed", "complaint"),
    [
        ("okupacio", [], f"{WORDS}\n", "l'entrada només té 1 línia: s'esperava el nombre de jugadors"),
        ("conclave", [], f"{ONE_WORD}\n", f"línia 1: s'ha llegit '{40 * 'x'}…', s'esperava la llavor: un nombre natural"),
        ("cartas", ["guiao1"], f"1\n{ONE_WORD}\n", f"linha 2: li '{21 * 'x'}' no carácter 1, esperava uma carta"),
    ],
    ids=["words", "a word", "cards"],
)
def test_a_long_line_costs_little(game: str, arguments: list[str], typed: str, complaint: str) -> None:
    begin = process_time()
    assert run(game, typed, *arguments, read_file=board).complaints == [complaint]
    assert process_time() - begin < 5
