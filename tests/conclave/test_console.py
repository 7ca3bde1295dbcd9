"""The document's program: golden runs, whole and line by line, and all kinds of wrong or incomplete input.

The README.txt of this checkout's goldens names their origin. The goldens of ../shared are read in their place.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludoteca.cli.console import command
from ludoteca.core import console as driver
from ludoteca.games.conclave import GAME
from tests import consoles
from tests.conclave.oracle import Oracle, piles, result, screen, shuffled
from tests.consoles import no_file

OWN = Path(__file__).parents[1] / "golden" / "conclave"
SHARED = Path(__file__).parents[3] / "shared" / "golden" / "conclave"
GOLDENS = [pytest.param(path, id=path.stem) for path in sorted(OWN.glob("*.in"))]
GOLDENS += [pytest.param(path, id=f"shared-{path.stem}") for path in sorted(SHARED.glob("*.in"))]
START = "35152 2\nANNA\nBERNAT\n"


def read_golden(path: Path) -> tuple[str, str]:
    typed, printed = (path.with_suffix(suffix).read_bytes().decode() for suffix in (".in", ".out"))
    return typed, printed


run = partial(consoles.run, "conclave")


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_golden_whole(golden: Path) -> None:
    typed, printed = read_golden(golden)
    done = CliRunner().invoke(command, ["conclave"], input=typed.encode())
    assert (done.stdout_bytes.decode(), done.stderr, done.exit_code, done.exception) == (printed, "", 0, None)


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_golden_line_by_line(golden: Path) -> None:
    """The session prints each answer before it reads the next line, and has printed all answers in the end."""
    typed, printed = read_golden(golden)
    seen: list[str] = []

    def lines() -> Iterator[str]:
        for line in typed.splitlines(keepends=True):
            assert printed.startswith("".join(seen))
            assert "".join(seen).endswith((":\n", "(s/n)\n", "(e/d)\n"))
            yield line

    source = lines()
    status = driver.run(GAME, [], no_file, lambda: next(source, ""), seen.append, pytest.fail)
    assert ("".join(seen), status) == (printed, 0)


def test_blanks_and_line_ends_between_words_do_not_matter() -> None:
    typed, printed = read_golden(OWN / "four.in")
    assert run(typed.replace("\n", "\r\n")).text == printed
    lines = typed.splitlines(keepends=True)
    head = 1 + printed.count("ENTRA EL NUMERO DE JUGADORS")
    players = printed.count("ENTRA EL NOM DEL JUGADOR")
    words = "".join(lines[head + players :]).split()
    assert run("".join(lines[: head + players]) + " ".join(words)).text == printed
    assert run("".join(lines[: head + players]) + "\n \n".join(words)).text == printed


def test_a_carriage_return_elsewhere_is_part_of_a_name() -> None:
    lines = iter(["1 2\r\n", "An\rna \r\r\n", "\r\n", "F"])
    assert "\nTORN DE An\rna \r\n==" in run(lines).text


def test_an_input_that_ends_early_is_an_error_and_no_loop() -> None:
    typed, printed = read_golden(OWN / "four.in")
    lines = typed.splitlines(keepends=True)
    for length in range(0, len(lines) - 1, 1 + len(lines) // 10):
        cut = run("".join(lines[:length]))
        assert printed.startswith(cut.text)
        assert cut.status == 1
        read = "1 línia" if length == 1 else f"{length} línies"
        assert [text.partition(": s'esperava ")[0] for text in cut.complaints] == [f"l'entrada només té {read}"]


# Against the oracle


@pytest.mark.parametrize(
    ("seed", "names"), [(7, ["Núria i Pau", "", "日本"]), (2**32 - 1, ["a b  c ", "x"]), (0, ["A"] * 4)]
)
def test_whole_games_are_those_of_the_oracle(seed: int, names: list[str]) -> None:
    typed, printed = play(seed, names)
    whole = run(typed)
    assert (whole.text, whole.status, whole.complaints) == (printed, 0, [])


def play(seed: int, names: list[str]) -> tuple[str, str]:
    """Return the input of a game in which players cede if they can, and send their first card to the first hole."""
    game = Oracle.deal(len(names), shuffled(seed))
    typed = [f"{seed} {len(names)}", *names]
    printed = ["ENTRA LA LLAVOR:", "ENTRA EL NUMERO DE JUGADORS (2-4):"]
    printed += [f"ENTRA EL NOM DEL JUGADOR {number}:" for number in range(1, len(names) + 1)]
    while not game.over:
        printed += [*screen(game, names), *piles(game), *screen(game, names)]
        cession = next(iter(game.cessions()), None)
        if cession:
            printed += ["ENTRA LA MAGIA QUE VOLS CEDIR:", "ENTRA EL JUGADOR A QUI LA VOLS CEDIR:"]
            typed.append(f"P I {cession[0]} {cession[1] + 1}")
            game.cede(*cession)
        else:
            typed.append("P J")
        row, column = game.holes()[0]
        printed += [
            "ENTRA LA POSICIO DE LA CARTA QUE VOLS COL.LOCAR:",
            "ENTRA LA POSICIO DEL TAULER ON VOLS COL.LOCAR LA CARTA:",
        ]
        choice = bool(game.left and game.right)
        printed += ["DE QUINA PILA VOLS ROBAR LA CARTA? (e/d)"] * choice
        typed.append(f"0 {row} {column}{' d' * choice}")
        game.send(0, row, column, "d")
    return "".join(f"{line}\n" for line in typed), "".join(f"{line}\n" for line in [*printed, *result(game, names)])


# Single answers


def after(typed: str) -> list[str]:
    """Return the output after the last screen's prompt for an option, with the answers to it. Then the game is given up."""
    whole = run(START + typed)
    return whole.text.partition("ENTRA UNA OPCIO:\n")[2].splitlines()


