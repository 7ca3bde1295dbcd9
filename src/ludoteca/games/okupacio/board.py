"""Boards as text: the document's file of natural numbers, and a picture of `.` (open) and `#` (wall); both ways.

The file (section "El programa que heu de desenvolupar"): "una seqüència de números naturals (majors que 0), a la qual el
primer número correspondrà al nombre de files, el segon al nombre de columnes i la resta, alternativament, al nombre de
caselles obertes i caselles mur consecutives que hi haurà mirant per files (començant sempre amb caselles obertes)".
"""

import re
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from ludoteca.core.errors import NotationError
from ludoteca.core.words import counted

if TYPE_CHECKING:
    from ludoteca.core.contract import Integers

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
"""The board of the game that it shows."""

Rows = list[str]
"""A picture: one text a row, of OPEN and WALL."""


class _Number(NamedTuple):
    """A natural number of a board file, with its place, counted from 1."""

    place: int
    value: int

    def __str__(self) -> str:
        return f"number {self.place} is {self.value}"


def canonical(text: str) -> str:
    """The numbers of a board given in any of its three forms. Raises NotationError."""
    text = text.removeprefix("\ufeff").strip(BLANKS)
    size = re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", text)
    if size:
        return write_numbers(_open_board(int(size[1]), int(size[2])))
    if text.startswith((OPEN, WALL)):
        return write_numbers(read_picture(text))
    return write_numbers(read_numbers(text))


def read_numbers(text: str) -> Rows:
    """The board that a file's numbers describe. Raises NotationError, which names the number at fault."""
    numbers = [_number(place, word) for place, word in enumerate(_words(text), 1)]
    if len(numbers) < 3:
        raise NotationError(
            f"the board ends after {counted(len(numbers), 'number')}: expected rows, columns, then counts of open cells "
            "and of walls"
        )
    rows, columns = _side(numbers[0], "rows"), _side(numbers[1], "columns")
    cells = _cells(numbers[2:], rows, columns)
    return [cells[row * columns : (row + 1) * columns] for row in range(rows)]


def write_numbers(rows: Rows) -> str:
    """The numbers of the file that describes the board."""
    counts = [len(list(run)) for _, run in groupby("".join(rows))]
    return " ".join(map(str, [len(rows), len(rows[0]), *counts]))


def read_picture(text: str) -> Rows:
    """The board that a picture shows, its rows parted by line ends or `/`. Raises NotationError, which names the row."""
    rows = [row.strip(BLANKS) for row in re.split(r"[/\n]", text.strip(BLANKS))]
    _check_side(len(rows), "the board has {} rows")
    for place, row in enumerate(rows):
        wrong = row.strip(OPEN + WALL)
        if wrong:
            raise NotationError(
                f"row {chr(ord('a') + place)} of the board holds {wrong[0]!r}: expected . (open) or # (wall)"
            )
        if len(row) != len(rows[0]):
            raise NotationError(
                f"row {chr(ord('a') + place)} of the board has {counted(len(row), 'cell')}: row a has {len(rows[0])}"
            )
    _check_side(len(rows[0]), "the board has {} columns")
    if rows[0][0] == WALL:
        raise NotationError("the first cell of the board is a wall: a board begins with an open cell")
    return rows


def to_picture(numbers: str) -> str:
    """The same board as a picture on one line."""
    return "/".join(read_numbers(numbers))


def presets() -> dict[str, str]:
    """The document's two boards and some open ones, by their size."""
    numbers = (DOCUMENT, EXAMPLE, *(canonical(size) for size in ("6x6", "8x8", "10x10", "16x16", "25x25")))
    return {" × ".join(text.split()[:2]): to_picture(text) for text in numbers}


def to_array(numbers: str) -> "Integers":
    """What `rules.setup` takes: rows x columns, 0 open, 1 wall."""
    import numpy as np

    return np.array([[cell == WALL for cell in row] for row in read_numbers(numbers)], np.int64)


def sample(random: Random) -> str:
    """A random board: mostly small, often with walls, sometimes long and thin."""
    rows, columns = (min(25, 4 + int(random.expovariate(0.3))) for _ in range(2))
    density = random.choice((0, 0.1, 0.3, 0.6))
    cells = [OPEN] + [WALL if random.random() < density else OPEN for _ in range(rows * columns - 1)]
    return write_numbers(["".join(cells[row * columns : (row + 1) * columns]) for row in range(rows)])


def _words(text: str) -> list[str]:
    return [word for word in re.split(f"[{BLANKS}]+", text.removeprefix("\ufeff")) if word]


def _number(place: int, word: str) -> _Number:
    digits = word.lstrip("0")
    if not (word.isascii() and word.isdigit() and digits):
        raise NotationError(f"number {place} of the board is {word[:20]!r}: expected a natural number greater than 0")
    if len(digits) > 9:
        raise NotationError(f"number {place} of the board is {digits[:9]}...: no board has that many cells")
    return _Number(place, int(digits))


def _side(number: _Number, what: str) -> int:
    _check_side(number.value, f"number {number.place} of the board ({what}) is {{}}")
    return number.value


def _check_side(value: int, says: str) -> None:
    if value not in SIDES:
        raise NotationError(f"{says.format(value)}: expected {SIDES[0]} to {SIDES[-1]}")


def _cells(counts: list[_Number], rows: int, columns: int) -> str:
    size = rows * columns
    cells = ""
    for count in counts:
        if len(cells) + count.value > size:
            raise NotationError(
                f"number {count.place} of the board is {count.value}: after {counted(len(cells), 'cell')} "
                f"only {size - len(cells)} of the {rows} x {columns} are left"
            )
        cells += (OPEN if count.place % 2 else WALL) * count.value
    if len(cells) < size:
        raise NotationError(
            f"the board ends after number {counts[-1].place}, which is {counts[-1].value}: its counts fill {len(cells)} "
            f"cells of {size} ({rows} x {columns})"
        )
    return cells


def _open_board(rows: int, columns: int) -> Rows:
    _check_side(rows, "the board has {} rows")
    _check_side(columns, "the board has {} columns")
    return [OPEN * columns] * rows
