"""The board as lines of characters, for the terminal and the document's program: tracks that can be followed by eye.

Closed paths are drawn with heavy lines, all other tracks with light ones. Around the board stand the numbers of the trains,
each at its way in; at a station stands the number of the train that has arrived there.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.games.metro.art import HEIGHT, WAY_IN, WAY_OUT, WIDTH, picture, strokes
from ludoteca.games.metro.board import NOBODY, Place, beyond, is_centre, is_outside, owners, spaces
from ludoteca.games.metro.paths import TracedPath, path_of
from ludoteca.games.metro.tiles import EAST, NONE, NORTH, SIDES, SOUTH, WEST

LEFT: Final = 7
TOP: Final = 3
_RIGHT: Final = 4
_BOTTOM: Final = 2

ARROWS: Final = {WEST: "◀", SOUTH: "▼", EAST: "▶", NORTH: "▲"}
CENTRE: Final = "░"
FREE: Final = "·"
_HEAVY: Final = dict(zip("─│╭╮╰╯┼", "━┃┏┓┗┛╋", strict=True))
_CORNERS: Final = {(0, 0): "⌜", (WIDTH - 1, 0): "⌝", (0, HEIGHT - 1): "⌞", (WIDTH - 1, HEIGHT - 1): "⌟"}


class Sign(NamedTuple):
    """A character of the drawing."""

    text: str
    path: int = 0
    """The number of the train whose path it belongs to, or that it names; 0 for none."""
    closed: bool = False
    train: bool = False
    """True for the numbers of trains and of those that have arrived."""


_BLANK: Final = Sign(" ")

Canvas = dict[tuple[int, int], Sign]
"""By column and line; what is not there is blank."""


def lines(state: RawPosition, lit: Iterable[Place] = ()) -> list[str]:
    """The board as plain text; the tiles on the places in `lit` have their corners marked."""
    return ["".join(sign.text for sign in row).rstrip() for row in rows(state, lit)]


def rows(state: RawPosition, lit: Iterable[Place] = ()) -> list[list[Sign]]:
    """The same with what each character stands for, line by line, all lines equally long."""
    side = int(state.side)
    canvas: Canvas = {}
    paths = [path_of(state, train) for train in range(1, SIDES * side + 1)]
    _draw_coordinates(canvas, side)
    _draw_free(canvas, state)
    _draw_centre(canvas, side)
    _draw_tracks(canvas, state, paths)
    for path in paths:
        _draw_train(canvas, path, owner_letter(state, path.number))
        _draw_arrival(canvas, side, path)
    for place in lit:
        _mark(canvas, place)
    width, height = LEFT + WIDTH * side + _RIGHT, TOP + HEIGHT * side + _BOTTOM
    return [[canvas.get((column, line), _BLANK) for column in range(width)] for line in range(height)]


def owner_letter(state: RawPosition, number: int) -> str:
    """Whose a train is: `a` for the first player, `-` for nobody's; nothing when one plays alone."""
    if state.players == 1:
        return ""
    owner = owners(int(state.side), int(state.players))[number - 1]
    return "-" if owner == NOBODY else chr(ord("a") + owner)


def tile_lines(faces: Iterable[int]) -> list[str]:
    """Oriented tiles side by side."""
    return ["   ".join(row).rstrip() for row in zip(*(picture(face) for face in faces), strict=True)]


def _corner(place: Place) -> tuple[int, int]:
    """The column and the line of the first character of a space."""
    return LEFT + WIDTH * (place[0] - 1), TOP + HEIGHT * (place[1] - 1)


def _write(canvas: Canvas, column: int, line: int, sign: Sign) -> None:
    for offset, character in enumerate(sign.text):
        canvas[column + offset, line] = sign._replace(text=character)


