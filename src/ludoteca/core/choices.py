"""Functions that choose among legal actions, for compiled searches and for the heuristics of games.

`list_choices` is compiled as a part of each search. `best_of_random` is compiled as a part of the heuristics that call it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPosition, Words, i64

if TYPE_CHECKING:
    from ludoteca.core.contract import CONCEDE, legal_actions


def list_choices(state: RawPosition, out: Integers) -> int:
    """Write the legal actions of a position to `out`, except the action that gives up (CONCEDE), in the order of
    `legal_actions`. Return how many there are. `out` has room for MAX_LEGAL actions.
    """
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
    """Return the action with the highest value among `tries` random ones.

    Each action is drawn by `random_action(state, rng)` and valued by `value_of(state, action)`, a whole number. Of several
    actions with the highest value, the first that was drawn is returned.
    """
    best = random_action(state, rng)
    most = value_of(state, best)
    for _ in range(tries - 1):
        action = random_action(state, rng)
        value = value_of(state, action)
        if value > most:
            best, most = action, value
    return best
