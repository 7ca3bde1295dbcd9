"""Boards of Okupació as text: the document's file of natural numbers, or a picture of `.` (open cell) and `#` (wall).

The file is described in section "El programa que heu de desenvolupar": "una seqüència de números naturals (majors que 0), a
la qual el primer número correspondrà al nombre de files, el segon al nombre de columnes i la resta, alternativament, al
nombre de caselles obertes i caselles mur consecutives que hi haurà mirant per files (començant sempre amb caselles
obertes)".
"""

import re
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Final

from ludoteca.core.errors import NotationError
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message

SIDES: Final = range(4, 26)
OPEN: Final = "."
WALL: Final = "#"
BLANKS: Final = " \t\n\v\f\r"

DOCUMENT: Final = (
    "14 10 7 1 9 1 9 1 3 1 5 2 2 1 8 4 1 1 9 1 2 2 2 1 5 1 1 1 1 1 3 3 1 1 1 1 1 1 3"
    " 1 1 1 1 1 1 1 3 1 1 1 1 3 9 1 4 1 4 1 4 1"
)
"""The board of the document's first example."""
EXAMPLE: Final = "4 4 2 1 1 1 3 2 5 1"
"""The board of the document's example of a game."""

Rows = list[str]
"""A picture: one string per row, made of OPEN and WALL."""


def canonical(text: str) -> str:
    """Return a board as the numbers of a board file. The text is such numbers, a picture, or a size: `6x8` is a board
    without walls.

    Raises NotationError if a side is not in SIDES, if a picture has other signs, uneven rows or a wall as its first cell, or
    if the numbers do not fill the board exactly.
    """
    text = text.removeprefix("\ufeff").strip(BLANKS)
    size = re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", text)
    if size:
        rows, columns = int(size[1]), int(size[2])
        _check_side(rows, ("board.rows", rows))
        _check_side(columns, ("board.columns", columns))
        return write_numbers([OPEN * columns] * rows)
    if text.startswith((OPEN, WALL)):
        return write_numbers(read_picture(text))
    return write_numbers(read_numbers(text))


def read_numbers(text: str) -> Rows:
    """Return the rows of the board that the numbers of a board file describe.

    Raises NotationError, which names the wrong number, if a side is not in SIDES, or the numbers do not fill the board.
    """
    numbers = []
    for place, word in enumerate(filter(None, re.split(f"[{BLANKS}]+", text.removeprefix("\ufeff"))), 1):
        digits = word.lstrip("0")
        if not (word.isascii() and word.isdigit() and digits):
            raise NotationError(("board.no_number", place, quoted(word)), __package__)
        if len(digits) > 9:
            raise NotationError(("board.huge", place, digits[:9]), __package__)
        numbers.append(int(digits))
    if len(numbers) < 3:
        raise NotationError(("board.short", _counted("number", len(numbers))), __package__)
    rows, columns, *counts = numbers
    _check_side(rows, ("board.rows_read", 1, rows))
    _check_side(columns, ("board.columns_read", 2, columns))
    size, cells = rows * columns, ""
    for place, count in enumerate(counts, 3):
        if len(cells) + count > size:
            after = _counted("cell", len(cells))
            raise NotationError(("board.too_many", place, count, after, size - len(cells), rows, columns), __package__)
        cells += (OPEN if place % 2 else WALL) * count
    if len(cells) < size:
        raise NotationError(("board.too_few", len(numbers), numbers[-1], len(cells), size, rows, columns), __package__)
    return [cells[row * columns : (row + 1) * columns] for row in range(rows)]


def write_numbers(rows: Rows) -> str:
    """Return the numbers of the file that describes the board."""
    counts = [len(list(run)) for _, run in groupby("".join(rows))]
    return " ".join(map(str, [len(rows), len(rows[0]), *counts]))


def read_picture(text: str) -> Rows:
    """Return the rows of a picture, which line ends or `/` separate.

    Raises NotationError if a side is not in SIDES, if a row has another sign or length, or if the first cell is a wall: the
    document's file always begins with open cells.
    """
    rows = [row.strip(BLANKS) for row in re.split(r"[/\n]", text.strip(BLANKS))]
    _check_side(len(rows), ("board.rows", len(rows)))
    for place, row in enumerate(rows):
        wrong = row.strip(OPEN + WALL)
        if wrong:
            raise NotationError(("board.sign", chr(ord("a") + place), quoted(wrong[0])), __package__)
        if len(row) != len(rows[0]):
            uneven = ("board.uneven", chr(ord("a") + place), _counted("cell", len(row)), len(rows[0]))
            raise NotationError(uneven, __package__)
    _check_side(len(rows[0]), ("board.columns", len(rows[0])))
    if rows[0][0] == WALL:
        raise NotationError(("board.begins",), __package__)
    return rows


def presets() -> dict[str, str]:
    """Return the document's two boards and some boards without walls. The key is the size, such as `8 × 8`, and the value is
    the picture, with its rows separated by `/`.
    """
    numbers = (DOCUMENT, EXAMPLE, *(canonical(size) for size in ("6x6", "8x8", "10x10", "16x16", "25x25")))
    return {" × ".join(text.split()[:2]): "/".join(read_numbers(text)) for text in numbers}


def sample(random: Random) -> str:
    """Return a random board as the numbers of a board file. It is usually small, often has walls, and sometimes is long and
    thin.
    """
    rows, columns = (min(25, 4 + int(random.expovariate(0.3))) for _ in range(2))
    density = random.choice((0, 0.1, 0.3, 0.6))
    cells = [OPEN] + [WALL if random.random() < density else OPEN for _ in range(rows * columns - 1)]
    return write_numbers(["".join(cells[row * columns : (row + 1) * columns]) for row in range(rows)])


def _check_side(value: int, says: "Message") -> None:
    if value not in SIDES:
        raise NotationError(("board.side", says, SIDES[0], SIDES[-1]), __package__)


def _counted(key: str, number: int) -> "Message":
    from ludoteca.core.messages import counted

    return counted(key, number)
