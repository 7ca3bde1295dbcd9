"""Read-only arrays, which compiled code treats as constants, and the lookups that all games share.

`struct_dtype` is for arrays whose elements have their fields as attributes, in interpreted and in compiled code.
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
    """Return a read-only array."""
    entries = np.array(rows, kind)
    entries.setflags(write=False)
    return entries


def member(some: int, n: int) -> int:
    """Return the member of a bit set (see `core.bits`) that has n lower members, 0 <= n < size(some)."""
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
"""The type of a word of eight bytes, for `view`."""


def read_word(cells: Bytes, at: int) -> int:
    """Return the eight bytes at an offset as one number. This and `write_word` each compile to one instruction."""
    return i64(cells[at : at + 8].view(WORD)[0])


def write_word(cells: Bytes, at: int, word: int) -> None:
    """Write a number to the eight bytes at an offset."""
    cells[at : at + 8].view(WORD)[0] = word


def spread(some: int) -> int:
    """Return the lowest eight bits of a bit set as eight bytes of 1 or 0 in a word, as in planes."""
    return i64(_SPREAD[index(some & 0xFF)])


_SPREAD: Final = table([sum(1 << 8 * place for place in members(byte)) for byte in range(256)])


@cache
def struct_dtype(layout: "np.dtype[Any]") -> "np.dtype[Any]":
    """Return the dtype of arrays of that layout whose elements have their fields as attributes, as in compiled code.

    A single signed number is read as a Python integer. In compiled code it has 64 bits too, in a field of any width.
    (`np.record` also has attributes, but takes twenty times as long to read one.)
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
    """Return a copy of a raw position. NumPy's own copies go field by field and take several times as long."""
    copy: RawPosition = np.ndarray(1, position.dtype, bytearray(position.tobytes()))[0]
    return copy
