"""Count how often the 95 % intervals of shares and ratings hold the true value.

The bots have known strengths, drawn from a normal distribution. Each pair plays each deal of a game for two from both
seats. Only the strengths decide the winner, by the model of Bradley and Terry. A tournament of b bots has b intervals.

Figures: docs/results.md#see-how-certain-a-share-is
"""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

import msgspec
import numpy as np

from benchmarks.measuring import print_header, print_row
from ludoteca.arena.figures.ratings import MEAN, results
from ludoteca.arena.figures.sprt import expected
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core.game import load

SPREAD: Final = 150.0
"""The standard deviation of the strengths, in points of Elo's scale."""
SIZES: Final = "2x3 2x5 2x6 2x20 4x5 4x6 8x5 8x6 8x10 16x5 16x6 32x2 32x6 64x1 64x5 64x6 64x20"
RECORD: Final = load("okupacio", board="4x4").new_initial_state(1).to_record()


def tournament(strengths: list[float], deals: int, random: np.random.Generator) -> Iterator[Played]:
    """Yield the games of a round robin."""
    for first, second in permutations(range(len(strengths)), 2):
        wins = random.random(deals) < expected(strengths[first] - strengths[second])
        for deal, won in enumerate(wins):
            seats = [
                Seat(bot=f"{bot:02}", points=float(one), score=int(one), won=float(one), seconds=0.0)
                for bot, one in ((first, won), (second, not won))
            ]
            key = f"{deal:02} {first:02} {second:02}"
            record = msgspec.structs.replace(RECORD, actions=[key])  # identical games would count as one
            yield Played(key=key, deal=f"{deal:02}", record=record, seats=seats, seconds=0.0)


def covered(bots: int, deals: int, tournaments: int) -> tuple[list[bool], list[bool]]:
    """Return for each rating and for each share if its interval holds the true value. Few deals have intervals here, too.

    A single deal has no intervals.
    """
    random, ratings, shares = np.random.default_rng(1), list[bool](), list[bool]()
    for _ in range(tournaments):
        strengths = [float(one) for one in random.normal(0, SPREAD, bots)]
        found = results(list(tournament(strengths, deals, random)), least_deals=2)
        for rating in found.ratings:
            true = MEAN + strengths[int(rating.name)] - sum(strengths) / bots
            low, high = (-np.inf if rating.low is None else rating.low), (np.inf if rating.high is None else rating.high)
            if deals > 1:
                ratings.append(low <= true <= high)
        for line in found.bots:
            own = strengths[int(line.name)]
            share = (sum(expected(own - other) for other in strengths) - 0.5) / (bots - 1)
            if line.low is not None and line.high is not None:
                shares.append(line.low <= share <= line.high)
    return ratings, shares


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("sizes", nargs="*", default=SIZES.split(), metavar="BOTSxDEALS", help=SIZES)
    parser.add_argument("--intervals", type=int, default=1000, help="the least number of intervals of each size (1000)")
    given = parser.parse_args(arguments)
    print_header("bots", "deals", "tournaments", "ratings, %", "shares, %", "seconds")
    for size in given.sizes:
        bots, deals = map(int, size.split("x"))
        begin, tournaments = time.process_time(), -(-given.intervals // bots)
        found = covered(bots, deals, tournaments)
        figures = (f"{100 * sum(part) / len(part):.1f}" if part else "–" for part in found)
        print_row(bots, deals, tournaments, *figures, f"{time.process_time() - begin:.0f}")
