"""A playout policy that games share. It is compiled as part of the heuristics that call it."""

from collections.abc import Callable

from ludoteca.core.contract import RawPosition, Words


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
