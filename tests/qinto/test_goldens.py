"""The document's figures, and the facts about deck and scores, in the library and in the oracle.

The README.txt of this checkout's goldens names their origin. The goldens of ../shared are read in that folder.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludoteca.games.qinto.names import Place, Window, grid_lines, window_around
from tests.qinto.oracle import DECK, Grid, can_add, fits, points
from tests.qinto.positions import grid_of

OWN = Path(__file__).parents[1] / "golden" / "qinto"
SHARED = Path(__file__).parents[3] / "shared" / "golden" / "qinto"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason=f"there is no folder {SHARED}")

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


FIGURES: list[tuple[str, str, str, int, int]] = [
    ("figure3", "figure3_board15", "", 15, 15),
    ("figure4", "figure4_presetA", FIGURE_4, 5, 5),
    ("figure5", "figure5_presetB", FIGURE_5, 6, 6),
]


def printed(grid: dict[Place, str], window: Window) -> str:
    return "".join(f"{line}\n" for line in grid_lines(grid, window))


@pytest.mark.parametrize(("own", "shared", "picture", "rows", "columns"), FIGURES)
def test_figures_byte_for_byte(own: str, shared: str, picture: str, rows: int, columns: int) -> None:
    for top, left in ((0, 0), (1, 1), (-7, 40)):
        text = printed(grid_of(picture, top, left), Window(top, left, rows, columns))
        assert text == (OWN / f"{own}.txt").read_text(encoding="utf-8")
        if SHARED.exists():
            assert text == (SHARED / f"{shared}.txt").read_text(encoding="utf-8")


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


@pytest.fixture(scope="module")
def facts() -> Any:
    return json.loads((SHARED / "lines.json").read_text(encoding="utf-8"))


def read_facts(written: dict[str, str]) -> Grid:
    cells = ((cell.split(","), tile) for cell, tile in written.items())
    return {(int(y), int(x)): tile for (x, y), tile in cells}


@needs_shared
def test_the_judge_knows_the_deck_and_the_scores(facts: Any) -> None:
    assert Counter(DECK) == facts["deck"]
    grid = read_facts(facts["start"])
    for turn in facts["turns"]:
        new = read_facts(turn["add"])
        assert can_add(grid, Counter(new.values()), tuple(new.items()))
        after = grid | new
        scores = [points(grid, list(new), after, plus=plus, ends=False) for plus in (False, True)]
        assert scores == [turn["score"], turn["score"] + turn["plus_extra"]]
        grid = after


@needs_shared
def test_the_judge_finds_all_lines_of_the_figures_valid(facts: Any) -> None:
    for figure, picture in (("figure_4", FIGURE_4), ("figure_5", FIGURE_5)):
        grid = read_facts(facts[figure])
        assert grid == grid_of(picture)
        assert all(fits(grid, cell) for cell in grid)