ASK_CARD = "ENTRA LA POSICIO DE LA CARTA QUE VOLS COL.LOCAR:"
ASK_CELL = "ENTRA LA POSICIO DEL TAULER ON VOLS COL.LOCAR LA CARTA:"
ASK_PILE = "DE QUINA PILA VOLS ROBAR LA CARTA? (e/d)"
CESSION = ["ENTRA LA MAGIA QUE VOLS CEDIR:", "ENTRA EL JUGADOR A QUI LA VOLS CEDIR:"]
WRONG = ["MOVIMENT NO VALID", "ENCARA T'INTERESSA CEDIR INFLUENCIA? (s/n)"]


def test_giving_up_prints_no_result() -> None:
    assert after("F") == ["PARTIDA ABANDONADA"]
    assert run(START + "F").status == 0


def test_a_position_out_of_range_is_asked_again_and_a_taken_cell_asks_for_both() -> None:
    assert after("J 4 -1 99999999999999999999 0 4 0 0 -1 1 1 e")[:8] == [
        *3 * [ASK_CARD, "POSICIO NO VALIDA"],
        ASK_CARD,
        ASK_CELL,
    ]
    assert after("J 0 4 0 0 -1 1 1")[1:] == [*2 * [ASK_CELL, "POSICIO NO VALIDA"], ASK_CELL, ASK_PILE]
    assert after("J 0 0 0")[:] == [ASK_CARD, ASK_CELL, "JUGADA NO PERMESA", "TORNA A INDICAR LA JUGADA", ASK_CARD]


def test_only_e_and_d_are_piles() -> None:
    assert after("J 0 1 1 E x")[2:] == [ASK_PILE, "AQUESTA PILA NO EXISTEIX", ASK_PILE, "AQUESTA PILA NO EXISTEIX", ASK_PILE]


@pytest.mark.parametrize("wrong", ["b 2", "z 2", "b 0", "b 3", "b2"])
def test_a_wrong_cession_may_be_given_up(wrong: str) -> None:
    assert after(f"I {wrong} n") == [*CESSION, *WRONG, ASK_CARD]


@pytest.mark.parametrize("answer", ["s", "N"])
def test_anything_but_n_asks_for_the_cession_again(answer: str) -> None:
    assert after(f"I b 2 {answer}") == [*CESSION, *WRONG, CESSION[0]]


def test_options_are_single_characters_and_case_matters() -> None:
    text = run(START + "jxF").text
    assert text.count("OPCIO NO DEFINIDA\n\nTORN DE ANNA\n") == 2
    assert text.endswith("PARTIDA ABANDONADA\n")


# Seeds, players, names


@pytest.mark.parametrize(
    ("seed", "same"),
    [("0", 0), ("4294967295", 2**32 - 1), ("4294967296", 0), ("18446744073709551619", 3), (f"1{10000 * '0'}7", 7)],
)
def test_a_seed_is_taken_modulo_2_32(seed: str, same: int) -> None:
    game = Oracle.deal(2, shuffled(same))
    text = run(f"{seed}\n2\nA\nB\nF").text
    assert text.endswith("\n".join([*screen(game, ["A", "B"]), "PARTIDA ABANDONADA", ""]))


@pytest.mark.parametrize("seed", ["-1", "x", "+3", "١"])
def test_a_seed_is_a_natural_number(seed: str) -> None:
    wrong = run(f"{seed}\n2\n")
    assert (wrong.text, wrong.status) == ("ENTRA LA LLAVOR:\n", 1)
    assert wrong.complaints == [f"línia 1: s'ha llegit '{seed}', s'esperava la llavor: un nombre natural"]


def test_a_wrong_number_of_players_is_asked_again() -> None:
    text = run("1\n1 5\n0 -3 2 and what follows\nA\n\nF").text
    assert text.count("NUMERO DE JUGADORS INCORRECTE\nENTRA EL NUMERO DE JUGADORS (2-4):\n") == 4
    assert "\nTORN DE A\n=========\n" in text


def test_names_are_whole_lines_as_they_are() -> None:
    text = run("1 2\n  Àlex  \n\nF").text
    assert f"\nTORN DE   Àlex  \n{'=' * 17}\n" in text
    assert "[ ]" not in text.partition("MANS DELS OPONENTS:\n")[2].partition("\n")[0]
    assert "   2 \n" in text


def test_a_name_that_is_no_utf_8_is_kept() -> None:
    done = CliRunner().invoke(command, ["conclave"], input=b"1 2\n\xe0\xff\nB\nF")
    assert b"\nTORN DE \xe0\xff\n==========\n" in done.stdout_bytes
    assert done.exit_code == 0


@pytest.mark.parametrize("typed", ["1 two\n", START + "J x", START + "J 0 1 x", START + "I b b", START + "J 0 1 1,"])
def test_a_word_where_a_number_belongs_ends_the_program(typed: str) -> None:
    wrong = run(typed)
    assert wrong.status == 1
    assert len(wrong.complaints) == 1
    assert "s'esperava" in wrong.complaints[0]
