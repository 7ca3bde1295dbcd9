"""The end of a simulation: a playout to the end of the game, or as far as the learned value is asked. Compiled.

The learned value's sum of weights (`core.contract.Value`) becomes what every player may expect, in the tree's whole numbers.
The exponentials are a table of whole numbers, and all else is what IEEE 754 defines to the last bit, so that a value is the
same on every machine.
"""

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ludoteca.core.contract import Floats, Integers, RawPosition, Words, i64, index
from ludoteca.core.tables import table
from ludoteca.search.tree import UNITS, utilities

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        UTILITY,
        active_features,
        apply,
        begins_turn,
        current_player,
        is_terminal,
        playout_action,
        scores,
    )

TO_THE_END: Final = -1
"""The `cut` of playouts that no learned value cuts short."""
LOGIT: Final = 256
"""The parts of a unit in which sums are looked up."""
FURTHEST_BEHIND: Final = 16
"""A player whose sum is so far behind the highest has no chance."""
ODDS: Final[Any] = table(np.rint(np.exp(-np.arange(FURTHEST_BEHIND * LOGIT) / LOGIT) * (1 << 24)))
"""exp(-x / LOGIT), in 2^-24."""


class Learned(NamedTuple):
    """A learned value, as kernels take it."""

    weights: Floats
    """One a feature."""
    active: Integers
    """Room for the features that are active in a position, ACTIVE of them."""
    sums: Integers
    """Room for each player's sum."""


def play_out(state: RawPosition, rng: Words, cut: int, learned: Learned, out: Integers) -> int:
    """Play on by the policy and write every player's utility: at the end, or by the value.

    The value is asked after `cut` actions, at the end of a turn. Return the number of actions.
    """
    moves = i64(0)
    while goes_on(state, moves, cut):
        apply(state, playout_action(state, rng))
        moves += 1
    judge(state, learned, out)
    return moves


def goes_on(state: RawPosition, moves: int, cut: int) -> bool:
    """True as long as a playout is to go on, after so many actions."""
    return not is_terminal(state) and (cut < 0 or moves < cut or not begins_turn(state))


def judge(state: RawPosition, learned: Learned, out: Integers) -> None:
    """Write every player's utility, at the end of a game, or what the learned value expects."""
    if is_terminal(state):
        utilities(state, out)
    else:
        estimate(state, learned, out)


def estimate(state: RawPosition, learned: Learned, out: Integers) -> None:
    """Write the utility that each player may expect in a position that is not terminal, by the learned value."""
    players, mover, sums = len(out), current_player(state), learned.sums
    points = UTILITY == "points" or players == 1
    parts = UNITS if points else LOGIT
    for player in range(
        players
    ):  # features are read in one place, because a function that is called twice is compiled twice
        own = total(state, learned, i64(player)) if points or players > 2 or player == mover else 0.0
        sums[player] = in_parts(own, i64(parts))
    if points:
        scores(state, out)
    else:
        share_out(sums)
    for player in range(players):
        out[player] = UNITS * i64(out[player]) + i64(sums[player]) if points else sums[player]


def in_parts(summed: float, parts: int) -> int:
    """Return a sum in whole parts of a unit. Minus infinity, for a player who cannot win, is far below all sums."""
    return i64(math.floor(parts * summed + 0.5)) if summed > -math.inf else -(i64(1) << 40)


def share_out(sums: Integers) -> None:
    """Replace the sums of all players, in parts of LOGIT, by their chances to win, in UNITS."""
    highest, odds = i64(sums[0]), i64(0)
    for player in range(1, len(sums)):
        highest = max(highest, i64(sums[player]))
    for player in range(len(sums)):
        behind = highest - i64(sums[player])
        sums[player] = ODDS[index(behind)] if behind < FURTHEST_BEHIND * LOGIT else 0
        odds += i64(sums[player])
    for player in range(len(sums)):
        sums[player] = UNITS * i64(sums[player]) // odds


def total(state: RawPosition, learned: Learned, player: int) -> float:
    """The sum of the weights of a player's active features; minus infinity for one who cannot win any more."""
    count = active_features(state, player, learned.active)
    if count < 0:
        return -math.inf
    summed = 0.0
    for i in range(count):
        summed += float(learned.weights[index(learned.active[i])])  # interpreted, float32 would stay float32
    return summed
