"""The graph of an analysis: what it shows, and that the page draws its lines alike."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.agents.analysis import MoveValue
from ludoteca.cli.graph import BOTTOM, DASHES, HEIGHT, LEFT, RIGHT, TOP, Graph, draw

SVG = "{http://www.w3.org/2000/svg}"
PAGE = Path(ludoteca.__file__).parent / "server" / "static" / "js" / "graph.js"


def drawn(*values: tuple[float, float]) -> ElementTree.Element:
    moves = [MoveValue(number, 0, f"<{number}>", each, 0.0, (0.0, 0.0), True, ()) for number, each in enumerate(values, 1)]
    return ElementTree.fromstring(draw(Graph("A & B", ["one", "<two>"], moves, moves[1:2], 1.0)))


def test_the_graph_has_a_line_a_player_told_apart_by_more_than_colour() -> None:
    graph = drawn((0.5, 0.5), (0.25, 0.75), (1.0, 0.0))
    lines = graph.findall(f"{SVG}polyline")
    assert len({line.get("stroke") for line in lines}) == len({line.get("stroke-dasharray") for line in lines}) == 2
    first = [tuple(map(float, point.split(","))) for point in lines[0].get("points", "").split()]
    assert [x for x, _ in first] == pytest.approx([LEFT + (RIGHT - LEFT) * part / 3 for part in (1, 2, 3)], abs=0.1)
    assert first[2][1] < first[0][1] < first[1][1], "what is worth more stands higher"


def test_the_graph_has_title_names_and_marks() -> None:
    graph = drawn((0.5, 0.5), (0.25, 0.75), (1.0, 0.0))
    texts = [text.text for text in graph.findall(f"{SVG}text")]
    assert {"A & B", "one", "<two>", "2 <2>", "0 %", "100 %"} <= set(texts)
    assert graph.findtext(f"{SVG}title") == "A & B: what each player might expect after every move"
    assert "prefers-color-scheme:dark" in (graph.findtext(f"{SVG}style") or "")
    assert len(graph.findall(f"{SVG}circle")) == 1


def test_points_below_zero_are_drawn_within_the_axes() -> None:
    moves = [MoveValue(number, 0, "", (-2.0 / number, 2.0 / number), 0.0, (0.0, 0.0), True, ()) for number in (1, 2)]
    graph = ElementTree.fromstring(draw(Graph("", ["one", "two"], moves, [], 2.0, -2.0)))
    points = [point for line in graph.findall(f"{SVG}polyline") for point in line.get("points", "").split()]
    assert [float(point.partition(",")[2]) for point in points] == [BOTTOM, 285.0, TOP, 127.0]
    assert {"-2.0", "0.0", "2.0"} <= {text.text for text in graph.findall(f"{SVG}text")}


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_names_at_one_place_do_not_lie_on_each_other(value: float) -> None:
    names = [f"player {number}" for number in range(10)]
    graph = ElementTree.fromstring(
        draw(Graph("", names, [MoveValue(1, 0, "", (value,) * 10, 0.0, (0.0, 0.0), True, ())], [], 1.0))
    )
    places = sorted(float(text.get("y", 0)) for text in graph.findall(f"{SVG}text") if text.text in names)
    assert all(lower - upper >= 12 for upper, lower in pairwise(places))
    assert 12 < places[0] < places[-1] < HEIGHT


def test_a_game_without_moves_has_a_graph() -> None:
    assert drawn().findall(f"{SVG}circle") == []


def test_the_page_tells_players_apart_by_the_same_dashes() -> None:
    found = re.search(r"const DASHES = \[(.*)\];", PAGE.read_text(encoding="utf-8"))
    assert found
    assert tuple(re.findall('"(.*?)"', found[1])) == DASHES
