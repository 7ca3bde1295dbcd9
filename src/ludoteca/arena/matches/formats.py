"""The formats of tournaments that all games have. A format decides which bots play which games. Here, every deal is played
from every seat, and the final table is by points per game.

A format implements the protocol `core.formats.Format`. A game can define further formats in its module `formats`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import fsum
from typing import Final

from ludoteca.arena.matches.defaults import DEALS
from ludoteca.core.formats import Field, Finished, Fixture, Format, Place, Schedule, ranked
from ludoteca.core.spec import GameSpec


def seatings(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return the games of one deal, each as the names of the bots in the order of the seats. Each bot plays equally often in
    every seat.

    With as many bots as seats, the games are all rotations. With two bots for more seats, each plays once in every seat
    against copies of the other. With fewer bots than seats, the sequence of the bots is repeated to fill the seats, and the
    games are all its rotations. With more bots than seats, every choice of as many bots as seats plays its rotations.

    >>> seatings(["a", "b"], 2)
    [('a', 'b'), ('b', 'a')]
    >>> seatings(["a", "b"], 3)[:3]
    [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')]
    """
    if len(bots) > seats:
        return [seating for chosen in combinations(bots, seats) for seating in seatings(chosen, seats)]
    if len(bots) == 2 and seats > 2:
        return [*alone(bots[0], bots[1], seats), *alone(bots[1], bots[0], seats)]
    repeated = [
        tuple(bots[((seat + turn) % seats + first) % len(bots)] for seat in range(seats))
        for first in range(len(bots) if len(bots) < seats else 1)
        for turn in range(seats)
    ]
    return list(dict.fromkeys(repeated))


def alone(bot: str, other: str, seats: int) -> list[tuple[str, ...]]:
    """Return the games in which `bot` has each seat in turn, and `other` has all other seats. In a game for one player, each
    of them plays alone.

    >>> alone("a", "b", 3)
    [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')]
    """
    if seats == 1:
        return [(bot,), (other,)]
    return [tuple(bot if seat == own else other for seat in range(seats)) for own in range(seats)]


def paired(seatings: Sequence[tuple[str, ...]], deals: int) -> Iterator[Fixture]:
    """Yield the games in which each of these seatings plays each of the deals, `deals` in number. Games with the same name
    of the deal have the same cards.

    >>> for fixture in paired([("a", "b"), ("b", "a")], 1):
    ...     print(fixture.deal, fixture.seats)
    deal 1 ('a', 'b')
    deal 1 ('b', 'a')
    """
    for deal in range(1, deals + 1):
        for seating in seatings:
            yield Fixture(f"deal {deal}", seating)


Seatings = list[tuple[str, ...]]


class RoundRobin:
    """Every bot against every other bot."""

    summary = "every bot against every other bot, every deal from every seat"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Report too few entrants, and unknown options."""
        yield from _problems(field)

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return all games at once."""
        return _plan(field, seatings(field.entrants, field.seats), finished)


class Gauntlet:
    """Each entrant in the option `first` against each other entrant. Without the option, the first entrant of the
    tournament's file plays against each other.
    """

    summary = "the entrants of `first`, or the first one, against each of the others"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Report a lack of opponents, unknown names and unknown options."""
        yield from _problems(field, "first")
        first = field.options.get("first", [])
        if not isinstance(first, list):
            yield "first", "expected a list of names"
        else:
            yield from (("first", f"there is no entrant {name!r}") for name in first if name not in field.entrants)
            if first and set(first) >= set(field.entrants):
                yield "first", "expected fewer names: no opponent is left"

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return all games at once."""
        first = list(field.options.get("first", [])) or [field.entrants[0]]
        others = [name for name in field.entrants if name not in first]
        games = [seating for bot in first for other in others for seating in seatings([bot, other], field.seats)]
        return _plan(field, games, finished)


class Pairs:
    """The pairs of bots in the option `pairs`. The first bot of a pair plays once in every seat, and the second bot has all
    other seats. In a game for one player, both play every deal alone.
    """

    summary = "each pair of `pairs`: the first bot plays once in every seat, the second in all other seats"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Report a lack of pairs, unknown names and unknown options."""
        yield from _problems(field, "pairs")
        pairs = field.options.get("pairs")
        if not isinstance(pairs, list) or not pairs or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            yield "pairs", 'expected a list of pairs of names, such as [["new", "old"]]'
            return
        for name in dict.fromkeys(name for pair in pairs for name in pair if name not in field.entrants):
            yield "pairs", f"there is no entrant {name!r}"
        yield from (("pairs", f"{one!r} cannot play against itself") for one, other in pairs if one == other)

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return all games at once."""
        games = [seating for one, other in field.options["pairs"] for seating in alone(one, other, field.seats)]
        return _plan(field, list(dict.fromkeys(games)), finished)


FORMATS: Final[Mapping[str, Format]] = {"round robin": RoundRobin(), "gauntlet": Gauntlet(), "pairs": Pairs()}


def formats_of(spec: GameSpec) -> dict[str, Format]:
    """Return all formats for tournaments of a game, by name."""
    own: Mapping[str, Format] = spec.module("formats").FORMATS if spec.has("formats") else {}
    return {**FORMATS, **own}


def _problems(field: Field, *options: str) -> Iterator[tuple[str, str]]:
    """Report too few entrants, and other options than these."""
    least = 1 if field.seats == 1 else 2
    if len(field.entrants) < least:
        yield "entrants", f"read {len(field.entrants)}, expected at least {least}"
    for name in field.options:
        if name not in options:
            yield name, f"unknown; this format has {', '.join(options) or 'no options'}"


def _plan(field: Field, games: Seatings, finished: Finished) -> Schedule:
    fixtures = list(paired(games, field.deals or DEALS))
    complete = all(fixture.key in finished for fixture in fixtures)
    return Schedule(fixtures, standings(field.entrants, fixtures, finished) if complete else None)


def standings(entrants: Sequence[str], fixtures: Sequence[Fixture], finished: Finished) -> list[Place]:
    """Return the final table of the finished games, with the most points per game first. The order of the games makes no
    difference, even in the last digit.
    """
    rows = []
    for name in entrants:
        seats = [
            (finished[fixture.key].points[seat], finished[fixture.key].won[seat])
            for fixture in fixtures
            if fixture.key in finished
            for seat, sitting in enumerate(fixture.seats)
            if sitting == name
        ]
        rows.append(Place(0, name, len(seats), fsum(won for _, won in seats), fsum(points for points, _ in seats)))
    return ranked(rows, by=lambda row: row.points / max(row.games, 1))
