"""Bounds of an expected result (intervals with a confidence of 95 %), from several independent searches of the same
position.
"""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final, TypeAlias

from ludoteca.agents.agent import Decision, new_searcher
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.seeds import derived_seed
from ludoteca.search.searcher import Budget, Settings

SEEDS: Final = 4
"""The number of searches of one position with different seeds."""
DEALS: Final = 8
"""The number of searches if each one has another random deal of the hidden cards."""
STUDENT: Final = {SEEDS: 3.182, DEALS: 2.365}
"""By the number of values: how many standard errors their mean may be wrong in 95 of 100 cases (Student's t)."""
MARGIN: Final = 0.1
"""In games without hidden information, a value this near to a half does not predict the winner
(`benchmarks/accusations.py`)."""
FEW: Final = 400
"""A search with fewer simulations has no interval. With this many, chance alone moves a share of a win by at most 0.05, in
95 of 100 cases."""
SHARE: Final = 0.5
"""The searches for the bounds of one decision have together this share of a turn's budget."""

Interval: TypeAlias = tuple[float, float]


def is_guess(decision: Decision) -> bool:
    """Return True if the search of a decision was too short to say how good the action is, or if there was less search than
    usual. Then no bounds of its value would be reliable. A decision without a search is not a guess in this sense.
    """
    findings = decision.findings
    if findings is None or findings.choices[0].solved:
        return False
    return decision.is_weaker or findings.simulations < FEW


def search_interval(
    game: Game,
    state: InformationState,
    decision: Decision,
    budget: Budget,
    seed: int,
    settings: Settings | None = None,
) -> Interval | None:
    """Return the bounds between which the expected result for the state's player is in 95 of 100 cases, from SEEDS new
    searches.

    `budget` and `settings` are those with which the decision was made. Return None if nothing was searched, if the result is
    certain, or if the decision is a guess (`is_guess`).
    """
    findings = decision.findings
    if findings is None or findings.choices[0].solved or is_guess(decision):
        return None
    simulations, *times = budget
    share = SHARE / SEEDS
    part = Budget(simulations and max(1, int(simulations * share)), *(time and time * share for time in times))
    searchers = (new_searcher(game, settings, derived_seed(seed, "interval", number)) for number in range(SEEDS))
    return interval_of(game, [searcher.evaluate(state, part).values[state.player] for searcher in searchers])


def interval_of(game: Game, values: Sequence[float]) -> Interval:
    """Return the bounds of a player's expected result. `values` are the results of SEEDS or DEALS independent searches."""
    is_share = game.utility() == "win"
    if is_share and game.spec.perfect_information:
        return outcome_of(values)
    mean, half = mean_of(values)
    low, high = mean - half, mean + half
    return (max(0.0, low), min(1.0, high)) if is_share else (low, high)


def outcome_of(values: Sequence[float]) -> Interval:
    """Return the bounds of a player's result with best play by all, in a game without hidden information. `values` are the
    player's shares of a win by several searches.

    With best play the winner of such a game is certain. So the searches either predict the winner (their mean is far from a
    half), or they say nothing, and the bounds are 0 and 1. The spread of the values says little, because searches with
    different seeds can agree on a wrong value.
    """
    mean, half = mean_of(values)
    if mean - half >= 0.5 + MARGIN:
        return mean - half, 1.0
    if mean + half <= 0.5 - MARGIN:
        return 0.0, mean + half
    return 0.0, 1.0


def mean_of(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent numbers, and how far it may be from the true mean in 95 of 100 cases. There must be
    SEEDS or DEALS numbers.

    >>> mean, error = mean_of([0.5, 0.6, 0.7, 0.6])
    >>> round(mean, 2), round(error, 2)
    (0.6, 0.13)
    """
    return fmean(numbers), STUDENT[len(numbers)] * stdev(numbers) / len(numbers) ** 0.5
