"""The tournament of the document (section 3), as a format of the arena: rounds of groups of four players, of which two
advance.

“Inicialmente, os jogadores são sorteados em grupos de quatro jogadores.” This format decides the details that the document
leaves open:

- In the first round two of each four are random players, so that two entrants are in a group. Random players also fill an
  incomplete group in any round. A random player never advances. If it is among the first two of its group, it takes one of
  the two places. If random players take both places, the entrants of the group that have points advance instead, so that a
  tournament in which entrants have points has a champion.
- Every group plays 16 deals. Each of the four leads in four of them.
- A game without a winner is one of the 16, and has no points. A group without points has no winners.
- Players with equal points are ranked by games won, and then by a random draw.
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
"""The most entrants of a group: in the first round, and in later rounds."""
GO_ON: Final = 2
"""The number of players of a group who advance to the next round."""


class Member(NamedTuple):
    """A player's result in the games of a group: the name, the sum of points, and the number of games won."""

    name: str
    points: float
    won: float


class DocumentFormat:
    """The format of the document."""

    summary = "the document's: groups of four, two random players in each of the first round, two go on"

    def problems(self, field: Field) -> Iterator[tuple[str, str]]:
        """Yield the name of each wrong setting with its fault: fewer than two entrants, a number of deals, or
        any option.
        """
        if len(field.entrants) < 2:
            yield "entrants", f"read {len(field.entrants)}, expected at least 2"
        if field.deals:
            yield "deals", f"the document says how many games a group plays: {GAMES}"
        yield from ((name, "unknown; this format has no options") for name in field.options)

    def plan(self, field: Field, finished: Finished) -> Schedule:
        """Return the games of all rounds whose groups are known, and the final table if the last round is finished.

        `finished` has the outcomes of the games played so far. The groups of a round are known when the round before it is
        finished.
        """
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
    """Return the groups of a round, each with the names of its players in the order of their seats: “os jogadores são
    sorteados em grupos de quatro”.

    `number` is the number of the round, and `left` are the entrants that are left. Random players fill the groups.
    """
    order = draw(seed, ("round", number), left)
    size = ENTRANTS[number > 1]
    groups = [order[begin : begin + size] for begin in range(0, len(order), size)]
    fillers = [f"(random {filler})" for filler in range(1, SEATS + 1)]
    full = [[*group, *fillers[: SEATS - len(group)]] for group in groups]
    return [draw(seed, ("seats", number, place), group) for place, group in enumerate(full, 1)]


def games_of(number: int, place: int, group: Sequence[str]) -> list[Fixture]:
    """Return the games of a group: “cada grupo joga 16 vezes começando cada jogador à vez”. `number` is the number of the
    round, and `place` that of the group.
    """
    leads = [game % SEATS for game in range(GAMES)]
    return [
        Fixture(f"round {number} group {place} game {game}", (*group[lead:], *group[:lead]))
        for game, lead in enumerate(leads, 1)
    ]


def order_of(
    seed: bytes, number: int, place: int, group: Sequence[str], games: Sequence[Fixture], finished: Finished
) -> list[Member]:
    """Return the four players of a group with their results, the best first. Players with equal results are in a random
    order.

    `number` is the number of the round, and `place` that of the group. `finished` has the outcomes of the group's `games`.
    """
    members = []
    for name in draw(seed, ("cut", number, place), group):
        seats = [(finished[game.key], game.seats.index(name)) for game in games]
        points = fsum(outcome.points[seat] for outcome, seat in seats)
        members.append(Member(name, points, fsum(outcome.won[seat] for outcome, seat in seats)))
    return sorted(members, key=lambda member: (member.points, member.won), reverse=True)


def go_on(order: Sequence[Member], entrants: Sequence[Member]) -> Sequence[Member]:
    """Return the entrants of a group who advance: “os dois jogadores com maior pontuação passam”.

    `order` lists the players of the group, and `entrants` lists them without the random players. Both begin with the
    best player.
    “Se um grupo não tiver vencedores, os jogadores serão eliminados.”
    """
    if not any(member.points for member in order):
        return []
    first = [member for member in order[:GO_ON] if member in entrants]
    return first or [member for member in entrants if member.points][:GO_ON]


def fill(view: RawPosition, legal: Sequence[int], rng: Words) -> int:
    """Return the action of a random player: a uniformly random play, or a pass if there is none."""
    plays = [action for action in legal if action != PASS]
    return plays[draw_number(rng, len(plays))] if plays else PASS


FORMATS: Final[Mapping[str, Format]] = {"document": DocumentFormat()}
