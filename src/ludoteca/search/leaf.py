"""The end of a simulation in a Monte Carlo search: a playout to the end of the game, or a playout that the learned value
cuts short. It is compiled as a part of the searches.

The learned value gives sums of weights (`core.contract.Value`). They become the expected utility of every player, in the
whole numbers of `search.tree`. Exponentials come from a table of whole numbers, and IEEE 754 defines every bit of the other
operations. So a value is the same on every machine.
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
"""The value of `cut` with which playouts continue to the end of the game."""
LOGIT: Final = 256
"""Sums of weights are logarithms of odds. They are rounded to whole numbers of parts, of which LOGIT make one unit."""
FURTHEST_BEHIND: Final = 16
"""A player's chance counts as 0 if another player's sum is greater by this many units."""
ODDS: Final[Any] = table(np.rint(np.exp(-np.arange(FURTHEST_BEHIND * LOGIT) / LOGIT) * (1 << 24)))
"""exp(-x / LOGIT) * 2^24 at index x."""


class Evaluator(NamedTuple):
    """The learned value of a game in the form for compiled functions: its weights, and memory for the features of a
    position.
    """

    weights: Floats
    """One weight for each feature."""
    active: Integers
    """Working memory for the numbers of a player's active features. It has room for ACTIVE of them."""
    sums: Integers
    """Working memory with one number for each player."""


def play_out(state: RawPosition, rng: Words, cut: int, evaluator: Evaluator, out: Integers) -> int:
    """Play the game on by the playout policy, and write every player's utility to `out`, in UNITS of a win or a point.
    Return the number of actions.

    If `cut` is 0 or more, the playout stops after this number of actions, at the end of the turn, and `out` gets the learned
    value's estimates.
    """
    moves = i64(0)
    while goes_on(state, moves, cut):
        apply(state, playout_action(state, rng))
        moves += 1
    judge(state, evaluator, out)
    return moves


def goes_on(state: RawPosition, moves: int, cut: int) -> bool:
    """Return True if a playout goes on after `moves` actions. It goes on until the game is over, or, if `cut` is not
    negative, until the end of the turn in which it has `cut` actions.
    """
    return not is_terminal(state) and (cut < 0 or moves < cut or not begins_turn(state))


def judge(state: RawPosition, evaluator: Evaluator, out: Integers) -> None:
    """Write every player's utility to `out`, in UNITS of a win or a point: the result if the game is over, else the learned
    value's estimate.
    """
    if is_terminal(state):
        utilities(state, out)
    else:
        estimate(state, evaluator, out)


def estimate(state: RawPosition, evaluator: Evaluator, out: Integers) -> None:
    """Write the learned value's estimate of each player's utility to `out`, in UNITS of a win or a point. The game must not
    be over.
    """
    players, mover, sums = len(out), current_player(state), evaluator.sums
    points = UTILITY == "points" or players == 1
    parts = UNITS if points else LOGIT
    for player in range(players):  # one call of `total` only: each call would be compiled again
        own = total(state, evaluator, i64(player)) if points or players > 2 or player == mover else 0.0
        sums[player] = in_parts(own, i64(parts))
    if points:
        scores(state, out)
    else:
        share_out(sums)
    for player in range(players):
        out[player] = UNITS * i64(out[player]) + i64(sums[player]) if points else sums[player]


def in_parts(summed: float, parts: int) -> int:
    """Return a sum of weights as a whole number of parts, of which `parts` make one unit. The sum minus infinity, of a
    player who can no longer win, becomes a very low number.
    """
    return i64(math.floor(parts * summed + 0.5)) if summed > -math.inf else -(i64(1) << 40)


def share_out(sums: Integers) -> None:
    """Replace the sums of all players, in parts of LOGIT, by their chances to win, in UNITS. The chances are in proportion
    to the exponentials of the sums.
    """
    highest, odds = i64(sums[0]), i64(0)
    for player in range(1, len(sums)):
        highest = max(highest, i64(sums[player]))
    for player in range(len(sums)):
        behind = highest - i64(sums[player])
        sums[player] = ODDS[index(behind)] if behind < FURTHEST_BEHIND * LOGIT else 0
        odds += i64(sums[player])
    for player in range(len(sums)):
        sums[player] = UNITS * i64(sums[player]) // odds


def total(state: RawPosition, evaluator: Evaluator, player: int) -> float:
    """Return the sum of the weights of a player's active features, or minus infinity if the player can no longer win."""
    count = active_features(state, player, evaluator.active)
    if count < 0:
        return -math.inf
    summed = 0.0
    for i in range(count):
        # without `float`, interpreted code would add in float32
        summed += float(evaluator.weights[index(evaluator.active[i])])
    return summed
