"""What whoever runs a server may settle, and the limits that hold for everybody."""

import os
from dataclasses import dataclass, field
from typing import Final

QUEUE: Final = 256
"""Frames that may wait for a slow client before it is dropped."""
PATIENCE: Final = 10.0
"""Seconds that a new connection has to say `hello`."""
LARGEST_BODY: Final = 1024 * 1024
"""Bytes of a request's body: a record is the longest of them."""
LONGEST_NAME: Final = 40
"""Characters of a person's name."""
LONGEST_TEXT: Final = 2000
"""Characters of a move in notation."""


@dataclass(frozen=True)
class Rate:
    """A token bucket: so many at once, and so many a second for good."""

    burst: float
    per_second: float


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Settings:
    """How a server runs; the defaults suit one on one's own machine."""

    workers: int = field(default_factory=_cores)
    """Processes in which agents think."""
    pace: float = 0.4
    """Seconds between an event and an agent's move after it, so that people can follow."""
    frames: Rate = Rate(60, 30)
    """Of each connection."""
    made: Rate = Rate(30, 0.2)
    """Rooms, of each address."""
    spectators: int = 100
    """Their connections to each room; those of its players do not count, so that no spectator keeps a player out."""
    spectators_of_address: int = 40
    """Of them, how many may come from one address: more than a class, and not all."""
    screens: int = 20
    """Connections of each seat: one person's pages and devices."""
    absence: float = 30.0
    """Seconds that a person is away before the others may have an agent play in the person's place."""
    idle: float = 60.0
    """Seconds after which a room that nobody is in, and in which nothing runs, is put to sleep."""
