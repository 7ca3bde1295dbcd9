"""A contact sheet: a whole game as one picture, with its positions in rows and the moves below them.

+-------+  +-------+  +-------+
|       |  |       |  |       |    all positions have the size of the largest one, and the file stores an
+-------+  +-------+  +-------+    item only once if several positions show it in the same place
 0          o 1 ab     o 2 bc
"""

from hashlib import sha256
from html import escape
from itertools import pairwise
from math import ceil, log
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.messages import ENGLISH, catalogue, in_words, language_of
from ludoteca.core.scene import Scene
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import look_of, paint_item, whole

MOST_POSITIONS: Final = 100
"""The default for the most positions on a sheet."""
POSITION_PIXELS: Final = 240
"""The width of a position."""
GAP_PIXELS: Final = 16
CAPTION_PIXELS: Final = 24
LETTER_PIXELS: Final = 15
"""The size of a caption's letters. Long captions have smaller ones."""
SMALLEST_LETTER_PIXELS: Final = 9
"""The smallest size of letters. A longer caption has only the last of several moves."""
PAPER_SHAPE: Final = 1 / 2**0.5
"""The width of a sheet of paper, relative to its height."""


class Shot(NamedTuple):
    """A position of a game, and the moves that led to it."""

    number: int
    """The number of moves so far."""
    mover: int
    """The player who made the last move, or -1 at the start."""
    moves: tuple[str, ...]
    """The moves since the previous shot as the seat saw them, in notation with their numbers. Empty at the start."""
    scene: Scene


def shots(state: State, player: int = SPECTATOR, every: int = 1) -> list[Shot]:
    """Return a player's views of a game: at its start, after every `every` moves, and at its end. New moves are lit."""
    states = list(state.states())
    found, moves = [Shot(0, SPECTATOR, (), states[0].scene(player, 0))], list[str]()
    for number, (before, after) in enumerate(pairwise(states), 1):
        seen = after.seen_actions(player)[-1]
        moves.append(f"{number} {after.game.notation.action_to_string(before.view(player).raw, seen)}")
        if number % every == 0 or number == len(states) - 1:
            found.append(Shot(number, before.current_player(), tuple(moves), after.scene(player, len(moves))))
            moves.clear()
    return found


class Cell(NamedTuple):
    """The place of a shot on a sheet, in pixels. Its caption is below it."""

    shot: Shot
    left: int
    top: int
    width: int
    height: int


class Sheet(NamedTuple):
    """The layout of a sheet, in pixels."""

    spec: GameSpec
    width: int
    height: int
    cells: list[Cell]

    def paint(self, theme: str = "light", language: str = ENGLISH, positions: bool = True) -> str:
        """Return the sheet as a self-contained SVG file. Without the positions, it has only their captions."""
        look, items = look_of(self.spec), dict[str, str]()
        drawn = [_position(cell, items, look.prefix) for cell in self.cells] if positions else []
        definitions = [f'<g id="{name}">{text}</g>' for text, name in items.items()]
        captions = [_caption(cell, look.prefix) for cell in self.cells]
        task = in_words(self.cells[-1].shot.scene.task, catalogue(self.spec.package, language))
        title = escape(f"{self.spec.title}: {task}")
        content = ["<defs>", *definitions, "</defs>", *drawn, *captions]
        spoken = language_of(self.spec.package, language)
        return whole(look, theme, spoken, (self.width, self.height), 1.0, title, content)


def lay_out(state: State, player: int = SPECTATOR, every: int | None = None, columns: int | None = None) -> Sheet:
    """Return the sheet of the game that led to a state, as a player saw it.

    The default of `every` gives at most MOST_POSITIONS positions. The default of `columns` gives the shape of a sheet of
    paper. Raises ContractError if the game has no scenes.
    """
    taken = shots(state, player, every or max(1, ceil(len(state.history()) / (MOST_POSITIONS - 1))))
    tall = round(POSITION_PIXELS * max(shot.scene.height / shot.scene.width for shot in taken))
    across, down = POSITION_PIXELS + GAP_PIXELS, tall + CAPTION_PIXELS + GAP_PIXELS
    columns = min(columns or _columns(len(taken), across, down), len(taken))
    cells = [
        Cell(shot, number % columns * across + GAP_PIXELS, number // columns * down + GAP_PIXELS, POSITION_PIXELS, tall)
        for number, shot in enumerate(taken)
    ]
    return Sheet(state.game.spec, columns * across + GAP_PIXELS, ceil(len(taken) / columns) * down + GAP_PIXELS, cells)


def _columns(count: int, width: int, height: int) -> int:
    """Return the number of columns with which the sheet's shape is nearest to that of paper."""
    return min(
        range(1, count + 1), key=lambda columns: abs(log(columns * width / (ceil(count / columns) * height) / PAPER_SHAPE))
    )


def _position(cell: Cell, items: dict[str, str], prefix: str) -> str:
    """Return a position in its box, and add its new items to `items`, with ids that are unique among sheets."""
    scene, uses = cell.shot.scene, []
    for item in scene.items:
        text = paint_item(replace(item, id="", label=""), str, prefix)
        if text not in items:
            items[text] = f"{prefix}{sha256(text.encode()).hexdigest()[:12]}"
        uses.append(f'<use href="#{items[text]}"/>')
    return (
        f'<svg x="{cell.left}" y="{cell.top}" width="{cell.width}" height="{cell.height}"'
        f' viewBox="0 0 {scene.width:.6g} {scene.height:.6g}">{"".join(uses)}</svg>'
    )


def _caption(cell: Cell, prefix: str) -> str:
    """Return as many of the moves with their numbers as are readable, and the colour of the last mover."""
    shot, left, middle = cell.shot, cell.left, cell.top + cell.height + CAPTION_PIXELS / 2
    text = "  ".join(shot.moves) or "0"
    size = _fitting(text)
    if size < SMALLEST_LETTER_PIXELS:
        text = shot.moves[-1]
        size = _fitting(text)
    sign = (
        f'<circle class="{prefix}player-{shot.mover}" cx="{left + 6}" cy="{middle:g}" r="5"'
        ' style="fill: var(--player); stroke: var(--ink); stroke-width: 0.5"/>'
        if shot.mover >= 0
        else ""
    )
    start = left + LETTER_PIXELS if sign else left
    return f'{sign}<text x="{start}" y="{middle + size * 0.35:.6g}" font-size="{size:.6g}">{escape(text)}</text>'


def _fitting(text: str) -> float:
    """Return the size of letters with which a text is no wider than a position."""
    return min(LETTER_PIXELS, (POSITION_PIXELS - LETTER_PIXELS) / 0.62 / len(text))
