"""The curves of a training: every point, its interval, and the logarithmic axis."""

from xml.etree import ElementTree

import msgspec
import pytest

from ludoteca.cli.train import curves
from ludoteca.training.batches import Strength
from ludoteca.training.checkpoint import Point

SVG = "{http://www.w3.org/2000/svg}"


def point(games: int, error: float, last: float, reference: float) -> Point:
    return Point(games, games / 10, error, *(Strength(mean, mean - 0.1, mean + 0.1, 20) for mean in (last, reference)))


POINTS = [point(200, 0.5, 0.5, 0.4), point(1000, 0.4, 0.6, 0.5), point(20000, 0.3, 0.5, 0.7)]


@pytest.mark.parametrize("number", [1, 3])
def test_every_point_is_drawn(number: int) -> None:
    root = ElementTree.fromstring(curves("<Duel> & more", POINTS[:number], "greedy", 0.5, "wins"))
    lines = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert list(map(len, lines)) == [number] * 3, "error, against the last, against greedy"
    bands = [band.get("points", "").split() for band in root.iter(f"{SVG}polygon")]
    assert list(map(len, bands)) == [2 * number] * 2
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "strength, in wins, at one ply and by searches" in texts
    assert {"<Duel> & more", "error, in wins", "against the last", "against greedy"} <= {*texts}


def test_more_is_higher_and_later_is_further_right() -> None:
    root = ElementTree.fromstring(curves("Duel", POINTS, "greedy", 0.5, "wins"))
    error, _, reference = ([tuple(map(float, pair.split(","))) for pair in line.get("points", "").split()]
                           for line in root.iter(f"{SVG}polyline"))  # fmt: skip
    assert error[0][1] < error[1][1] < error[2][1]
    assert reference[0][1] > reference[1][1] > reference[2][1]
    assert error[0][0] < error[1][0] < error[2][0]
    hundred, thousand, most = (
        next(each for each in root.iter(f"{SVG}text") if each.text == text) for text in ("1,000", "10,000", "0.4")
    )
    assert float(hundred.get("x", "")) == pytest.approx(error[1][0], abs=0.1)
    assert float(thousand.get("x", "")) < error[2][0]
    assert float(most.get("y", "")) - 4 == pytest.approx(error[1][1], abs=0.1)


def test_searches_are_drawn_at_the_points_that_have_them() -> None:
    searched = msgspec.structs.replace(POINTS[1], search=Strength(0.6, 0.5, 0.7, 20))
    root = ElementTree.fromstring(curves("Duel", [POINTS[0], searched, POINTS[2]], "greedy", 0.5, "wins"))
    lines = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert sorted(map(len, lines)) == [1, 3, 3, 3]
