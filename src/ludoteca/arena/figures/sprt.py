"""Wald's sequential test of whether one bot (A) is stronger than another (B).

The unit is the deal, because the games of a deal are not independent. The test uses the mean result of each deal and assumes
no distribution of it. This is the generalised test of fishtest, which calls it "pentanomial", because there a deal of two
games has five possible results.

A match with `Sequential` ends when the test accepts a hypothesis. The test is made after each DEALS_AT_A_TIME deals, so that
its verdict does not depend on the speed of games or on the number of games that are played at the same time.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, log1p
from typing import Final, Literal

import msgspec

from ludoteca.arena.figures.ratings import deal_scores
from ludoteca.arena.matches.formats import RoundRobin
from ludoteca.arena.matches.results import Played
from ludoteca.core.formats import Field, Finished, Schedule

_GRID: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN: Final = 1e-3
"""The count of a result of _GRID that did not occur. With a count above 0, every mean is possible."""


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a test."""

    deals: int
    score: float
    """The mean result of the deals, from 0 to 1; 0.5 if there are no deals."""
    ratio: float
    """The natural logarithm of the likelihood of elo1 divided by that of elo0."""
    lower: float
    """The test accepts elo0 at this ratio or below."""
    upper: float
    """The test accepts elo1 at this ratio or above."""
    accepted: Literal["elo0", "elo1", ""]
    """Empty while the test goes on."""


def sprt(scores: Iterable[float], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Test whether A is stronger than B by elo0 or by elo1 points of Elo's scale. `scores` has the mean result of A in each
    deal, from 0 (all lost) to 1 (all won).

    If elo0 is true, the test accepts elo1 with a probability of at most about alpha. If elo1 is true, the test accepts elo0
    with a probability of at most about beta. Raises ValueError unless -1000 <= elo0 < elo1 <= 1000 and 0 < alpha, beta <
    0.5.

    >>> state = sprt([0.5, 1.0, 1.0, 0.5, 1.0] * 10, elo0=0, elo1=20)
    >>> state.deals, state.score, state.accepted
    (50, 0.8, '')
    """
    if not (-1000 <= elo0 < elo1 <= 1000 and 0 < alpha < 0.5 and 0 < beta < 0.5):
        wanted = "expected -1000 <= elo0 < elo1 <= 1000, and alpha and beta between 0 and 0.5"
        raise ValueError(f"elo0 {elo0}, elo1 {elo1}, alpha {alpha}, beta {beta}: {wanted}")
    counts = Counter(scores)
    deals = sum(counts.values())
    lower, upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    ratio = likelihood_ratio(counts, elo0, elo1) if deals else 0.0
    accepted: Literal["elo0", "elo1", ""] = "elo1" if ratio >= upper else "elo0" if ratio <= lower else ""
    score = sum(value * count for value, count in counts.items()) / deals if deals else 0.5
    return Sprt(deals=deals, score=score, ratio=ratio, lower=lower, upper=upper, accepted=accepted)


def likelihood_ratio(counts: Counter[float], elo0: float, elo1: float) -> float:
    """Return the natural logarithm of the likelihood ratio of two hypotheses: that the mean of the results is
    `expected(elo1)`, and that it is `expected(elo0)`. It is positive if the first is more likely. `counts` has for each
    result, from 0 to 1, the number of deals with this result.
    """
    seen = {value: float(counts[value]) or _UNSEEN for value in {*_GRID, *counts}}
    total = sum(seen.values())
    shares = [(value, count / total) for value, count in seen.items()]
    tilts = [(mean, _tilt(shares, mean)) for mean in (expected(elo0), expected(elo1))]
    # with a mean m, the likeliest probability of a result is its share / (1 + tilt * (result - m))
    (mean0, tilt0), (mean1, tilt1) = tilts
    return total * sum(share * (log1p(tilt0 * (value - mean0)) - log1p(tilt1 * (value - mean1))) for value, share in shares)


def _tilt(shares: list[tuple[float, float]], mean: float) -> float:
    """Return the zero of the sum of share * (result - mean) / (1 + tilt * (result - mean)), which decreases in the tilt."""
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(200):
        middle = (low + high) / 2
        if sum(share * (value - mean) / (1 + middle * (value - mean)) for value, share in shares) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def expected(elo: float) -> float:
    """Return the mean result, from 0 to 1, against an opponent that is weaker by `elo` points of Elo's scale.

    >>> round(expected(0), 2), round(expected(100), 2), round(expected(400), 2)
    (0.5, 0.64, 0.91)
    """
    return float(1 / (1 + 10 ** (-elo / 400)))


DEALS_AT_A_TIME: Final = 10


class Sequential:
    """A match that tests whether the first of two bots is stronger."""

    def __init__(self, field: Field, elo0: float, elo1: float, kept: Mapping[str, Played]) -> None:
        """Prepare the match. `field` has the two bots and the greatest number of deals. `kept` is a view of all finished
        games by their keys, which must be complete at each call of `plan`. Raises ValueError unless elo0 < elo1.
        """
        self._field, self._kept = field, kept
        self._elo0, self._elo1 = elo0, elo1
        self._deals = 0
        self.verdict = sprt([], elo0, elo1)
        """The state of the test after its last deals."""

    def plan(self, finished: Finished) -> Schedule:
        """Return the games of the next few deals, or the final table if the test has accepted a hypothesis or no deals are
        left.
        """
        while True:
            deals = min(self._deals + DEALS_AT_A_TIME, self._field.deals)
            stage = RoundRobin().plan(self._field._replace(deals=deals), finished)
            if stage.table is None:
                return stage
            scores = deal_scores([self._kept[fixture.key] for fixture in stage.games], *self._field.entrants)
            self.verdict = sprt(scores, self._elo0, self._elo1)
            if self.verdict.accepted or deals == self._field.deals:
                return stage
            self._deals = deals
