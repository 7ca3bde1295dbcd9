"""Charts: lines, names, rings and axes. The page in the browser draws its lines in the same way."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.cli.chart import DASHES, LEFT, RIGHT, TOP, Chart, Line, Panel, Ring, draw

SVG = "{http://www.w3.org/2000/svg}"
PAGE = Path(ludoteca.__file__).parent / "server" / "static" / "js" / "graph.js"
HEIGHT = 300


def drawn(
    *values: tuple[float, ...], names: tuple[str, ...] = ("one", "<two>"), in_percent: bool = True
) -> ElementTree.Element:
    """Return a chart with a line for each name, these values after every move, and a ring on the second move."""
    lines = [Line(name, [each[player] for each in values]) for player, name in enumerate(names)]
    rings = [Ring(2, values[1][0], "2 <2>")] if len(values) > 1 else []
    panel = Panel("what", HEIGHT, lines, (0.0, 1.0) if in_percent else (0.0,), rings=rings, in_percent=in_percent)
    return ElementTree.fromstring(draw(Chart("A & B", "A & B: about", "moves", range(1, len(values) + 1), [panel])))


def test_each_line_has_its_own_colour_and_dashes() -> None:
    graph = drawn((0.5, 0.5), (0.25, 0.75), (1.0, 0.0))
    lines = graph.findall(f"{SVG}polyline")
    assert len({line.get("stroke") for line in lines}) == len({line.get("stroke-dasharray") for line in lines}) == 2
    first = [tuple(map(float, point.split(","))) for point in lines[0].get("points", "").split()]
    assert [x for x, _ in first] == pytest.approx([LEFT + (RIGHT - LEFT) * part / 3 for part in (1, 2, 3)], abs=0.1)
    assert first[2][1] < first[0][1] < first[1][1], "a higher value is higher"


def test_a_chart_has_titles_names_and_rings() -> None:
    graph = drawn((0.5, 0.5), (0.25, 0.75), (1.0, 0.0))
    texts = [text.text for text in graph.findall(f"{SVG}text")]
    assert {"A & B", "what", "moves", "one", "<two>", "2 <2>", "0 %", "100 %", "1", "2", "3"} <= set(texts)
    assert graph.findtext(f"{SVG}title") == "A & B: about"
    assert "prefers-color-scheme:dark" in (graph.findtext(f"{SVG}style") or "")
    assert len([circle for circle in graph.findall(f"{SVG}circle") if circle.get("class") == "ring"]) == 1


def test_values_below_zero_are_drawn_within_the_axes() -> None:
    graph = drawn((-2.0, 2.0), (-1.0, 1.0), in_percent=False)
    points = [point for line in graph.findall(f"{SVG}polyline") for point in line.get("points", "").split()]
    places = [float(point.partition(",")[2]) for point in points]
    assert places[0] == TOP + HEIGHT
    assert all(TOP < place < TOP + HEIGHT for place in places[1:])
    assert {"-2", "-1", "0", "1", "2"} <= {text.text for text in graph.findall(f"{SVG}text")}


@pytest.mark.parametrize(("last", "marks"), [(1000, [1, 10, 100, 1000]), (99, [1, 10])])
def test_a_logarithmic_axis_is_marked_at_powers_of_ten(last: int, marks: list[int]) -> None:
    chart = Chart("", "", "", [1, 30, last], [], logarithmic=True)
    assert list(chart.marks()) == marks


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_names_at_one_place_are_moved_apart(value: float) -> None:
    names = tuple(f"player {number}" for number in range(10))
    graph = drawn((value,) * 10, names=names)
    places = sorted(float(text.get("y", 0)) for text in graph.findall(f"{SVG}text") if text.text in names)
    assert all(lower - upper >= 12 for upper, lower in pairwise(places))
    assert TOP < places[0] < places[-1] < TOP + HEIGHT + 16


def test_the_browser_has_the_same_dashes() -> None:
    found = re.search(r"const DASHES = \[(.*)\];", PAGE.read_text(encoding="utf-8"))
    assert found
    assert tuple(re.findall('"(.*?)"', found[1])) == DASHES
