"""The contract of tournament formats, such as a round robin or an elimination tournament. A format decides which games to
play, and ranks the entrants at the end.

A format is a pure function of the entrants, the tournament's seed and the finished games. So the order in which the games
finish does not matter, and an interrupted tournament can continue. `arena.matches.formats` has formats for any game. A game
may add formats in the dictionary `FORMATS` of its module `formats`. If such a format adds players to fill a group, the
function `fill` of the module chooses their actions.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from ludoteca.core.contract import RawPosition, Words

FILLER: Final = "("
"""The first character of the name of a player that a format adds, as in `(random 1)`. No entrant's name begins with it."""
BETWEEN: Final = " | "
"""The text between two names in the name of a game (`Fixture.key`). No entrant's name contains the bar."""

Fill = Callable[[RawPosition, Sequence[int], Words], int]
"""A game's `formats.fill`: it chooses for a player that fills a group, given its view, the legal actions and a generator."""


class Fixture(NamedTuple):
    """A game that a tournament has scheduled."""

    deal: str
    """The name of the deal. All games with the same name are dealt the same cards."""
    seats: tuple[str, ...]
    """The names of the players by seat. The player in the first seat moves first."""

    @property
    def key(self) -> str:
        """A text that identifies the game within its tournament: the deal and the players by seat."""
        return f"{self.deal}: {BETWEEN.join(self.seats)}"


class GameOutcome(NamedTuple):
    """The result of a finished game, as formats use it. Both tuples have one number for each seat."""

    points: tuple[float, ...]
    won: tuple[float, ...]
    """Each player's share of the win, from 0 to 1."""


Finished = Mapping[str, GameOutcome]
"""The outcomes of the finished games, by `Fixture.key`."""


class Field(NamedTuple):
    """The entrants and the settings of a tournament, from which a format makes its plan."""

    entrants: tuple[str, ...]
    """The names of the entrants, in the order of the tournament's file."""
    seats: int
    deals: int
    """The number of deals in the tournament's file, or 0 if the file does not set it."""
    seed: bytes
    options: Mapping[str, Any]
    """Settings in the tournament's file that only this format has, by name."""


class Place(NamedTuple):
    """One row of the final table: an entrant and its results."""

    place: int
    """The rank, from 1. Entrants with equal results have the same rank."""
    name: str
    games: int
    won: float
    """The number of games won. A win that k players share counts as 1 / k."""
    points: float
    note: str = ""
    """A remark, such as the round that the entrant reached. Empty for none."""


class Schedule(NamedTuple):
    """The games of a tournament that a format can plan now, and the final table once all games are finished."""

    games: Sequence[Fixture]
    """The games that are known so far, finished or not, in the best order of play."""
    table: Sequence[Place] | None
    """The final table, or None if games are still missing."""


class Format(Protocol):
    """The interface of a tournament format."""

    @property
    def summary(self) -> str:
        """A description in one line, for help texts."""

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Yield the mistakes in the settings of a tournament that has this format. Each mistake is a pair: the name of the
        setting (an option of the format, `entrants` or `deals`) and a sentence.
        """

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return the games that can be planned from the outcomes of the finished games. When all games are finished, the
        result also has the final table.
        """


def digest_of(seed: bytes, *purpose: object) -> bytes:
    """Return 32 pseudorandom bytes that depend on the seed and a purpose, by a keyed hash.

    `purpose` is any number of values with a fixed `repr`, such as words and numbers. A reader who knows the bytes for some
    purposes, but not the seed, cannot compute the bytes for others.
    """
    return hashlib.blake2b(repr(purpose).encode(), key=seed, digest_size=32).digest()


def draw(seed: bytes, purpose: object, names: Iterable[str]) -> list[str]:
    """Return the names in a random order. The order depends only on the seed, the purpose and the names."""
    return sorted(names, key=lambda name: digest_of(seed, "draw", purpose, name))


def ranked(rows: Iterable[Place], *, by: Callable[[Place], Any]) -> list[Place]:
    """Return the rows sorted by the value of `by(row)`, highest first, with their ranks. Rows with equal values have the
    same rank and are sorted by name.
    """
    ordered = sorted(sorted(rows, key=lambda row: row.name), key=by, reverse=True)
    placed: list[Place] = []
    for number, row in enumerate(ordered, 1):
        equal = placed and by(placed[-1]) == by(row)
        placed.append(row._replace(place=placed[-1].place if equal else number))
    return placed
