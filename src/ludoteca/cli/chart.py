"""Charts as SVG, for a light and a dark page: panels of lines above each other, with one horizontal axis.

share of the win
 |      _________ player 1     Each line has a colour, dashes, and its name at the end.
 |_____/  (4)____ player 2     A ring with a text marks a point.
 +---------------
           moves
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

WIDTH: Final = 840
LEFT: Final = 64
"""The left end of the axes. The numbers of the vertical axis are to the left of it."""
RIGHT: Final = 660
"""The right end of the axes. The names of the lines are to the right of it."""
TOP: Final = 68
PANEL_GAP: Final = 56
TEXT_DISTANCE: Final = 16
"""The smallest distance between two names."""
MOST_GRID_LINES: Final = 6
MARGIN: Final = 0.05
"""The height of the empty space above the highest value, as a part of the range of values."""

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                  "#56b4e9", "#7f6fd0", "#8c6d31", "#c0392b", "#808080")  # fmt: skip
"""One colour for each line, with a contrast of at least 3:1 on both backgrounds."""
DASHES: Final = ("", "8 4", "2 4", "12 4 2 4", "16 6", "6 2 2 2 2 2", "1 3", "20 4 4 4", "4 8", "10 2")
"""One pattern for each line, for readers who cannot see the colours. The pages in the browser have the same patterns."""
STYLE: Final = (
    "svg{background:#fff;color:#222;font:13px system-ui,sans-serif}text{fill:currentColor}"
    ".axis,.ring{stroke:currentColor;fill:none}.grid{stroke:currentColor;opacity:.15}.title{font-size:16px}"
    "@media(prefers-color-scheme:dark){svg{background:#181818;color:#eee}}"
)


class Line(NamedTuple):
    """A line of a panel. Its values belong to the numbers on the horizontal axis, or to `numbers` if they are given."""

    name: str
    values: Sequence[float]
    low: Sequence[float] = ()
    """The lower ends of the values' intervals. Empty for a line without intervals."""
    high: Sequence[float] = ()
    numbers: Sequence[int] = ()


class Ring(NamedTuple):
    """A marked point of a panel."""

    number: int
    value: float
    text: str


class Panel(NamedTuple):
    """A drawing of lines with its own vertical axis."""

    title: str
    height: int
    lines: Sequence[Line]
    span: Sequence[float]
    """Values that the axis includes in addition to those of the lines."""
    level: float | None = None
    """The value of a dotted horizontal line."""
    rings: Sequence[Ring] = ()
    in_percent: bool = False

    def bounds(self) -> tuple[float, float]:
        """Return the lowest and the highest value of the axis."""
        values = [value for line in self.lines for value in (*line.values, *line.low, *line.high)]
        low, high = min([*values, *self.span]), max([*values, *self.span])
        return low, high + MARGIN * (high - low) if high > low else low + 1


class Chart(NamedTuple):
    """Panels with one horizontal axis."""

    title: str
    about: str
    """A description for screen readers."""
    axis: str
    """The name of the horizontal axis."""
    numbers: Sequence[int]
    """The numbers at which the lines have values, in ascending order."""
    panels: Sequence[Panel]
    logarithmic: bool = False
    """True for a logarithmic axis that begins at the first number. Otherwise the axis is linear and begins at 0."""

    def x(self, number: int) -> float:
        """Return the horizontal coordinate of a number on the axis."""
        last = max(self.numbers, default=1)
        if not self.logarithmic:
            return LEFT + (RIGHT - LEFT) * number / last
        first = self.numbers[0]
        return LEFT + (RIGHT - LEFT) * math.log(number / first) / math.log(max(last, first + 1) / first)

    def marks(self) -> Sequence[int]:
        """Return the numbers that are written at the axis: about ten, or powers of ten on a logarithmic axis."""
        if not self.logarithmic:
            step = max(1, round(len(self.numbers) / 10))
            return range(step, len(self.numbers) + 1, step)
        first, last = self.numbers[0], self.numbers[-1]
        powers = range(math.ceil(math.log10(first)), math.floor(math.log10(last)) + 1)
        return [10**power for power in powers] or sorted({first, last})


