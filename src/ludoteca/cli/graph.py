"""A graph of what the players might expect after every move, as SVG: nothing but text, for a light and a dark page.

values |      ________ player 1      one line a player, told apart by colour, dashes and the name at its end;
       |_____/  (4)___ player 2      costly moves are ringed and numbered
       +-----------------
         moves
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from ludoteca.agents.analysis import MoveValue

WIDTH: Final = 840
HEIGHT: Final = 420
LEFT: Final = 64
RIGHT: Final = 700
TOP: Final = 48
BOTTOM: Final = 364
APART: Final = 16
"""The distance of two lines of text."""

COLOURS: Final = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#7f6fd0",
    "#8c6d31",
    "#c0392b",
    "#808080",
)
"""One per player, with a contrast of at least 3:1 on both backgrounds."""
DASHES: Final = ("", "8 4", "2 4", "12 4 2 4", "16 6", "6 2 2 2 2 2", "1 3", "20 4 4 4", "4 8", "10 2")
"""One per player, so that colour is not all that tells lines apart; the same as in the browser."""
STYLE: Final = (
    "svg{background:#fff;color:#222;font:13px system-ui,sans-serif}text{fill:currentColor}"
    ".axis,.ring{stroke:currentColor;fill:none}.grid{stroke:currentColor;opacity:.15}.title{font-size:16px}"
    "@media(prefers-color-scheme:dark){svg{background:#181818;color:#eee}}"
)


class Graph(NamedTuple):
    """What is drawn, and where values and moves lie on the drawing."""

    title: str
    names: Sequence[str]
    """The names of the players."""
    moves: Sequence[MoveValue]
    marked: Sequence[MoveValue]
    """The moves that cost most."""
    top: float
    """The highest value on the axis; 1 is written as 100 %."""
    bottom: float = 0.0
    """The lowest value on the axis."""

    def x(self, number: int) -> float:
        """The place of a move on the horizontal axis."""
        return LEFT + (RIGHT - LEFT) * number / max(1, len(self.moves))

    def y(self, value: float) -> float:
        """The place of a value on the vertical axis."""
        return BOTTOM - (BOTTOM - TOP) * (value - self.bottom) / (self.top - self.bottom)


def draw(graph: Graph) -> str:
    """The text of an SVG file."""
    what = f"{graph.title}: what each player might expect after every move"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(what)}</title>",
        f"<style>{STYLE}</style>",
        text_at(LEFT, 28, graph.title, "start", "title"),
        *_axes(graph),
    ]
    strokes = [
        f'stroke-width="2.5" stroke="{COLOURS[player % len(COLOURS)]}" stroke-dasharray="{DASHES[player % len(DASHES)]}"'
        for player in range(len(graph.names))
    ]
    for player, stroke in enumerate(strokes):
        points = " ".join(f"{graph.x(move.number):.1f},{graph.y(move.values[player]):.1f}" for move in graph.moves)
        lines.append(f'<polyline points="{points}" fill="none" {stroke}/>')
    # The name of each player where the line ends, or near it where others end there too, after a piece of the line.
    ends = {player: graph.y(value) for player, value in enumerate(graph.moves[-1].values)} if graph.moves else {}
    for player, y in _apart(ends).items():
        lines.append(f'<line x1="{RIGHT + 8}" y1="{y:.1f}" x2="{RIGHT + 40}" y2="{y:.1f}" {strokes[player]}/>')
        lines.append(text_at(RIGHT + 46, y + 4, graph.names[player], "start"))
    # A ring on the mover's line for each costly move, and the move above it.
    for move in graph.marked:
        x, y = graph.x(move.number), graph.y(move.values[move.player])
        lines.append(f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="6"/>')
        lines.append(text_at(x, y - 10 if y > TOP + APART else y + 20, f"{move.number} {move.action}", "middle"))
    return "\n".join([*lines, "</svg>\n"])


def text_at(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    """A text as SVG; `anchor` says which part of it stands there: start, middle or end."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(text)}</text>'


def _axes(graph: Graph) -> Iterator[str]:
    """Both axes; a thin line for each quarter of the values, a number for about every tenth of the moves."""
    for quarter in range(5):
        value = graph.bottom + (graph.top - graph.bottom) * quarter / 4
        y = graph.y(value)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>'
        yield text_at(LEFT - 8, y + 4, f"{100 * value:.0f} %" if graph.top == 1 else f"{value:.1f}", "end")
    step = max(1, round(len(graph.moves) / 10))
    for number in range(step, len(graph.moves) + 1, step):
        yield text_at(graph.x(number), BOTTOM + 18, str(number), "middle")
    yield text_at((LEFT + RIGHT) / 2, BOTTOM + 40, "moves", "middle")
    yield f'<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>'


def _apart(wished: dict[int, float]) -> dict[int, float]:
    """Places at least APART from each other: moved down from where they are wished, and up again from the bottom."""
    order = sorted(wished, key=lambda player: wished[player])
    placed, y = {}, 0.0
    for player in order:
        placed[player] = y = max(wished[player], y + APART)
    y = HEIGHT
    for player in reversed(order):
        placed[player] = y = min(placed[player], y - APART)
    return placed
