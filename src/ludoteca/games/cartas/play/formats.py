"""The tournament of the document (section 3): rounds of groups of four, of which two advance.

“Inicialmente, os jogadores são sorteados em grupos de quatro jogadores.” This format decides the details that the document
leaves open:

- In the first round two of each four are random players, so that two entrants are in a group. Random players also fill an
  incomplete group in any round. A random player never advances. If it is among the first two of its group, it takes one of
  the two places. If random players take both places, the entrants of the group that have points advance instead, so that a
  tournament in which entrants have points has a champion.
- Every group plays 16 deals. Each of the four leads in four of them.
- A void game is one of the 16, and has no points. A group without points has no winners.
- Players with equal points are ranked by games won, and then by a draw.
- The last round has one group. The first entrant of this group is the champion.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition, Words
from ludoteca.core.formats import Field, Finished, Fixture, Format, Place, Schedule, draw, ranked
from ludoteca.core.rng import draw as draw_number
from ludoteca.games.cartas.rules import PASS

SEATS: Final = 4
GAMES: Final = 16
"""The games of a group."""
ENTRANTS: Final = (2, SEATS)
"""The most entrants of a group, in the first round and later."""
GO_ON: Final = 2
"""The number of entrants of a group that advance."""


class Member(NamedTuple):
    """The result of a player in the games of a group."""

    name: str
    points: float
    won: float


class DocumentFormat:
    """The format of the document."""

    summary = "the document's: groups of four, two random players in each of the first round, two go on"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Yield a problem for fewer than two entrants, for a number of deals, and for each option."""
        if len(field.entrants) < 2:
            yield "entrants", f"read {len(field.entrants)}, expected at least 2"
        if field.deals:
            yield "deals", f"the document says how many games a group plays: {GAMES}"
        yield from ((name, "unknown; this format has no options") for name in field.options)

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return the games of all rounds that can be drawn, and the table if the last round is finished."""
        games: list[Fixture] = []
        rows: dict[str, Place] = {}
        ranks: dict[str, tuple[float, ...]] = {}
        left, number = list(field.entrants), 1
        while left:
            groups = groups_of(field.seed, number, left)
            fixtures = [games_of(number, place, group) for place, group in enumerate(groups, 1)]
            games += (fixture for group in fixtures for fixture in group)
            if any(fixture.key not in finished for group in fixtures for fixture in group):
                return Schedule(games, None)
            left = []
            for place, (group, played) in enumerate(zip(groups, fixtures, strict=True), 1):
                order = order_of(field.seed, number, place, group, played, finished)
                own = [member for member in order if member.name in field.entrants]
                last = len(groups) == 1
                for rank, member in enumerate(own):
                    ranks[member.name] = (number, -rank) if last else (number, member.points, member.won)
                    note = f"round {number}" if not last else "champion" if rank == 0 and member.points else "last group"
                    rows[member.name] = Place(0, member.name, GAMES, member.won, member.points, note)
                left += [] if last else [member.name for member in go_on(order, own)]
            number += 1
        return Schedule(games, ranked(rows.values(), by=lambda row: ranks[row.name]))


def groups_of(seed: bytes, number: int, left: Sequence[str]) -> list[list[str]]:
    """Return the groups of a round, in the order of their seats: “os jogadores são sorteados em grupos de quatro”."""
    order = draw(seed, ("round", number), left)
    size = ENTRANTS[number > 1]
    groups = [order[begin : begin + size] for begin in range(0, len(order), size)]
    fillers = [f"(random {filler})" for filler in range(1, SEATS + 1)]
    full = [[*group, *fillers[: SEATS - len(group)]] for group in groups]
    return [draw(seed, ("seats", number, place), group) for place, group in enumerate(full, 1)]


def games_of(number: int, place: int, group: Sequence[str]) -> list[Fixture]:
    """Return the games of a group: “cada grupo joga 16 vezes começando cada jogador à vez”."""
    leads = [game % SEATS for game in range(GAMES)]
    return [
        Fixture(f"round {number} group {place} game {game}", (*group[lead:], *group[:lead]))
        for game, lead in enumerate(leads, 1)
    ]


def order_of(
    seed: bytes, number: int, place: int, group: Sequence[str], games: Sequence[Fixture], finished: Finished
) -> list[Member]:
    """Return the four players of a group, the best first. Equal players are in a random order."""
    members = []
    for name in draw(seed, ("cut", number, place), group):
        seats = [(finished[game.key], game.seats.index(name)) for game in games]
        points = fsum(outcome.points[seat] for outcome, seat in seats)
        members.append(Member(name, points, fsum(outcome.won[seat] for outcome, seat in seats)))
    return sorted(members, key=lambda member: (member.points, member.won), reverse=True)


def go_on(order: Sequence[Member], entrants: Sequence[Member]) -> Sequence[Member]:
    """Return the entrants who advance: “os dois jogadores com maior pontuação passam”.

    “Se um grupo não tiver vencedores, os jogadores serão eliminados.” Both sequences begin with the best player.
    """
    if not any(member.points for member in order):
        return []
    first = [member for member in order[:GO_ON] if member in entrants]
    return first or [member for member in entrants if member.points][:GO_ON]


def fill(view: RawPosition, legal: Sequence[int], rng: Words) -> int:
    """Return a random play, each with the same probability. A random player passes only if it has no play."""
    plays = [action for action in legal if action != PASS]
    return plays[draw_number(rng, len(plays))] if plays else PASS


FORMATS: Final[Mapping[str, Format]] = {"document": DocumentFormat()}
