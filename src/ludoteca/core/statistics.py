"""The one test of chance that the laws need: is a count uniform?"""

from collections.abc import Mapping
from math import sqrt
from typing import Any


def uniformity(counts: Mapping[Any, int], outcomes: int) -> float:
    """How far counts are from uniform over that many outcomes, in standard deviations of a normal variable.

    Pearson's chi-square, put on the normal scale by Wilson and Hilferty's cube root; unseen outcomes count. Above 5 means
    a chance of less than one in three million. Wants five expected counts an outcome, or more.
    """
    if outcomes < 2:
        return 0.0
    expected = sum(counts.values()) / outcomes
    unseen = outcomes - len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + unseen * expected
    freedom = outcomes - 1
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
