"""How a server runs, and every limit that it holds, in one place.

A new limit is a field of `Settings`, with its reason below it, and a row of the table in `docs/server.md`. A field that is
annotated with an `Option` is an option of `ludoteca serve` by that alone, named like the field.
"""

import os
from dataclasses import dataclass, field
from typing import Annotated, Final

QUEUE: Final = 256
"""Frames that may wait for a slow client before it is dropped."""
PATIENCE: Final = 10.0
"""Seconds that a new connection has to say `hello`."""
LARGEST_BODY: Final = 1024 * 1024
"""Bytes of a request's body: a record is the longest of them."""
LARGEST_FRAME: Final = 16 * 1024
"""Bytes of a frame; one that is 16 times larger ends its connection."""
LONGEST_NAME: Final = 40
"""Characters of a person's name."""
LONGEST_TEXT: Final = 2000
"""Characters of a move in notation."""


@dataclass(frozen=True)
class Rate:
    """A token bucket: so many at once, and so many a second for good. Written as in `30,0.2`."""

    burst: float
    per_second: float

    def __str__(self) -> str:
        return f"{self.burst:g},{self.per_second:g}"


@dataclass(frozen=True)
class Option:
    """That whoever runs a server may choose a field, with an option of `ludoteca serve`."""

    help: str
    """One line."""
    unit: str
    """What its number counts, in the plural; of a `Rate`, what is done so often."""
    least: float = 1
    """The smallest number that makes sense; of a `Rate`, at once."""
    default: str = ""
    """How the default is told where it differs from machine to machine."""


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Settings:
    """How a server runs; the defaults suit one on one's own machine."""

    workers: Annotated[int, Option("processes in which agents think", "processes", default="one a core")] = field(
        default_factory=_cores
    )
    """One that thinks uses a core to the full."""
    pace: Annotated[float, Option("time between an event and an agent's move after it", "seconds", 0)] = 0.4
    """So that people can follow."""
    frames: Rate = Rate(60, 30)
    """Of each connection: more than anybody can click."""
    rooms_of_address: Annotated[Rate, Option("rooms made from one address: at once, and a second", "rooms")] = Rate(30, 0.2)
    """A class that begins at once makes a room each; a program that makes them for ever fills the disk."""
    spectators: Annotated[int, Option("spectators' connections to each room", "connections")] = 100
    """Each is told every event. Connections of players do not count, so that no spectator keeps a player out."""
    spectators_of_address: Annotated[int, Option("spectators' connections to each room from one address", "connections")] = (
        40
    )
    """More than a class, and not all, so that one address keeps no other out."""
    screens: Annotated[int, Option("connections to each seat: one person's pages and devices", "connections")] = 20
    """More than a person forgets to close."""
    absence: Annotated[float, Option("time away after which an agent may play for a person", "seconds", 0)] = 30.0
    """A reload, a tunnel and a restart of the server take less."""
    idle: float = 60.0
    """Seconds after which a room that nobody is in, and in which nothing runs, is put to sleep."""
