"""Lookup tables for the rules of games: read-only arrays, which compiled code treats as constants, and functions that use
them.

`struct_dtype` makes arrays whose elements have their fields as attributes (`state.owner`), in interpreted and in compiled
code.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from struct import Struct
from typing import Any, Final

import numpy as np

from ludoteca.core.bits import members, size
from ludoteca.core.contract import Bytes, RawPosition, i64, index


def table(rows: Any, kind: Any = np.int64) -> Any:
    """Return a read-only array with the given content. `kind` is its dtype."""
    entries = np.array(rows, kind)
    entries.setflags(write=False)
    return entries


def member(some: int, n: int) -> int:
    """Return the n-th member of a bit set in ascending order, counted from 0, for 0 <= n < size(some). Bit sets are
    explained in `core.bits`.
    """
    # Find the sixteen bits that contain it, and then the eight. A processor would often predict branches wrong.
    start = i64(n >= size(some & 0xFFFF))
    start += i64(n >= size(some & 0xFFFF_FFFF))
    start += i64(n >= size(some & 0xFFFF_FFFF_FFFF))
    start *= 16
    n -= size(some & ((i64(1) << start) - 1))
    some >>= start
    lower = size(some & 0xFF)
    upper = i64(n >= lower)
    n -= lower & -upper
    return start + 8 * upper + i64(_MEMBER[index((some >> (8 * upper)) & 0xFF), index(n)])


_MEMBER: Final = table([(members(byte) + 8 * [0])[:8] for byte in range(256)], np.int8)


# Planes are written eight bytes at a time, in a seventh of the time for eight single bytes. The lowest byte of a word is the
# first in memory on every processor for which Numba compiles.

WORD: Final[Any] = np.int64
"""The dtype of a word of eight bytes, to view an array of bytes as words."""


def read_word(cells: Bytes, at: int) -> int:
    """Return eight bytes as one number, beginning with the byte at index `at`. Compiled code uses one processor instruction
    instead of this function, and also instead of `write_word`.
    """
    return i64(cells[at : at + 8].view(WORD)[0])


def write_word(cells: Bytes, at: int, word: int) -> None:
    """Write a number to eight bytes, beginning with the byte at index `at`."""
    cells[at : at + 8].view(WORD)[0] = word


def spread(some: int) -> int:
    """Return the lowest eight bits of a bit set as one word of eight bytes. Each byte is 1 or 0, and the lowest bit becomes
    the lowest byte. The planes of observations are written in this way.
    """
    return i64(_SPREAD[index(some & 0xFF)])


_SPREAD: Final = table([sum(1 << 8 * place for place in members(byte)) for byte in range(256)])


@cache
def struct_dtype(layout: "np.dtype[Any]") -> "np.dtype[Any]":
    """Return a dtype with the same memory layout whose elements have their fields as attributes (`state.owner`), as compiled
    code has them.

    A field with one signed number is read as a Python integer. In compiled code it is read with 64 bits, in whatever width
    it is stored. (`np.record` has attributes too, but takes twenty times as long to read one.)
    """
    places: Mapping[str, Any] = layout.fields or {}

    def getter(name: str) -> Callable[[Any], Any]:
        kind, offset, *_ = places[name]
        if kind.kind != "i" or not kind.isnative:
            return itemgetter(name)
        unpack = Struct(kind.char).unpack_from  # a quarter of the time that NumPy takes

        def read(element: Any) -> int:
            number: int = unpack(element, offset)[0]
            return number

        return read

    def setter(name: str) -> Callable[[Any, Any], None]:
        def store(element: Any, value: Any) -> None:
            element[name] = value

        return store

    fields = {name: property(getter(name), setter(name)) for name in places}
    return np.dtype((type("Element", (np.void,), {"__slots__": (), **fields}), layout))


def copied(position: RawPosition) -> RawPosition:
    """Return a copy of a raw position that has its own memory. NumPy's own functions copy field by field, which takes
    several times as long.
    """
    copy: RawPosition = np.ndarray(1, position.dtype, bytearray(position.tobytes()))[0]
    return copy
