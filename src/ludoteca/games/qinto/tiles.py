"""The 60 tiles of Q!nto, which are of 34 kinds, and *runs*: numbers that summarize adjacent tiles, to test which tiles fit a
line.

A kind is a number from 1 to 34. A place without a tile contains NOTHING, which is 0. An x marks the kinds with two tiles:

             b    B    G    R    Y    any
    1 (♠)    1x   2x   3x   4x   5x   26        A shape has the number of its code minus one, a colour
    2 (!)    6x   7x   8x   9x  10x    -        its place in this drawing; a wild has OPEN for what
    3 (♦)   11x  12x  13x  14x  15x   27        it leaves open.
    4 (♥)   16x  17x  18x  19x  20x   28
    5 (♣)   21x  22x  23x  24x  25x   29
    any       -   30   31   32   33   34x
"""

from typing import Final

from ludoteca.core.contract import i64, index
from ludoteca.core.tables import table

NOTHING: Final = 0
VALUES: Final = 5
"""The number of shapes, the number of colours, and the most tiles in a line."""
OPEN: Final = VALUES
KINDS: Final = 34
FIRST_WILD: Final = VALUES * VALUES + 1
ANYTHING: Final = KINDS
"""The Q!nto tile."""
WILDS: Final = 10
"""Wild tiles, of nine kinds."""
TILES: Final = 60

SHAPE_WILDS: Final = (0, 2, 3, 4)
"""The shapes for which there is a wild tile of any colour: “None for `!`”."""
COLOUR_WILDS: Final = (1, 2, 3, 4)
"""The colours for which there is a wild tile of any shape: “None for black”."""


def shape_of(kind: int) -> int:
    """Return the number of a kind's shape, 0 to 4, or OPEN if the tile is wild in its shape."""
    if kind < FIRST_WILD:
        return (kind - 1) // VALUES
    return SHAPE_WILDS[kind - FIRST_WILD] if kind < FIRST_WILD + len(SHAPE_WILDS) else OPEN


def colour_of(kind: int) -> int:
    """Return the number of a kind's colour, 0 to 4, or OPEN if the tile is wild in its colour."""
    if kind < FIRST_WILD:
        return (kind - 1) % VALUES
    number = kind - FIRST_WILD - len(SHAPE_WILDS)
    return COLOUR_WILDS[number] if 0 <= number < len(COLOUR_WILDS) else OPEN


def copies(kind: int) -> int:
    """Return the number of tiles of a kind."""
    return 2 if kind < FIRST_WILD or kind == ANYTHING else 1


def ordered_deck() -> list[int]:
    """Return all tiles, by kind."""
    return [kind for kind in range(1, KINDS + 1) for _ in range(copies(kind))]


# A run describes adjacent tiles in a row or a column, in 15 bits:
#
#     0..4   the colours that it shows      5   one of them is shown twice
#     6..10  the shapes that it shows      11   one of them is shown twice
#     12..   how many tiles it has
#
# No tiles are the run 0.
_SHOWN: Final = 0b011111_011111
_TWICE: Final = 0b100000_100000
_LENGTH_AT: Final = 12
_LENGTH: Final = 15 << _LENGTH_AT


def length(run: int) -> int:
    """Return the number of tiles in the run."""
    return run >> _LENGTH_AT


def join(one: int, two: int) -> int:
    """Return the run of the tiles of two runs together. A colour or shape that both show is marked as shown twice: adding 31
    to the common values carries a set bit into bit 5.
    """
    one, two = int(one), int(two)  # NumPy's numbers take longer when this is interpreted
    both = one & two & _SHOWN
    return (((one | two) & (_SHOWN | _TWICE)) | ((both + _SHOWN) & _TWICE)) + (one & _LENGTH) + (two & _LENGTH)


def fitting(run: int) -> int:
    """Return the set of the kinds of tiles that make a valid line together with the tiles of a run. It is empty if no kind
    does, for example because the run itself is invalid. Bit 0 is never set.
    """
    return i64(_BY_COLOUR[index(run & 63)]) & i64(_BY_SHAPE[index(run >> 6)])


def is_valid(run: int) -> bool:
    """Return True if the colours of a run's tiles are all equal or all different, and their shapes too. The length does not
    matter.
    """
    return i64(_BY_COLOUR[index(run & 63)]) & i64(_BY_SHAPE[index((run >> 6) & 63)]) != 0


def allowed(shown: int, twice: bool) -> int:
    """Return the set of the values (colours or shapes) that one more tile of a line may show, or -1 if the line is invalid
    already: “Colours are all equal or all different.”

    `shown` is the set of the values that the line's tiles show. `twice` is True if two of the tiles show the same value.
    """
    alone = shown & (shown - 1) == 0
    if twice:
        return shown if alone else -1
    return 2**VALUES - 1 if alone else 2**VALUES - 1 & ~shown


def _kinds(values: list[int], shown: int, twice: bool) -> int:
    """Return the set of the kinds that fit a line in one respect, colour or shape. `values` has the colour or shape of kinds
    1 to 34. `shown` and `twice` describe the line: the set of the values that its tiles show, and whether two tiles show the
    same value.
    """
    may = allowed(shown, twice)
    return 0 if may < 0 else sum(1 << kind for kind, value in enumerate(values, 1) if value == OPEN or may >> value & 1)


def _one_tile(kind: int) -> int:
    shape, colour = shape_of(kind), colour_of(kind)
    shown = (colour != OPEN and 1 << colour) | (shape != OPEN and 1 << 6 + shape)
    return shown | 1 << _LENGTH_AT


_COLOURS: Final = [colour_of(kind) for kind in range(1, KINDS + 1)]
_SHAPES: Final = [shape_of(kind) for kind in range(1, KINDS + 1)]

SWAPPED: Final = 64
"""This number is added on the grid to the kind of a wild that a swap of the current turn has put there."""
RUN_OF: Final = table(2 * [0, *map(_one_tile, range(1, KINDS + 1)), *(SWAPPED - KINDS - 1) * [0]])
"""The run of a single tile, by its kind, with or without SWAPPED added."""

_BY_COLOUR: Final = table([_kinds(_COLOURS, word & 31, word > 31) for word in range(64)])
"""The set of the kinds whose colour fits a run, by the first six bits of the run."""
_BY_SHAPE: Final = table(
    [_kinds(_SHAPES, word & 31, (word & 63) > 31) if word >> 6 < VALUES else 0 for word in range(64 * 16)]
)
"""The kinds whose shape fits, by the other bits of a run. The set is empty if the run has five tiles already."""
EVERY_KIND: Final = 2 ** (KINDS + 1) - 2
WILD_KINDS: Final = EVERY_KIND & ~(2**FIRST_WILD - 1)
DOUBLE_KINDS: Final = sum(1 << kind for kind in range(1, KINDS + 1) if copies(kind) == 2)
"""The kinds of which there are two tiles."""
