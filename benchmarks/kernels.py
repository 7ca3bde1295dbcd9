"""Loops that the benchmarks compile with a game's rules."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.contract import redeal


def redeal_often(views: RawPositions, states: RawPositions, player: int, rng: Words, times: int) -> int:
    """Make a whole state of the view this many times."""
    state = states[0]
    for _ in range(times):
        states[0] = views[0]
        redeal(state, player, rng)
    return times
