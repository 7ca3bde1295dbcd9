"""The board as lines of characters, for the terminal and the document's program: tracks that can be followed by eye.

Each tile is seven by four characters. Trains keep to the right: a train from the left enters by the lower track, from the
right by the upper one, from above by the left one, from below by the right one. Tracks that cross both go straight on.

         out in                        v ^
                                     <     <
                                     >     >
                                       v ^

Closed paths are drawn with heavy lines, all other tracks with light ones. The numbers around the board are the trains, each
at its way in. A number at a station is the train that has arrived there.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.board import NOBODY, Place, beyond, is_centre, is_outside, owners, spaces
from ludoteca.games.metro.paths import TracedPath, paths_over
from ludoteca.games.metro.tiles import EAST, NONE, NORTH, SIDES, SOUTH, WEST

WIDTH: Final = 7
HEIGHT: Final = 4

_SHEET: Final = (
    "  ╰─╯     │ │     │ │     ╰─╯     ╰─╯     │ │  ",
    "╮     ╭ ╮ │ ╰── ──╯ │ ╭ ────╮ ╭ ╮ ╭──── ╮ │ ╰──",
    "╯     ╰ ╯ ╰──── ────╯ ╰ ──╮ │ ╰ ╯ │ ╭── ╯ │ ╭──",
    "  ╭─╮     ╭─╮     ╭─╮     │ │     │ │     │ │  ",
    "  │ │     │ │     ╰─╯     │ │     ╰─╯     ╰╮│  ",
    "──╯ ╰── ──╯ │ ╭ ─────── ╮ │ │ ╭ ─────── ╮ ╭┼┼──",
    "─────── ──╮ │ ╰ ──╮ ╭── ╯ │ │ ╰ ─────── ╯ │╰┼──",
    "  ╭─╮     │ │     │ │     │ │     ╭─╮     │ │  ",
    "  ╰─┼╮    │ │     ╰─╯     │ │     ╰╮│     │ │  ",
    "────┼┼─ ╮ │ │ ╭ ────╮╭─ ──╯ ╰── ───┼┼── ──┼─┼──",
    "────╯╰─ ┼─┼─╯ ╰ ────┼┼─ ──╮ ╭── ──╮╰┼── ──┼─╯ ╭",
    "  ╭─╮   ╰─┼─╮     ╭─┼╯    │ │     │ │     │ ╭─╯",
    "  │ ╰╮  ╭─╯ │     ╰╮╰╮  ╭─╯ │     │ │     ╰─┼╮ ",
    "──┼─╮╰─ ╯ ╭─┼── ───┼╮╰─ ╯ ╭─┼── ──┼─┼── ╮ ╭─┼┼─",
    "──┼─┼── ──┼─┼── ──╮╰┼── ──┼─╯ ╭ ──┼─┼── ┼─┼─╯╰─",
    "  │ │     │ │     │ │     │ ╭─╯   │ │   ╰─┼─╮  ",
)
"""The oriented tiles, six in each row."""
_IN_A_ROW: Final = len(_SHEET[0]) // WIDTH

WAY_IN: Final = {WEST: (0, 2), SOUTH: (4, 3), EAST: (6, 1), NORTH: (2, 0)}
WAY_OUT: Final = {WEST: (0, 1), SOUTH: (2, 3), EAST: (6, 2), NORTH: (4, 0)}
"""The column and row, in a tile, of the character by which a track enters or leaves across a side."""

_JOINS: Final = {
    "─": {WEST: EAST, EAST: WEST},
    "│": {NORTH: SOUTH, SOUTH: NORTH},
    "╭": {SOUTH: EAST, EAST: SOUTH},
    "╮": {SOUTH: WEST, WEST: SOUTH},
    "╰": {NORTH: EAST, EAST: NORTH},
    "╯": {NORTH: WEST, WEST: NORTH},
    "┼": {WEST: EAST, EAST: WEST, NORTH: SOUTH, SOUTH: NORTH},
}
"""For each character, the side on which a track leaves it, by the side on which it enters."""
_AHEAD: Final = {WEST: (-1, 0), SOUTH: (0, 1), EAST: (1, 0), NORTH: (0, -1)}
"""The columns and lines from a character to the next one across a side."""

LEFT: Final = 7
TOP: Final = 3
_RIGHT: Final = 4
_BOTTOM: Final = 2

ARROWS: Final = {WEST: "◀", SOUTH: "▼", EAST: "▶", NORTH: "▲"}
CENTRE: Final = "░"
FREE: Final = "·"
_HEAVY: Final = dict(zip("─│╭╮╰╯", "━┃┏┓┗┛", strict=True))
_HEAVY_OVER: Final = {False: _HEAVY | {"┼": "┿", "╂": "╋"}, True: _HEAVY | {"┼": "╂", "┿": "╋"}}
"""The characters of a heavy track, by the characters that it runs over. True: it is upright there."""
_CORNERS: Final = {(0, 0): "⌜", (WIDTH - 1, 0): "⌝", (0, HEIGHT - 1): "⌞", (WIDTH - 1, HEIGHT - 1): "⌟"}


class Stroke(NamedTuple):
    """A piece of a track, one character long."""

    column: int
    row: int
    upright: bool
    """True if it goes straight up or down."""


class Sign(NamedTuple):
    """A character of the drawing."""

    text: str
    path: int = 0
    """The number of the train that it names or whose path it is part of. 0 for none."""
    closed: bool = False
    train: bool = False
    """True for the numbers of trains, at home or at a station."""


_BLANK: Final = Sign(" ")

Canvas = dict[tuple[int, int], Sign]
"""Signs by column and line. The rest is blank."""


def lines(state: RawPosition, highlighted: Iterable[Place] = ()) -> list[str]:
    """Return the board as plain text. Highlighted tiles have their corners marked."""
    return ["".join(sign.text for sign in row).rstrip() for row in rows(state, highlighted)]


def rows(state: RawPosition, highlighted: Iterable[Place] = ()) -> list[list[Sign]]:
    """Return the board as lines of signs, which are characters with their meanings. All lines are equally long. Highlighted
    tiles have their corners marked.
    """
    side, faces = int(state.side), state.faces.tolist()
    paths = paths_over(side, faces)
    canvas: Canvas = {}
    _draw_board(canvas, side, faces)
    for path in sorted(paths, key=lambda path: path.closed):  # closed paths last, so that they go on at crossings
        for step in path.steps:
            column, line = _corner(step.place)
            for stroke in strokes(step.face, step.entered)[0]:
                at_stroke = column + stroke.column, line + stroke.row
                old = canvas[at_stroke].text
                text = _HEAVY_OVER[stroke.upright].get(old, old) if path.closed else old
                canvas[at_stroke] = Sign(text, path.number, path.closed)
    for path in paths:
        _draw_train(canvas, side, path, owner_letter(state, path.number))
    for column, line in map(_corner, highlighted):
        for (across, down), text in _CORNERS.items():
            corner = column + across, line + down
            if canvas.get(corner, _BLANK).text == " ":
                canvas[corner] = Sign(text)
    width, height = LEFT + WIDTH * side + _RIGHT, TOP + HEIGHT * side + _BOTTOM
    return [[canvas.get((column, line), _BLANK) for column in range(width)] for line in range(height)]


def owner_letter(state: RawPosition, number: int) -> str:
    """Return the letter of a train's owner: `a` for the first player, `-` for none. Empty in a game of one player."""
    if state.players == 1:
        return ""
    owner = owners(int(state.side), int(state.players))[number - 1]
    return "-" if owner == NOBODY else chr(ord("a") + owner)


