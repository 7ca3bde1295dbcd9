"""Seeds of games with a rare end, for the cases of the judge. In about one of a hundred games, several players have the best
points at the end. `ties` found the seeds of such games.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from ludoteca.games.conclave.judging.plans import Plan, opening
from ludoteca.games.conclave.judging.walks import GREEDY, Walk


def whole(plan: Plan) -> Walk:
    """Play a whole game from a plan of its opening, and return the finished walk. Each move takes as many wizards as
    possible and draws from the same random numbers, so the same opening always gives the same game.
    """
    walk = Walk(plan, frozenset(), Random(plan.seed), GREEDY)
    while not walk.over:
        walk.turn()
    return walk


def ties(players: int, seeds: Sequence[int]) -> Iterator[int]:
    """Yield those of the seeds whose game (`whole`) ends with several players who have the best points."""
    for seed in seeds:
        if "winner-tie" in whole(opening(Random(seed), frozenset(), players, seed)).reached:
            yield seed


DEAD_END: Final = (265, ((0, 6), (0, 9), (3, 5), (2, 10)))
"""A seed for two players, and four turns (place of the hand, cell). They end with a crisis that takes no wizard."""
TIED: Final = ((2, 7), (2, 86), (2, 121), (3, 72), (3, 109), (3, 111), (4, 34), (4, 39), (4, 45))
"""Pairs of a number of players and a seed whose games end with several best players, found by `ties`."""
