"""Formats of tournaments: which games are played, and who comes in which place.

A format is a pure function of the entrants, the tournament's seed and the finished games. So neither the order in which
games finish nor a kill changes anything. Formats for any game are in `arena.matches.formats`. A game's own formats are in
its module `formats`, which holds `FORMATS` by name. If these have fillers, the module has the function `fill`.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from ludoteca.core.contract import RawPosition, Words

FILLER: Final = "("
"""The first character of the names of players that a format adds (`(random 1)`); no entrant's name begins with it."""
BETWEEN: Final = " | "
"""What stands between the names in a game's key; no entrant's name holds the bar."""

Fill = Callable[[RawPosition, Sequence[int], Words], int]
"""A game's `formats.fill`: what a player that fills a group plays, from its view, the legal actions and a generator."""


class Fixture(NamedTuple):
    """A game that is to be played."""

    deal: str
    """Names the deal: the games of one deal have the same cards."""
    seats: tuple[str, ...]
    """Who sits where; the first moves first."""

    @property
    def key(self) -> str:
        """Names the game within its tournament."""
        return f"{self.deal}: {BETWEEN.join(self.seats)}"


class GameOutcome(NamedTuple):
    """What a format knows of a finished game: one number for each seat."""

    points: tuple[float, ...]
    won: tuple[float, ...]
    """Shares of the win, from 0 to 1."""


Finished = Mapping[str, GameOutcome]
"""The finished games by key."""


class Field(NamedTuple):
    """What a tournament is made of."""

    entrants: tuple[str, ...]
    """Names, in the order of the file."""
    seats: int
    deals: int
    """What the file says; 0 where it says nothing."""
    seed: bytes
    options: Mapping[str, Any]
    """What the file says to the format itself."""


class Place(NamedTuple):
    """A line of the final table."""

    place: int
    """From 1; equal ones share it."""
    name: str
    games: int
    won: float
    """Games won, a shared win in parts."""
    points: float
    note: str = ""
    """What the format says of it, such as the round that it reached."""


class Schedule(NamedTuple):
    """What a format makes of the finished games."""

    games: Sequence[Fixture]
    """All games that are known so far, finished or not, in the order in which they are best played."""
    table: Sequence[Place] | None
    """The final table; None while games are missing."""


class Format(Protocol):
    """A way to hold a tournament."""

    @property
    def summary(self) -> str:
        """One line of help."""

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """What is wrong with a file for this format: the option's name (or `entrants`, or `deals`) and a sentence."""

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """The games that can be played now, and the final table once all are finished."""


def digest_of(seed: bytes, *purpose: object) -> bytes:
    """32 bytes for one purpose, from a keyed hash: who does not know the seed learns nothing of others from some."""
    return hashlib.blake2b(repr(purpose).encode(), key=seed, digest_size=32).digest()


def draw(seed: bytes, purpose: object, names: Iterable[str]) -> list[str]:
    """The names in a random order, the same for the same seed and purpose."""
    return sorted(names, key=lambda name: digest_of(seed, "draw", purpose, name))


def ranked(rows: Iterable[Place], *, by: Callable[[Place], Any]) -> list[Place]:
    """The rows by descending `by`, with their places filled in; equal rows share a place and stand by name."""
    ordered = sorted(sorted(rows, key=lambda row: row.name), key=by, reverse=True)
    placed: list[Place] = []
    for number, row in enumerate(ordered, 1):
        equal = placed and by(placed[-1]) == by(row)
        placed.append(row._replace(place=placed[-1].place if equal else number))
    return placed
