"""The board as lines of characters, for the terminal and the document's program: tracks that can be followed by eye.

Each tile is seven by four characters. Trains keep to the right: one that comes from the left enters by the lower track, from
the right by the upper one, from above by the left one, from below by the right one. Where two tracks cross, both go straight
on.

         out in                        v ^
                                     <     <
                                     >     >
                                       v ^

Closed paths are drawn with heavy lines, all other tracks with light ones. Around the board stand the numbers of the trains,
each at its way in; at a station stands the number of the train that has arrived there.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.board import NOBODY, Place, beyond, is_centre, is_outside, owners, spaces
from ludoteca.games.metro.paths import TracedPath, path_of
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
"""The oriented tiles 1 to 6, then 7 to 12, and so on."""
_A_LINE: Final = len(_SHEET[0]) // WIDTH

WAY_IN: Final = {WEST: (0, 2), SOUTH: (4, 3), EAST: (6, 1), NORTH: (2, 0)}
WAY_OUT: Final = {WEST: (0, 1), SOUTH: (2, 3), EAST: (6, 2), NORTH: (4, 0)}
"""Column and row of the character where a track enters or leaves across a side."""

_JOINS: Final = {
    "─": {WEST: EAST, EAST: WEST},
    "│": {NORTH: SOUTH, SOUTH: NORTH},
    "╭": {SOUTH: EAST, EAST: SOUTH},
    "╮": {SOUTH: WEST, WEST: SOUTH},
    "╰": {NORTH: EAST, EAST: NORTH},
    "╯": {NORTH: WEST, WEST: NORTH},
    "┼": {WEST: EAST, EAST: WEST, NORTH: SOUTH, SOUTH: NORTH},
}
"""By the side on which a character is entered, the side on which it is left."""
_AHEAD: Final = {WEST: (-1, 0), SOUTH: (0, 1), EAST: (1, 0), NORTH: (0, -1)}
"""From a character to the next one across a side: columns and lines."""

LEFT: Final = 7
TOP: Final = 3
_RIGHT: Final = 4
_BOTTOM: Final = 2

ARROWS: Final = {WEST: "◀", SOUTH: "▼", EAST: "▶", NORTH: "▲"}
CENTRE: Final = "░"
FREE: Final = "·"
_HEAVY: Final = dict(zip("─│╭╮╰╯┼", "━┃┏┓┗┛╋", strict=True))
_CORNERS: Final = {(0, 0): "⌜", (WIDTH - 1, 0): "⌝", (0, HEIGHT - 1): "⌞", (WIDTH - 1, HEIGHT - 1): "⌟"}


class Stroke(NamedTuple):
    """A piece of a track, one character long."""

    column: int
    row: int
    upright: bool
    """True where it crosses the line from left to right, or goes straight up or down."""


class Sign(NamedTuple):
    """A character of the drawing."""

    text: str
    path: int = 0
    """The number of the train whose path it belongs to, or that it names; 0 for none."""
    closed: bool = False
    train: bool = False
    """True for the numbers of trains, at home or arrived."""


_BLANK: Final = Sign(" ")

Canvas = dict[tuple[int, int], Sign]
"""Signs by column and line; the rest is blank."""


def lines(state: RawPosition, highlighted: Iterable[Place] = ()) -> list[str]:
    """The board as plain text; highlighted tiles have their corners marked."""
    return ["".join(sign.text for sign in row).rstrip() for row in rows(state, highlighted)]


def rows(state: RawPosition, highlighted: Iterable[Place] = ()) -> list[list[Sign]]:
    """The same with what each character stands for, line by line, all lines equally long."""
    side = int(state.side)
    canvas: Canvas = {}
    paths = [path_of(state, train) for train in range(1, SIDES * side + 1)]
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
    _draw_tiles(canvas, state, paths)
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
    """The letter of a train's owner: `a` for the first player, `-` for nobody; none when one plays alone."""
    if state.players == 1:
        return ""
    owner = owners(int(state.side), int(state.players))[number - 1]
    return "-" if owner == NOBODY else chr(ord("a") + owner)


def tile_lines(faces: Iterable[int]) -> list[str]:
    """Oriented tiles side by side."""
    return ["   ".join(row).rstrip() for row in zip(*(picture(face) for face in faces), strict=True)]


# Tiles


def picture(face: int) -> list[str]:
    """The four lines of an oriented tile."""
    line, place = divmod(face - 1, _A_LINE)
    start = place * (WIDTH + 1)
    return [row[start : start + WIDTH] for row in _SHEET[line * HEIGHT : (line + 1) * HEIGHT]]


@cache
def strokes(face: int, side: int) -> tuple[tuple[Stroke, ...], int]:
    """The characters of the track that enters an oriented tile across a side, as travelled, and the side where it leaves."""
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
    """The column and the line of the first character of a space."""
    return LEFT + WIDTH * (place[0] - 1), TOP + HEIGHT * (place[1] - 1)


def _write(canvas: Canvas, column: int, line: int, sign: Sign) -> None:
    for offset, character in enumerate(sign.text):
        canvas[column + offset, line] = sign._replace(text=character)


def _draw_tiles(canvas: Canvas, state: RawPosition, paths: list[TracedPath]) -> None:
    """First all spaces, then the paths over them: closed ones last, so that they go on at crossings."""
    for place, face in zip(spaces(int(state.side)), state.faces.tolist(), strict=False):
        column, line = _corner(place)
        if face == NONE:
            canvas[column + WIDTH // 2, line + HEIGHT // 2] = Sign(FREE)
        else:
            for row, text in enumerate(picture(face)):
                _write(canvas, column, line + row, Sign(text))
    for path in sorted(paths, key=lambda path: path.closed):
        for step in path.steps:
            column, line = _corner(step.place)
            for stroke in strokes(step.face, step.entered)[0]:
                at = column + stroke.column, line + stroke.row
                canvas[at] = Sign(_over(canvas[at].text, stroke.upright, path.closed), path.number, path.closed)


def _over(old: str, upright: bool, heavy: bool) -> str:
    """The character where a track runs over what is drawn."""
    if not heavy:
        return old
    if old in "┼┿╂╋":
        return {"┼": "╂" if upright else "┿", "┿": "╋" if upright else "┿", "╂": "╂" if upright else "╋"}.get(old, old)
    return _HEAVY.get(old, old)


def _draw_train(canvas: Canvas, side: int, path: TracedPath, owner: str) -> None:
    """The train's number and an arrow into the board, and an arrow out of it; where a closed path ends, its number again."""
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
    """Where the arrow stands, outside the board, at a way in or out of a space on the edge."""
    column, line = _corner(place)
    return column + way[0] + _AHEAD[side][0], line + way[1] + _AHEAD[side][1]


def _write_outside(canvas: Canvas, place: Place, side: int, way: tuple[int, int], arrow: str, label: Sign) -> None:
    """An arrow at a way in or out of the board, and a label beyond it."""
    column, line = _outside(place, side, way)
    canvas[column, line] = label._replace(text=arrow)
    before = len(label.text) if side == WEST else len(label.text) - 1 if way[0] < WIDTH // 2 else 0
    shift = {WEST: (-before, 0), SOUTH: (-before, 1), EAST: (1, 0), NORTH: (-before, -1)}[side]
    _write(canvas, column + shift[0], line + shift[1], label)
