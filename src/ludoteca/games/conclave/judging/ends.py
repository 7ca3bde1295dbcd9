"""Deals whose games end with several players with the best points: about one of a hundred. A function found them."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from ludoteca.games.conclave.judging.plans import Plan, opening
from ludoteca.games.conclave.judging.walks import GREEDY, Walk


def whole(plan: Plan) -> Walk:
    """Play a whole game of this deal. Every move takes as many cards as possible, so that the game is the same each time."""
    walk = Walk(plan, frozenset(), Random(plan.seed), GREEDY)
    while not walk.over:
        walk.turn()
    return walk


def ties(players: int, seeds: Sequence[int]) -> Iterator[int]:
    """Yield the seeds whose game (`whole`) ends with several players with the best points."""
    for seed in seeds:
        if "winner-tie" in whole(opening(Random(seed), frozenset(), players, seed)).reached:
            yield seed


DEAD_END: Final = (265, ((0, 6), (0, 9), (3, 5), (2, 10)))
"""A seed for two players, and four turns (a place of the hand, a cell) that end with a crisis without followers."""
TIED: Final = ((2, 7), (2, 86), (2, 121), (3, 72), (3, 109), (3, 111), (4, 34), (4, 39), (4, 45))
"""Players and seeds of some deals that `ties` finds."""
