"""How the 24 oriented tiles look in characters, seven by four each.

Trains keep to the right: who comes from the left enters by the lower track, from the right by the upper one, from above by
the left one, from below by the right one. Where two tracks cross, both go straight on.

         out in                        v ^
                                     <     <
                                     >     >
                                       v ^
"""

from typing import Final, NamedTuple

from ludoteca.games.metro.tiles import EAST, NORTH, ORIENTED, SIDES, SOUTH, WEST

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
_STEPS: Final = {WEST: (-1, 0), SOUTH: (0, 1), EAST: (1, 0), NORTH: (0, -1)}


class Stroke(NamedTuple):
    """A piece of a track, one character long."""

    column: int
    row: int
    upright: bool
    """True where it crosses the line from left to right, or goes straight up or down."""


def picture(face: int) -> list[str]:
    """The four lines of an oriented tile."""
    line, place = divmod(face - 1, _A_LINE)
    start = place * (WIDTH + 1)
    return [row[start : start + WIDTH] for row in _SHEET[line * HEIGHT : (line + 1) * HEIGHT]]


def _stroke(face: int, side: int) -> tuple[tuple[Stroke, ...], int]:
    """The track that enters an oriented tile across a side, as it is drawn, and the side on which it leaves."""
    lines = picture(face)
    (column, row), entered = WAY_IN[side], side
    strokes: list[Stroke] = []
    while 0 <= column < WIDTH and 0 <= row < HEIGHT:
        left = _JOINS[lines[row][column]][entered]
        strokes.append(Stroke(column, row, upright=left in (NORTH, SOUTH) and entered in (NORTH, SOUTH)))
        column, row, entered = column + _STEPS[left][0], row + _STEPS[left][1], (left + 2) % SIDES
    return tuple(strokes), (entered + 2) % SIDES


_STROKES: Final = {(face, side): _stroke(face, side) for face in range(1, ORIENTED + 1) for side in range(SIDES)}


def strokes(face: int, side: int) -> tuple[Stroke, ...]:
    """The characters of the track that enters an oriented tile across a side, in the order travelled."""
    return _STROKES[face, side][0]


def drawn_exit(face: int, side: int) -> int:
    """The side on which the drawing leads that track out."""
    return _STROKES[face, side][1]
