"""The printed grid alone: the document's figures in every notation, and the errors of a grid."""

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.cli.console import command
from ludoteca.games.qinto.names import Window, grid_lines
from ludoteca.games.qinto.text.console_grid import EMPTY, MOST
from tests.qinto.oracle import DECK
from tests.qinto.test_console import run
from tests.qinto.transcripts import GOLDEN

FIGURE_4 = {
    "words": ".. 1b .. .. ..\n.. 1G 5G 3G\n.. 1B\n.. 1Y\n2R 1R WR\n",
    "dots": ". 1b . . .\n. 1G 5G 3G\n. 1B\n. 1Y\n2R 1R WR",
    "dashes": "- 1b - - -\n-- 1G 5G 3G\n- 1B\n- 1Y\n2R 1R WR\n",
    "bars": "||1b||||\n| | 1G | 5G | 3G |\n||1B|\n||..|\n|2R|1R|WR|\n".replace("..", "1Y"),
    "three characters a cell": "   1b       ..\n   1G 5G 3G\n   1B\n   1Y\n2R 1R WR\n",
    "tabs": "\t1b\t\t\t\n\t1G\t5G\t3G\n\t1B\n\t1Y\n2R\t1R\tWR\n",
    "windows": "\ufeff\r\n.. 1b .. .. ..\r\n.. 1G 5G 3G\r\n.. 1B\r\n.. 1Y\r\n2R 1R WR\r\n\r\n",
}


def figure(number: int) -> str:
    return (GOLDEN / f"figure{number}.txt").read_text(encoding="utf-8")


def test_figure_3_is_the_empty_grid() -> None:
    assert run("", "grid", "15").text == figure(3)


@pytest.mark.parametrize("number", [3, 4, 5])
def test_a_figure_from_its_file_and_from_the_input(number: int) -> None:
    done = CliRunner().invoke(command, ["qinto", "grid", str(GOLDEN / f"figure{number}.txt")])
    assert done.stdout == figure(number)
    assert run(figure(number), "grid").text == run(figure(number), "grid", "-").text == figure(number)


@pytest.mark.parametrize("typed", [pytest.param(typed, id=name) for name, typed in FIGURE_4.items()])
def test_figure_4_from_rows(typed: str) -> None:
    grid = run(typed, "grid")
    assert (grid.text, grid.status, grid.complaints) == (figure(4), 0, [])


def test_figure_5_from_rows() -> None:
    rows = ". . . 1G . .\n. . . 1R\n. . . WY\n. 5b 2Y 1W 4G WB\n. 4Y 2G 1b 3B 5R\n. 2B 2R\n"
    assert run(rows, "grid").text == figure(5)


CELLS = st.sampled_from([*DECK, *(f"[{tile}]" for tile in DECK), *EMPTY])
SIDES = st.integers(1, 6)
RECTANGLES = st.tuples(SIDES, SIDES).flatmap(
    lambda sides: st.lists(st.lists(CELLS, min_size=sides[1], max_size=sides[1]), min_size=sides[0], max_size=sides[0])
)


@given(RECTANGLES)
def test_what_was_printed_can_be_given_again(rows: list[list[str]]) -> None:
    cells = {(row, column): cell for row, line in enumerate(rows, 1) for column, cell in enumerate(line, 1)}
    tiles = {place: cell.strip("[]") for place, cell in cells.items() if cell not in EMPTY}
    new = {place for place, cell in cells.items() if "[" in cell}
    printed = "".join(f"{line}\n" for line in grid_lines(tiles, Window(1, 1, len(rows), len(rows[0])), new))
    assert run("".join(f"|{'|'.join(line)}|\n" for line in rows), "grid").text == printed
    assert run("".join(f"{' '.join(cell or '.' for cell in line)}\n" for line in rows), "grid").text == printed
    assert run(printed, "grid").text == printed


def test_the_largest_grid_can_be_given_again() -> None:
    largest = run("", "grid", str(MOST)).text
    assert run(largest, "grid").text == largest
    assert largest.splitlines()[-2].startswith("99 |    |")


@given(st.text(st.sampled_from("1b .-|\n\r\t[]W9é\0\udcff"), max_size=60))
def test_any_text_is_a_grid_or_wrong(typed: str) -> None:
    grid = run(typed, "grid")
    if grid.complaints:
        assert (grid.status, grid.text, len(grid.complaints)) == (1, "", 1)
        assert "\n" not in grid.complaints[0]
    else:
        assert run(grid.text, "grid").text == grid.text != ""


NO_TILE = "não há peça {!r}: a forma é 1 a 5 e a cor b, B, G, R ou Y, como em 5b; os jóqueres são 1W 3W"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "a grelha não tem linhas: esperava peças, como em .. 1b 5G"),
        (".. 1b\n.. 1z 5G\n", "linha 2, coluna 2: " + NO_TILE.format("1z")),
        (100_000 * "1b", "linha 1, coluna 1: " + NO_TILE.format(20 * "1b" + "…")),
        ("1b\n\n5G\n", "linha 2: está em branco, e uma linha sem peças escreve-se .."),
        ("  1b\n", "linha 1: '1b' começa no carácter 3, e onde há lugares em branco cada lugar tem três caracteres"),
        ("1b | 5G |\n", "linha 1: antes do primeiro | li '1b', esperava o número da linha, 1, ou nada"),
        ("1 | 5G |\n3 | 5G |\n", "linha 2: antes do primeiro | li '3', esperava o número da linha, 2, ou nada"),
        ("| 1b | 5G\n", "linha 1: depois do último | li '5G', esperava o fim da linha"),
        ("| 1b |\n|\n", "linha 2: só tem um |, e cada lugar fica entre dois"),
        ("1 3\n1b 1b\n", "nos números das colunas li '1 3', esperava 1 2"),
        ("1 2\n1b 1b\n1b 1b 1b\n", "linha 2: tem 3 lugares, e o máximo é 2"),
        (100 * "1b ", "linha 1: tem 100 lugares, e o máximo é 99"),
        (100 * "1b\n", "a grelha tem mais de 99 linhas"),
    ],
)
def test_a_wrong_grid_says_where_and_why(typed: str, why: str) -> None:
    wrong = run(typed, "grid")
    assert (wrong.status, wrong.text, len(wrong.complaints)) == (1, "", 1)
    assert wrong.complaints[0].startswith(why)


def test_a_grid_without_end_is_refused_at_its_hundredth_row() -> None:
    lines = iter(lambda: "1b\n", "")
    assert run(lines, "grid").complaints == ["a grelha tem mais de 99 linhas"]


@pytest.mark.parametrize("arguments", [["0"], ["100"], ["4" * 5000], ["no-such-file"], ["6", "6"], [""]])
def test_a_grid_that_cannot_be_is_refused(arguments: list[str]) -> None:
    wrong = run("1b\n", "grid", *arguments)
    assert (wrong.status, wrong.text, len(wrong.complaints)) == (1, "", 1)
    assert wrong.complaints[0].startswith("grid: li '")
    assert "esperava o número de linhas de uma grelha vazia, 1 a 99, ou um ficheiro" in wrong.complaints[0]
