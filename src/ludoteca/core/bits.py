"""Bit sets: sets of numbers from 0 to 62, each set stored as one non-negative number. The set has the member i if bit i of
the number is 1.

Compiled code may call all functions except `members` and `set_of`. This module does not import NumPy, so that the documents'
text programs start quickly. Functions on bit sets that need an array are in `core.tables`.
"""

from collections.abc import Iterable


def size(some: int) -> int:
    """Return the number of members of a bit set. Compiled code uses one processor instruction in place of this function."""
    return int(some).bit_count()


def first(some: int) -> int:
    """Return the lowest member of a bit set, which must not be empty."""
    return size((some & -some) - 1)


def member_of_five(some: int, n: int) -> int:
    """Return the n-th member of a bit set in ascending order, counted from 0, for a set of at most five members.
    `tables.member` does the same for larger sets.

    The body has no loop and no `if` statement, because the processor would often predict the branch wrong, and that costs
    more time than the work.
    """
    some = some & (some - 1) if n > 0 else some
    some = some & (some - 1) if n > 1 else some
    some = some & (some - 1) if n > 2 else some
    some = some & (some - 1) if n > 3 else some
    return first(some)


def members(some: int) -> list[int]:
    """Return the members of a bit set in ascending order."""
    found = []
    while some:
        low = some & -some
        found.append(low.bit_length() - 1)
        some ^= low
    return found


def set_of(places: Iterable[int]) -> int:
    """Return the bit set with these members. Each member must occur only once."""
    return sum(1 << place for place in places)


def mixed(a: int, b: int) -> int:
    """Return a hash of 63 bits that depends on both numbers. `a` has up to 63 bits, and `b` up to 56. No product in the
    computation overflows 64 bits.
    """
    x = (a & 0x7FFFFFFF) * 0x5C0E2D93 + (a >> 31) * 0x3B1F6A4D
    y = (b & 0x0FFFFFFF) * 0x6D2B79F5 + (b >> 28) * 0x4F9939F5
    x ^= x >> 29
    y ^= (y >> 31) ^ x
    x = (y & 0x7FFFFFFF) * 0x2545F491 + (y >> 31) * 0x369DEA0F
    return x ^ (x >> 31)
