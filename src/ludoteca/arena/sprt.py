"""Wald's sequential test: is A stronger than B, decided as soon as the games allow it.

The unit is the deal, whose games belong together: what counts is how the deal's mean result is distributed, whatever that
distribution is (the generalised test of fishtest, where a deal has two games and five possible results: "pentanomial").
"""

from collections import Counter
from collections.abc import Iterable
from math import log, log1p
from typing import Final, Literal

import msgspec

_GRID: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN: Final = 1e-3
"""How often a result of the grid is taken to have come that has not, so that every mean is possible."""


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """How far a test is."""

    deals: int
    score: float
    """The mean result, from 0 to 1; 0.5 without deals."""
    ratio: float
    """The logarithm of how much likelier the results are with elo1 than with elo0."""
    lower: float
    """At this ratio or below, elo0 is accepted."""
    upper: float
    """At this ratio or above, elo1 is accepted."""
    accepted: Literal["elo0", "elo1", ""]
    """Empty while the test goes on."""


def sprt(scores: Iterable[float], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Test whether A is elo0 or elo1 points above B, from A's mean result of each deal, 0 (all lost) to 1 (all won).

    Where the truth is elo0, elo1 is accepted with a probability of at most about alpha; where it is elo1, elo0 with at most
    about beta. Raises ValueError unless -1000 <= elo0 < elo1 <= 1000 and 0 < alpha, beta < 0.5.
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
    """The logarithm of the ratio of these results' likelihoods, at their greatest with the means of elo1 and of elo0."""
    seen = {value: float(counts[value]) or _UNSEEN for value in {*_GRID, *counts}}
    total = sum(seen.values())
    shares = [(value, count / total) for value, count in seen.items()]
    tilts = [(mean, _tilt(shares, mean)) for mean in (expected(elo0), expected(elo1))]
    # with a mean m, the likeliest probability of a result is its share / (1 + tilt * (result - m))
    (mean0, tilt0), (mean1, tilt1) = tilts
    return total * sum(share * (log1p(tilt0 * (value - mean0)) - log1p(tilt1 * (value - mean1))) for value, share in shares)


def _tilt(shares: list[tuple[float, float]], mean: float) -> float:
    """Where the sum of share * (result - mean) / (1 + tilt * (result - mean)) is 0; it falls all the way."""
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(200):
        middle = (low + high) / 2
        if sum(share * (value - mean) / (1 + middle * (value - mean)) for value, share in shares) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def expected(elo: float) -> float:
    """The mean result against one who is so many points of Elo's scale weaker."""
    return float(1 / (1 + 10 ** (-elo / 400)))
