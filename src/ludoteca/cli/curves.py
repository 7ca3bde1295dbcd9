r"""The curves of a training as SVG: error and strength over games, nothing but text, for a light and a dark page.

error    |\__                     one line
         |   \_________
         +-------------
strength |      ___..---  last    a line and its 95 % interval for each comparison; a thin line where both are equally strong
         |__---^--------  greedy
         +-------------
          200    20,000           games, each place ten times as many as so far before
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from ludoteca.cli.graph import COLOURS, LEFT, RIGHT, STYLE, WIDTH, text_at
from ludoteca.training.checkpoint import Point
from ludoteca.training.lessons import Strength

TOP: Final = 56
PANEL: Final = 190
"""The height of each of the two drawings."""
GAP: Final = 56
HEIGHT: Final = TOP + 2 * PANEL + GAP + 56
LINES: Final = 4
"""Lines of the grid, at most."""


class Line(NamedTuple):
    """A line of a drawing, with what stands at its end, and the ends of its intervals where it has any."""

    name: str
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def draw(title: str, points: Sequence[Point], reference: str, even: float, unit: str) -> str:
    """The text of an SVG file. `even` is the strength of equals, `unit` what it is counted in. There is a point or more."""
    names = {"the last": [point.last for point in points], reference: [point.reference for point in points]}
    strengths = [Line(f"against {name}", *_spread(found)) for name, found in names.items()]
    games = [point.games for point in points]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>{escape(title)}: error and strength over games</title>",
            f"<style>{STYLE}</style>",
            text_at(LEFT, 24, title, "start", "title"),
            *_panel(TOP, f"error, in {unit}", games, [Line("", [point.error for point in points])], 0.0),
            *_panel(TOP + PANEL + GAP, f"strength, in {unit}, at one ply", games, strengths, even),
            "</svg>\n",
        ]
    )


def _spread(found: Sequence[Strength]) -> tuple[list[float], list[float], list[float]]:
    return [each.mean for each in found], [each.low for each in found], [each.high for each in found]


def _panel(top: int, title: str, games: Sequence[int], lines: Sequence[Line], level: float) -> Iterator[str]:
    """A drawing: its axes, a grid, the level, and its lines."""
    everything = [value for line in lines for value in (*line.values, *line.low, *line.high)] + [level]
    low, high = min(everything), max(everything)
    high = high + 0.05 * (high - low) if high > low else low + 1

    def x(number: float) -> float:
        first, last = math.log(games[0]), math.log(max(games[-1], games[0] + 1))
        return LEFT + (RIGHT - LEFT) * (math.log(number) - first) / (last - first)

    def y(value: float) -> float:
        return top + PANEL * (high - value) / (high - low)

    yield text_at(LEFT, top - 10, title, "start")
    yield f'<path class="axis" d="M{LEFT} {top}V{top + PANEL}H{RIGHT}"/>'
    for value in _round_numbers(low, high):
        yield f'<path class="grid" d="M{LEFT} {y(value):.1f}H{RIGHT}"/>'
        yield text_at(LEFT - 6, y(value) + 4, f"{value:.6g}", "end")
    for number in _decades(games[0], games[-1]):
        yield f'<path class="grid" d="M{x(number):.1f} {top}V{top + PANEL}"/>'
        yield text_at(x(number), top + PANEL + 18, f"{number:,}", "middle")
    yield f'<path class="axis" stroke-dasharray="2 4" d="M{LEFT} {y(level):.1f}H{RIGHT}"/>'
    ends = _apart([y(line.values[-1]) for line in lines])
    for line, colour, end in zip(lines, COLOURS, ends, strict=False):
        yield from _line(line, colour, [x(number) for number in games], y)
        yield f'<g style="color:{colour}">{text_at(RIGHT + 8, end + 4, line.name, "start")}</g>'


def _line(line: Line, colour: str, xs: Sequence[float], y: Callable[[float], float]) -> Iterator[str]:
    def path(values: Sequence[float], places: Sequence[float]) -> str:
        return " ".join(f"{place:.1f},{y(value):.1f}" for place, value in zip(places, values, strict=True))

    if line.low:
        around = f"{path(line.low, xs)} {path(line.high[::-1], xs[::-1])}"
        yield f'<polygon fill="{colour}" opacity="0.2" points="{around}"/>'
    yield f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path(line.values, xs)}"/>'
    yield f'<circle fill="{colour}" cx="{xs[-1]:.1f}" cy="{y(line.values[-1]):.1f}" r="3"/>'


def _apart(places: Sequence[float]) -> list[float]:
    """Places of texts that would lie on top of each other, moved apart."""
    if len(places) == 2 and abs(places[0] - places[1]) < 16:
        middle, sign = sum(places) / 2, 1 if places[0] > places[1] else -1
        return [middle + 8 * sign, middle - 8 * sign]
    return list(places)


def _round_numbers(low: float, high: float) -> list[float]:
    """A few numbers with few digits between these two."""
    size = 10 ** math.floor(math.log10((high - low) / LINES))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * LINES >= high - low)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _decades(first: int, last: int) -> list[int]:
    """The powers of ten between these two, and both ends where there are none."""
    found = [10**power for power in range(math.ceil(math.log10(first)), math.floor(math.log10(last)) + 1)]
    return found or sorted({first, last})
