"""Sets of spaces as bit sets, of at most 60 bits each."""

from typing import Final

import numpy as np

from ludoteca.core.contract import i64, index
from ludoteca.games.metro.tiles import table


def size(members: int) -> int:
    """How many members a set has. (The compiler knows this loop: one instruction.)"""
    n = 0
    while members != 0:
        members &= members - 1
        n += 1
    return n


def member(members: int, n: int) -> int:
    """The member that has n lower ones: first its sixteen bits are found, then its eight, without a branch."""
    start = i64(n >= size(members & 0xFFFF))
    start += i64(n >= size(members & 0xFFFF_FFFF))
    start += i64(n >= size(members & 0xFFFF_FFFF_FFFF))
    start *= 16
    n -= size(members & ((i64(1) << start) - 1))
    members >>= start
    lower = size(members & 0xFF)
    upper = i64(n >= lower)
    n -= lower & -upper
    return start + 8 * upper + i64(_MEMBERS[index((members >> (8 * upper)) & 0xFF), index(n)])


def members_of(some: int) -> list[int]:
    """The members of a set, in order."""
    return [bit for bit in range(some.bit_length()) if some >> bit & 1]


def set_of(members: list[int]) -> int:
    """The set with these members."""
    return sum(1 << member for member in members)


_MEMBERS: Final = table([(members_of(byte) + 8 * [0])[:8] for byte in range(256)], np.int8)
