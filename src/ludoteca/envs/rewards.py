"""Returns as learners are rewarded."""

from collections.abc import Sequence


def zero_sum(returns: Sequence[float]) -> list[float]:
    """Shares of a win that add up to 1, made to add up to 0: 1 for a single winner and -1 / (n - 1) for the n - 1 others.

    What is all zeros, as it is before the end and when a game is void, stays so.
    """
    if not any(returns):
        return [0.0] * len(returns)
    others = len(returns) - 1
    return [(len(returns) * share - 1) / others for share in returns]