def _draw_coordinates(canvas: Canvas, side: int) -> None:
    for at in range(1, side + 1):
        _write(canvas, _corner((at, 1))[0] + WIDTH // 2, 0, Sign(str(at)))
        _write(canvas, 0, _corner((1, at))[1] + 1, Sign(f"{at:>2}"))


def _draw_free(canvas: Canvas, state: RawPosition) -> None:
    for place, face in zip(spaces(int(state.side)), state.faces.tolist(), strict=False):
        if face == NONE:
            column, line = _corner(place)
            canvas[column + WIDTH // 2, line + HEIGHT // 2] = Sign(FREE)


def _draw_centre(canvas: Canvas, side: int) -> None:
    for place in ((x, y) for x in (side // 2, side // 2 + 1) for y in (side // 2, side // 2 + 1)):
        column, line = _corner(place)
        for row in range(HEIGHT):
            _write(canvas, column, line + row, Sign(CENTRE * WIDTH))
        for across in range(SIDES):
            if not is_centre(side, beyond(place, across)):
                at = WAY_IN[across]
                canvas[column + at[0], line + at[1]] = Sign(ARROWS[across ^ 2])


def _draw_tracks(canvas: Canvas, state: RawPosition, paths: list[TracedPath]) -> None:
    """First all tiles, then the paths over them: closed ones last, so that they go on at crossings."""
    for place, face in zip(spaces(int(state.side)), state.faces.tolist(), strict=False):
        if face != NONE:
            column, line = _corner(place)
            for row, text in enumerate(picture(face)):
                _write(canvas, column, line + row, Sign(text))
    for path in sorted(paths, key=lambda path: path.closed):
        for step in path.steps:
            column, line = _corner(step.place)
            for stroke in strokes(step.face, step.entered):
                at = column + stroke.column, line + stroke.row
                canvas[at] = Sign(_over(canvas[at].text, stroke.upright, path.closed), path.number, path.closed)


def _over(old: str, upright: bool, heavy: bool) -> str:
    """The character where a track runs over what is drawn."""
    if not heavy:
        return old
    if old in "┼┿╂╋":
        return {"┼": "╂" if upright else "┿", "┿": "╋" if upright else "┿", "╂": "╂" if upright else "╋"}.get(old, old)
    return _HEAVY.get(old, old)


def _draw_train(canvas: Canvas, path: TracedPath, owner: str) -> None:
    """Its number and an arrow into the board."""
    at = path.train.side
    label = Sign(f"{path.number}{owner}", path.number, path.closed, train=True)
    _write_outside(canvas, path.train.inside, at, WAY_IN[at], ARROWS[at ^ 2], label)


def _draw_arrival(canvas: Canvas, side: int, path: TracedPath) -> None:
    """An arrow out of the board where the train stands; the number of a path that is closed, where it ends."""
    at = path.train.side
    column, line = _outside(path.train.inside, at, WAY_OUT[at])
    canvas.setdefault((column, line), Sign(ARROWS[at]))
    if path.closed:
        last = path.steps[-1]
        label = Sign(str(path.number), path.number, closed=True, train=True)
        if is_outside(side, path.end):
            _write_outside(canvas, last.place, last.left, WAY_OUT[last.left], ARROWS[last.left], label)
        else:
            _write_inside(canvas, path.end, last.left ^ 2, label)


def _outside(place: Place, side: int, way: tuple[int, int]) -> tuple[int, int]:
    """Where the arrow stands, outside the board, at a way in or out of a space on the edge."""
    column, line = _corner(place)
    step = {WEST: (-1, 0), SOUTH: (0, 1), EAST: (1, 0), NORTH: (0, -1)}[side]
    return column + way[0] + step[0], line + way[1] + step[1]


def _write_outside(canvas: Canvas, place: Place, side: int, way: tuple[int, int], arrow: str, label: Sign) -> None:
    """An arrow at a way in or out of the board, and a label beyond it."""
    column, line = _outside(place, side, way)
    canvas[column, line] = label._replace(text=arrow)
    before = len(label.text) if side == WEST else len(label.text) - 1 if way[0] < WIDTH // 2 else 0
    shift = {WEST: (-before, 0), SOUTH: (-before, 1), EAST: (1, 0), NORTH: (-before, -1)}[side]
    _write(canvas, column + shift[0], line + shift[1], label)


def _write_inside(canvas: Canvas, place: Place, side: int, label: Sign) -> None:
    """A label at a station of the centre."""
    column, line = _corner(place)
    way = WAY_IN[side]
    before = len(label.text) - 1 if side in (EAST, NORTH) else 0
    _write(canvas, column + way[0] - before, line + way[1], label)


def _mark(canvas: Canvas, place: Place) -> None:
    column, line = _corner(place)
    for (across, down), text in _CORNERS.items():
        at = column + across, line + down
        if canvas.get(at, _BLANK).text == " ":
            canvas[at] = Sign(text)
