"""The document's figures in the library and in the oracle. The README.txt of the goldens names their origin."""

from pathlib import Path

import pytest

from ludoteca.games.qinto.names import Place, Window, grid_lines, window_around
from tests.qinto.oracle import fits
from tests.qinto.positions import grid_of

OWN = Path(__file__).parents[1] / "golden" / "qinto"

FIGURE_4 = """
. 1b
. 1G 5G 3G
. 1B
. 1Y
2R 1R WR
"""
FIGURE_5 = """
. . . 1G
. . . 1R
. . . WY
. 5b 2Y 1W 4G WB
. 4Y 2G 1b 3B 5R
. 2B 2R
"""


FIGURES: list[tuple[str, str, int, int]] = [
    ("figure3", "", 15, 15),
    ("figure4", FIGURE_4, 5, 5),
    ("figure5", FIGURE_5, 6, 6),
]


def printed(grid: dict[Place, str], window: Window) -> str:
    return "".join(f"{line}\n" for line in grid_lines(grid, window))


@pytest.mark.parametrize(("own", "picture", "rows", "columns"), FIGURES)
def test_figures_byte_for_byte(own: str, picture: str, rows: int, columns: int) -> None:
    for top, left in ((0, 0), (1, 1), (-7, 40)):
        text = printed(grid_of(picture, top, left), Window(top, left, rows, columns))
        assert text == (OWN / f"{own}.txt").read_text(encoding="utf-8")


def test_the_window_leaves_an_empty_line_on_each_side() -> None:
    assert window_around([(-3, 5), (-1, 4)]) == Window(-4, 3, 5, 4)
    assert printed({(-3, 5): "WW", (-1, 4): "5b"}, Window(-4, 3, 5, 4)).splitlines()[0::2] == [
        "      1    2    3    4    ",
        "1  |    |    |    |    |",
        "2  |    |    | WW |    |",
        "3  |    |    |    |    |",
        "4  |    | 5b |    |    |",
        "5  |    |    |    |    |",
    ]


def test_the_empty_grid_is_one_cell() -> None:
    assert printed({}, window_around([])).splitlines() == ["      1    ", "   ------", "1  |    |", "   ------"]


def test_places_and_the_numbers_printed_are_each_others() -> None:
    window = Window(-4, 3, 5, 4)
    assert window.printed((-3, 5)) == (2, 3)
    assert window.place((0, -1)) == (-5, 1)
    assert [window.place(window.printed(place)) for place in ((-9, 9), (0, 0))] == [(-9, 9), (0, 0)]


@pytest.mark.parametrize("picture", [FIGURE_4, FIGURE_5])
def test_the_judge_finds_all_lines_of_the_figures_valid(picture: str) -> None:
    grid = grid_of(picture)
    assert all(fits(grid, cell) for cell in grid)
