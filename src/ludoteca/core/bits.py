"""Sets as bit sets: non-negative numbers of up to 63 bits whose members are the places of their 1 bits.

All functions but `members` and `set_of` may be called in compiled code. This module does not import NumPy, so that the
documents' programs start quickly. Functions that need an array are in `core.tables`.
"""

from collections.abc import Iterable


def size(some: int) -> int:
    """Return the number of members. Compiled code uses one instruction instead (`core.compiling.INSTRUCTIONS`)."""
    return int(some).bit_count()


def first(some: int) -> int:
    """Return the lowest member of a set that is not empty."""
    return size((some & -some) - 1)


def member_of_five(some: int, n: int) -> int:
    """Return the n-th member of a set of at most five members, as `tables.member` does for larger sets.

    The code has no `if`, because the processor would often predict the branch wrong, which costs more than the work.
    """
    some = some & (some - 1) if n > 0 else some
    some = some & (some - 1) if n > 1 else some
    some = some & (some - 1) if n > 2 else some
    some = some & (some - 1) if n > 3 else some
    return first(some)


def members(some: int) -> list[int]:
    """Return the members in ascending order."""
    found = []
    while some:
        low = some & -some
        found.append(low.bit_length() - 1)
        some ^= low
    return found


def set_of(places: Iterable[int]) -> int:
    """Return the set with these members. Each member is given once."""
    return sum(1 << place for place in places)


def mixed(a: int, b: int) -> int:
    """Return a hash of 63 bits of a number of 63 bits and a number of 56 bits. No product overflows."""
    x = (a & 0x7FFFFFFF) * 0x5C0E2D93 + (a >> 31) * 0x3B1F6A4D
    y = (b & 0x0FFFFFFF) * 0x6D2B79F5 + (b >> 28) * 0x4F9939F5
    x ^= x >> 29
    y ^= (y >> 31) ^ x
    x = (y & 0x7FFFFFFF) * 0x2545F491 + (y >> 31) * 0x369DEA0F
    return x ^ (x >> 31)