def tile_lines(faces: Iterable[int]) -> list[str]:
    """Return the lines of oriented tiles next to each other."""
    return ["   ".join(row).rstrip() for row in zip(*(picture(face) for face in faces), strict=True)]


# Tiles


def picture(face: int) -> list[str]:
    """Return the four lines of an oriented tile."""
    line, place = divmod(face - 1, _IN_A_ROW)
    start = place * (WIDTH + 1)
    return [row[start : start + WIDTH] for row in _SHEET[line * HEIGHT : (line + 1) * HEIGHT]]


@cache
def strokes(face: int, side: int) -> tuple[tuple[Stroke, ...], int]:
    """Return the characters of the track that enters an oriented tile across a side, and the side on which it leaves."""
    pictured = picture(face)
    (column, row), entered = WAY_IN[side], side
    found: list[Stroke] = []
    while 0 <= column < WIDTH and 0 <= row < HEIGHT:
        left = _JOINS[pictured[row][column]][entered]
        found.append(Stroke(column, row, upright=left in (NORTH, SOUTH) and entered in (NORTH, SOUTH)))
        column, row, entered = column + _AHEAD[left][0], row + _AHEAD[left][1], left ^ 2
    return tuple(found), entered ^ 2


# The board


def _corner(place: Place) -> tuple[int, int]:
    """Return the column and the line of the first character of a space."""
    return LEFT + WIDTH * (place[0] - 1), TOP + HEIGHT * (place[1] - 1)


