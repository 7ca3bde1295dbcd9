"""One bot in every seat in turn against another in all the others, or both alone on the same deals: how much it took."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ludoteca.arena.ratings import Line, results
from ludoteca.arena.results import Played


class Duel(NamedTuple):
    """The games of a pair."""

    name: str
    other: str
    deals: int
    line: Line | None
    """Of the first of the pair; None before its first game."""


def duels(pairs: Iterable[Sequence[str]], games: Sequence[Played]) -> Iterator[Duel]:
    """What the first of each pair took, alone in its seat; its share and the interval are those of `ratings.results`.

    Where one plays alone, it is the share of what both got, of the deals that both have played.
    """
    for name, other in pairs:
        of_pair = _alone(games, name, other) or [played for played in games if _is_of(played, name, other)]
        found = results(of_pair)
        yield Duel(name, other, found.deals, next((line for line in found.bots if line.name == name), None))


def _is_of(played: Played, name: str, other: str) -> bool:
    bots = [seat.bot for seat in played.seats]
    return bots.count(name) == 1 and bots.count(other) == len(bots) - 1


def _alone(games: Sequence[Played], name: str, other: str) -> list[Played]:
    """The games that both played alone, on the same deals."""
    both = [played for played in games if len(played.seats) == 1 and played.seats[0].bot in (name, other)]
    deals = [{played.deal for played in both if played.seats[0].bot == bot} for bot in (name, other)]
    return [played for played in both if played.deal in deals[0] & deals[1]]
