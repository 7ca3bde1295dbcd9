"""Who sits where: the games of one deal."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from ludoteca.core.formats import Fixture


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
