"""Sets as bit sets, and tables that compiled code takes for constants."""

from typing import Any

import numpy as np


def size(members: int) -> int:
    """How many members a set has. (The compiler knows this loop: one instruction.)"""
    n, members = 0, int(members)  # NumPy's numbers take longer when this is interpreted
    while members != 0:
        members &= members - 1
        n += 1
    return n


def first(members: int) -> int:
    """The lowest member of a set that is not empty."""
    return size((members & -members) - 1)


def member(members: int, n: int) -> int:
    """The member of a set that has n lower ones."""
    for _ in range(n):
        members &= members - 1
    return first(members)


def member_of_five(members: int, n: int) -> int:
    """The same for a set of five at most. (Without a branch: a processor would guess it wrong.)"""
    members = members & (members - 1) if n > 0 else members
    members = members & (members - 1) if n > 1 else members
    members = members & (members - 1) if n > 2 else members
    members = members & (members - 1) if n > 3 else members
    return first(members)


def table(rows: Any, kind: Any = np.int64) -> Any:
    """A read-only array."""
    entries = np.array(rows, kind)
    entries.setflags(write=False)
    return entries
