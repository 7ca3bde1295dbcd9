"""Formats of tournaments: which games to play, and how to rank the entrants.

A format is a pure function of the entrants, the tournament's seed and the finished games. So the order in which games finish
does not matter, and a tournament that was killed can continue. Formats for any game are in `arena.matches.formats`. A game's
own formats are in its module `formats`, in the dictionary `FORMATS`. If a format adds players to fill a group, the module's
function `fill` chooses their actions.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from ludoteca.core.contract import RawPosition, Words

FILLER: Final = "("
"""The first character of the names of players that a format adds (`(random 1)`). No entrant's name begins with it."""
BETWEEN: Final = " | "
"""The separator of the names in a game's key. No entrant's name contains the bar."""

Fill = Callable[[RawPosition, Sequence[int], Words], int]
"""A game's `formats.fill`: it chooses for a player that fills a group, given its view, the legal actions and a generator."""


class Fixture(NamedTuple):
    """A scheduled game."""

    deal: str
    """The name of the deal. Games with the same deal have the same cards."""
    seats: tuple[str, ...]
    """The names of the players by seat. The first moves first."""

    @property
    def key(self) -> str:
        """The name of the game within its tournament."""
        return f"{self.deal}: {BETWEEN.join(self.seats)}"


class GameOutcome(NamedTuple):
    """The result of a finished game for a format: one number for each seat."""

    points: tuple[float, ...]
    won: tuple[float, ...]
    """Shares of the win, from 0 to 1."""


Finished = Mapping[str, GameOutcome]
"""The finished games by key."""


class Field(NamedTuple):
    """The input of a format: entrants and settings of a tournament."""

    entrants: tuple[str, ...]
    """The names, in the order of the file."""
    seats: int
    deals: int
    """The number in the file, or 0 if the file has none."""
    seed: bytes
    options: Mapping[str, Any]
    """The format's own options in the file."""


class Place(NamedTuple):
    """A line of the final table."""

    place: int
    """From 1. Equal entrants share a place."""
    name: str
    games: int
    won: float
    """The number of games won. A shared win counts in parts."""
    points: float
    note: str = ""
    """A remark of the format, such as the round that the entrant reached."""


class Schedule(NamedTuple):
    """The plan of a format for the remaining games."""

    games: Sequence[Fixture]
    """All games that are known so far, finished or not, in the best order of play."""
    table: Sequence[Place] | None
    """The final table, or None while games are missing."""


class Format(Protocol):
    """A way to hold a tournament."""

    @property
    def summary(self) -> str:
        """One line of help."""

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Yield the problems of a tournament's file with this format. Each is a name (an option, `entrants` or `deals`) and
        a sentence.
        """

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return the games that can be planned from the finished games, and the final table when all games are finished."""


def digest_of(seed: bytes, *purpose: object) -> bytes:
    """Return 32 bytes for one purpose, from a keyed hash of the seed. Who does not know the seed cannot guess one digest
    from others.
    """
    return hashlib.blake2b(repr(purpose).encode(), key=seed, digest_size=32).digest()


def draw(seed: bytes, purpose: object, names: Iterable[str]) -> list[str]:
    """Return the names in a random order, which depends only on the seed and the purpose."""
    return sorted(names, key=lambda name: digest_of(seed, "draw", purpose, name))


def ranked(rows: Iterable[Place], *, by: Callable[[Place], Any]) -> list[Place]:
    """Return the rows by descending `by`, with their places. Equal rows share a place and are sorted by name."""
    ordered = sorted(sorted(rows, key=lambda row: row.name), key=by, reverse=True)
    placed: list[Place] = []
    for number, row in enumerate(ordered, 1):
        equal = placed and by(placed[-1]) == by(row)
        placed.append(row._replace(place=placed[-1].place if equal else number))
    return placed
