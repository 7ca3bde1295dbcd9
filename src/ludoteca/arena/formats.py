"""Formats that fit any game: every deal is played from every seat, and the final table goes by points a game.

A format implements `core.formats.Format`. A game has its own formats in its module `formats`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import fsum
from typing import Final

from ludoteca.core.formats import Field, Finished, Fixture, Format, Place, Plan, ranked
from ludoteca.core.spec import GameSpec


def seatings(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """The games of one deal in which each of the bots sits equally often in every seat.

    As many bots as seats: every rotation. Two bots for more seats: each in turn alone in every seat, with the other one in
    all the others. Fewer bots than seats: every rotation of their sequence, repeated until it fills the seats. More: every
    choice of as many bots as there are seats.
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
    """A bot in each seat in turn, the other one in all the others; where one plays alone, each of them."""
    if seats == 1:
        return [(bot,), (other,)]
    return [tuple(bot if seat == own else other for seat in range(seats)) for own in range(seats)]


def paired(seatings: Sequence[tuple[str, ...]], deals: int) -> Iterator[Fixture]:
    """The games of so many deals, each from every seating; all pairings have the same deals, by name and by cards."""
    for deal in range(1, deals + 1):
        for seating in seatings:
            yield Fixture(f"deal {deal}", seating)


DEALS: Final = 20
"""Where nothing else is said."""

Seatings = list[tuple[str, ...]]


class RoundRobin:
    """Everybody against everybody."""

    summary = "everybody against everybody, every deal from every seat"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Fewer than two who could play against each other; an option."""
        yield from _too_few(field)
        yield from _unknown_options(field, ())

    def plan(self, field: Field, finished: Finished) -> Plan:
        """All games at once."""
        return _plan(field, seatings(field.entrants, field.seats), finished)


class Gauntlet:
    """Some, the first of the file unless `first` names them, against each of the others."""

    summary = "those that `first` names, or the first one, against each of the others"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Nobody to play against; names that are not among the entrants."""
        yield from _too_few(field)
        yield from _unknown_options(field, ("first",))
        first = field.options.get("first", [])
        if not isinstance(first, list):
            yield "first", "expected a list of names"
        else:
            yield from (("first", f"there is no entrant {name!r}") for name in first if name not in field.entrants)
            if first and set(first) >= set(field.entrants):
                yield "first", "nobody is left to play against"

    def plan(self, field: Field, finished: Finished) -> Plan:
        """All games at once."""
        first = list(field.options.get("first", [])) or [field.entrants[0]]
        others = [name for name in field.entrants if name not in first]
        games = [seating for bot in first for other in others for seating in seatings([bot, other], field.seats)]
        return _plan(field, games, finished)


class Pairs:
    """The pairs that `pairs` names: the first of a pair sits once in every seat, the second one in all the others.

    In a game for one player both play every deal.
    """

    summary = "the pairs that `pairs` names, the first of each alone in every seat in turn"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """No pairs; names that are not among the entrants."""
        yield from _too_few(field)
        yield from _unknown_options(field, ("pairs",))
        pairs = field.options.get("pairs")
        if not isinstance(pairs, list) or not pairs or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            yield "pairs", 'expected a list of pairs of names, such as [["new", "old"]]'
            return
        for name in dict.fromkeys(name for pair in pairs for name in pair if name not in field.entrants):
            yield "pairs", f"there is no entrant {name!r}"
        yield from (("pairs", f"{one!r} cannot play against itself") for one, other in pairs if one == other)

    def plan(self, field: Field, finished: Finished) -> Plan:
        """All games at once."""
        games = [seating for one, other in field.options["pairs"] for seating in alone(one, other, field.seats)]
        return _plan(field, list(dict.fromkeys(games)), finished)


FORMATS: Final[Mapping[str, Format]] = {"round robin": RoundRobin(), "gauntlet": Gauntlet(), "pairs": Pairs()}


def formats_of(spec: GameSpec) -> dict[str, Format]:
    """All formats that a tournament of that game can have, by name."""
    own: Mapping[str, Format] = spec.module("formats").FORMATS if spec.has("formats") else {}
    return {**FORMATS, **own}


def _too_few(field: Field) -> Iterator[tuple[str, str]]:
    least = 1 if field.seats == 1 else 2
    if len(field.entrants) < least:
        yield "entrants", f"read {len(field.entrants)}, expected at least {least}"


def _unknown_options(field: Field, known: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in field.options:
        if name not in known:
            yield name, f"unknown; this format has {', '.join(known) or 'no options'}"


def _plan(field: Field, games: Seatings, finished: Finished) -> Plan:
    fixtures = list(paired(games, field.deals or DEALS))
    complete = all(fixture.key in finished for fixture in fixtures)
    return Plan(fixtures, standings(field.entrants, fixtures, finished) if complete else None)


def standings(entrants: Sequence[str], fixtures: Sequence[Fixture], finished: Finished) -> list[Place]:
    """The table of the games that are finished, by points a game; sums do not depend on their order."""
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
