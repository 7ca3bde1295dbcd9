"""Choices of searches and players: from all legal actions except giving up, and in playouts by the value of an action.

`best_of_random` is compiled as a part of each game's heuristics, which call it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPosition, Words, i64

if TYPE_CHECKING:
    from ludoteca.core.contract import CONCEDE, legal_actions


def list_choices(state: RawPosition, out: Integers) -> int:
    """Write the legal actions except CONCEDE to `out`, in the order of `legal_actions`. Return their number."""
    n, kept = legal_actions(state, out), i64(0)
    for i in range(n):
        if out[i] != CONCEDE:
            out[kept] = out[i]
            kept += 1
    return kept


def best_of_random(
    state: RawPosition,
    rng: Words,
    tries: int,
    random_action: Callable[[RawPosition, Words], int],
    value_of: Callable[[RawPosition, int], int],
) -> int:
    """Return the action with the highest `value_of` among `tries` random actions. The first of equal actions wins."""
    best = random_action(state, rng)
    most = value_of(state, best)
    for _ in range(tries - 1):
        action = random_action(state, rng)
        value = value_of(state, action)
        if value > most:
            best, most = action, value
    return best