def _write(canvas: Canvas, column: int, line: int, sign: Sign) -> None:
    """Write the characters of a sign's text to the canvas, each as a separate sign with the same meaning."""
    for offset, character in enumerate(sign.text):
        canvas[column + offset, line] = sign._replace(text=character)


def _draw_board(canvas: Canvas, side: int, faces: list[int]) -> None:
    """Draw the numbers of columns and rows, the centre, the free spaces and the tiles."""
    for at in range(1, side + 1):
        _write(canvas, _corner((at, 1))[0] + WIDTH // 2, 0, Sign(str(at)))
        _write(canvas, 0, _corner((1, at))[1] + 1, Sign(f"{at:>2}"))
    for place in ((x, y) for x in (side // 2, side // 2 + 1) for y in (side // 2, side // 2 + 1)):
        column, line = _corner(place)
        for row in range(HEIGHT):
            _write(canvas, column, line + row, Sign(CENTRE * WIDTH))
        for across in (across for across in range(SIDES) if not is_centre(side, beyond(place, across))):
            way = WAY_IN[across]
            canvas[column + way[0], line + way[1]] = Sign(ARROWS[across ^ 2])
    for place, face in zip(spaces(side), faces, strict=False):
        column, line = _corner(place)
        if face == NONE:
            canvas[column + WIDTH // 2, line + HEIGHT // 2] = Sign(FREE)
        else:
            for row, text in enumerate(picture(face)):
                _write(canvas, column, line + row, Sign(text))


def _draw_train(canvas: Canvas, side: int, path: TracedPath, owner: str) -> None:
    """Draw the train's number and the arrows at its home, and the number again at the end of a closed path."""
    at, inside = path.train.side, path.train.inside
    label = Sign(f"{path.number}{owner}", path.number, path.closed, train=True)
    _write_outside(canvas, inside, at, WAY_IN[at], ARROWS[at ^ 2], label)
    canvas.setdefault(_outside(inside, at, WAY_OUT[at]), Sign(ARROWS[at]))
    if path.closed:
        last, label = path.steps[-1], label._replace(text=str(path.number))
        if is_outside(side, path.end):
            _write_outside(canvas, last.place, last.left, WAY_OUT[last.left], ARROWS[last.left], label)
        else:
            (column, line), entered = _corner(path.end), last.left ^ 2
            way = WAY_IN[entered]
            before = len(label.text) - 1 if entered in (EAST, NORTH) else 0
            _write(canvas, column + way[0] - before, line + way[1], label)


def _outside(place: Place, side: int, way: tuple[int, int]) -> tuple[int, int]:
    """Return the place of the arrow outside the board, at a way into or out of a space on the edge."""
    column, line = _corner(place)
    return column + way[0] + _AHEAD[side][0], line + way[1] + _AHEAD[side][1]


def _write_outside(canvas: Canvas, place: Place, side: int, way: tuple[int, int], arrow: str, label: Sign) -> None:
    """Draw an arrow at a way into or out of the board, and a label beyond it."""
    column, line = _outside(place, side, way)
    canvas[column, line] = label._replace(text=arrow)
    before = len(label.text) if side == WEST else len(label.text) - 1 if way[0] < WIDTH // 2 else 0
    shift = {WEST: (-before, 0), SOUTH: (-before, 1), EAST: (1, 0), NORTH: (-before, -1)}[side]
    _write(canvas, column + shift[0], line + shift[1], label)
