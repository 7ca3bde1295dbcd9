"""The 60 tiles of 34 kinds, and runs of them.

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
"""“None for `!`”."""
COLOUR_WILDS: Final = (1, 2, 3, 4)
"""“None for black”."""


def shape_of(kind: int) -> int:
    """0..4, or OPEN."""
    if kind < FIRST_WILD:
        return (kind - 1) // VALUES
    return SHAPE_WILDS[kind - FIRST_WILD] if kind < FIRST_WILD + len(SHAPE_WILDS) else OPEN


def colour_of(kind: int) -> int:
    """0..4, or OPEN."""
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
    """Return the run of the tiles of both. A value of both is shown twice: adding 31 carries a set of five into bit 5."""
    one, two = int(one), int(two)  # NumPy's numbers take longer when this is interpreted
    both = one & two & _SHOWN
    return (((one | two) & (_SHOWN | _TWICE)) | ((both + _SHOWN) & _TWICE)) + (one & _LENGTH) + (two & _LENGTH)


def fitting(run: int) -> int:
    """Return the set of kinds that fit with the tiles of a run. The run may be invalid. Bit 0 is never set."""
    return i64(_BY_COLOUR[index(run & 63)]) & i64(_BY_SHAPE[index(run >> 6)])


def is_valid(run: int) -> bool:
    """Return True if the colours are all equal or all different, and the shapes too. The length does not matter."""
    return i64(_BY_COLOUR[index(run & 63)]) & i64(_BY_SHAPE[index((run >> 6) & 63)]) != 0


def allowed(shown: int, twice: bool) -> int:
    """Return the values that one more tile may show. The others show the set `shown`, a value of it twice if `twice`.

    “Colours are all equal or all different.” -1 if the tiles break this already.
    """
    alone = shown & (shown - 1) == 0
    if twice:
        return shown if alone else -1
    return 2**VALUES - 1 if alone else 2**VALUES - 1 & ~shown


def _kinds(values: list[int], shown: int, twice: bool) -> int:
    """Return the kinds with an allowed value. `values` has the values of kinds 1 to 34."""
    may = allowed(shown, twice)
    return 0 if may < 0 else sum(1 << kind for kind, value in enumerate(values, 1) if value == OPEN or may >> value & 1)


def _one_tile(kind: int) -> int:
    shape, colour = shape_of(kind), colour_of(kind)
    shown = (colour != OPEN and 1 << colour) | (shape != OPEN and 1 << 6 + shape)
    return shown | 1 << _LENGTH_AT


_COLOURS: Final = [colour_of(kind) for kind in range(1, KINDS + 1)]
_SHAPES: Final = [shape_of(kind) for kind in range(1, KINDS + 1)]

SWAPPED: Final = 64
"""Added to a wild that came onto the grid by a swap of this turn."""
RUN_OF: Final = table(2 * [0, *map(_one_tile, range(1, KINDS + 1)), *(SWAPPED - KINDS - 1) * [0]])
"""The run of a single tile, SWAPPED or not."""

_BY_COLOUR: Final = table([_kinds(_COLOURS, word & 31, word > 31) for word in range(64)])
"""The kinds whose colour fits, by the first six bits of a run."""
_BY_SHAPE: Final = table(
    [_kinds(_SHAPES, word & 31, (word & 63) > 31) if word >> 6 < VALUES else 0 for word in range(64 * 16)]
)
"""The kinds whose shape fits, by the rest of a run. Empty if it is full."""
EVERY_KIND: Final = 2 ** (KINDS + 1) - 2
WILD_KINDS: Final = EVERY_KIND & ~(2**FIRST_WILD - 1)
DOUBLE_KINDS: Final = sum(1 << kind for kind in range(1, KINDS + 1) if copies(kind) == 2)
"""The kinds of which there are two tiles."""