def draw(chart: Chart) -> str:
    """Return the text of an SVG file."""
    height = TOP + sum(panel.height + PANEL_GAP for panel in chart.panels)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(chart.about)}</title>",
        f"<style>{STYLE}</style>",
        _text(LEFT, 28, chart.title, "start", "title"),
    ]
    top = TOP
    for panel in chart.panels:
        lines += _panel(chart, panel, top)
        top += panel.height + PANEL_GAP
    lines.append(_text((LEFT + RIGHT) / 2, height - 16, chart.axis, "middle"))
    return "\n".join([*lines, "</svg>\n"])


def _panel(chart: Chart, panel: Panel, top: int) -> Iterator[str]:
    lowest, highest = panel.bounds()
    bottom = top + panel.height

    def y(value: float) -> float:
        return bottom - panel.height * (value - lowest) / (highest - lowest)

    def points(line: Line, values: Sequence[float]) -> list[str]:
        numbers = line.numbers or chart.numbers
        return [f"{chart.x(number):.1f},{y(value):.1f}" for number, value in zip(numbers, values, strict=True)]

    yield from _axes(chart, panel, top, y)
    ends, strokes = {}, []
    for line, colour, dashes in zip(panel.lines, cycle(COLOURS), cycle(DASHES), strict=False):
        strokes.append(f'stroke-width="2.5" stroke="{colour}" stroke-dasharray="{dashes}"')
        if line.low:
            around = " ".join([*points(line, line.low), *reversed(points(line, line.high))])
            yield f'<polygon fill="{colour}" opacity="0.2" points="{around}"/>'
        yield f'<polyline points="{" ".join(points(line, line.values))}" fill="none" {strokes[-1]}/>'
        if line.values:  # the point shows a line with a single value
            ends[len(strokes) - 1] = end = y(line.values[-1])
            yield f'<circle fill="{colour}" cx="{chart.x((line.numbers or chart.numbers)[-1]):.1f}" cy="{end:.1f}" r="3"/>'
    for index, place in _moved_apart(ends, bottom).items():
        yield f'<path d="M{RIGHT + 8} {place:.1f}H{RIGHT + 32}" {strokes[index]}/>'
        yield _text(RIGHT + 38, place + 4, panel.lines[index].name, "start")
    for ring in panel.rings:
        place = y(ring.value)
        yield f'<circle class="ring" cx="{chart.x(ring.number):.1f}" cy="{place:.1f}" r="6"/>'
        yield _text(chart.x(ring.number), place - 10 if place > top + TEXT_DISTANCE else place + 20, ring.text, "middle")


def _axes(chart: Chart, panel: Panel, top: int, y: Callable[[float], float]) -> Iterator[str]:
    """Yield the panel's title, the grid with its numbers, both axes, and the dotted line at `level`. `top` is the upper end
    of the panel, and `y` returns the vertical coordinate of a value.
    """
    bottom = top + panel.height
    yield _text(LEFT, top - 12, panel.title, "start")
    for value in _round_numbers(*panel.bounds()):
        yield f'<path class="grid" d="M{LEFT} {y(value):.1f}H{RIGHT}"/>'
        yield _text(LEFT - 8, y(value) + 4, f"{100 * value:.0f} %" if panel.in_percent else f"{value:.6g}", "end")
    for number in chart.marks():
        yield f'<path class="grid" d="M{chart.x(number):.1f} {top}V{bottom}"/>'
        yield _text(chart.x(number), bottom + 18, f"{number:,}", "middle")
    yield f'<path class="axis" d="M{LEFT} {top}V{bottom}H{RIGHT}"/>'
    if panel.level is not None:
        yield f'<path class="axis" stroke-dasharray="2 4" d="M{LEFT} {y(panel.level):.1f}H{RIGHT}"/>'


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(text)}</text>'


def _moved_apart(ends: dict[int, float], bottom: float) -> dict[int, float]:
    """Return the vertical coordinates of the names at the ends of the lines. `ends` has the ends of the lines by index. The
    names are near them, but at least TEXT_DISTANCE apart and above `bottom`.
    """
    order = sorted(ends, key=lambda index: ends[index])
    placed, place = {}, -math.inf
    for index in order:
        placed[index] = place = max(ends[index], place + TEXT_DISTANCE)
    place = bottom + TEXT_DISTANCE
    for index in reversed(order):
        placed[index] = place = min(placed[index], place - TEXT_DISTANCE)
    return placed


def _round_numbers(low: float, high: float) -> list[float]:
    """Return a few numbers with few digits between `low` and `high`, for the grid of an axis."""
    size = 10 ** math.floor(math.log10((high - low) / MOST_GRID_LINES))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * MOST_GRID_LINES >= high - low)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
