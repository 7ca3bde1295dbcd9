"""Intervals of values, from independent searches of the same position."""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final, TypeAlias

from ludoteca.agents.agent import Decision, new_searcher
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.seeds import derived_seed
from ludoteca.search.searcher import Budget, Settings

SEEDS: Final = 4
"""The number of independent searches of a position that is known."""
DEALS: Final = 8
"""The number of independent searches if each has another deal of the hidden part."""
STUDENT: Final = {SEEDS: 3.182, DEALS: 2.365}
"""By the number of values: the standard errors between their mean and the true one in 95 of 100 cases (Student's t)."""
MARGIN: Final = 0.1
"""In games without hidden information, a value this near to a half does not predict the winner
(`benchmarks/accusations.py`)."""
FEW: Final = 400
"""A search with fewer simulations has no interval. With this many, chance alone moves a share of a win by at most 0.05, in
95 of 100 cases."""
SHARE: Final = 0.5
"""The share of a turn's budget that all searches for the interval of a decision have together."""

Interval: TypeAlias = tuple[float, float]


def is_guess(decision: Decision) -> bool:
    """Return True if too little was searched to say what the decision is worth. No interval around its value could be
    trusted.
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
    """Return the bounds of the value for the state's player, in 95 of 100 cases.

    `budget` and `settings` are those of the decision. Return None if the decision is a guess, if it is certain, or if
    nothing was searched.
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
    """Return the interval of a player's value from values of SEEDS or DEALS independent searches."""
    is_share = game.utility() == "win"
    if is_share and game.spec.perfect_information:
        return outcome_of(values)
    mean, half = mean_of(values)
    low, high = mean - half, mean + half
    return (max(0.0, low), min(1.0, high)) if is_share else (low, high)


def outcome_of(values: Sequence[float]) -> Interval:
    """Return the interval of a player's value with best play, in a game without hidden information.

    With best play, such a game has a certain result. So a search either predicts the winner or says nothing: the values of
    searches with other seeds would be close to each other even if all of them were wrong.
    """
    mean, half = mean_of(values)
    if mean - half >= 0.5 + MARGIN:
        return mean - half, 1.0
    if mean + half <= 0.5 - MARGIN:
        return 0.0, mean + half
    return 0.0, 1.0


def mean_of(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent numbers, and how far it may be from the true mean in 95 of 100 cases.

    >>> mean, error = mean_of([0.5, 0.6, 0.7, 0.6])
    >>> round(mean, 2), round(error, 2)
    (0.6, 0.13)
    """
    return fmean(numbers), STUDENT[len(numbers)] * stdev(numbers) / len(numbers) ** 0.5
