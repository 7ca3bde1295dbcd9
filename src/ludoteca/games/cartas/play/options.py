"""The learned policy as training sees it (`core.contract.PolicyOptions`): the plays among which the policy chooses, and the
constants of training.

The policy treats plays of the same shape and the same highest value as one option.
"""

from typing import Final

from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.cartas.combinations import shape_of
from ludoteca.games.cartas.play.heuristics import action_values as action_values
from ludoteca.games.cartas.play.policy import GROUPS, PASSING_GROUPS, WEIGHTS, highest, list_plays
from ludoteca.games.cartas.rules import PASS

FEATURES: Final = WEIGHTS
ACTIVE: Final = GROUPS
BEFORE: Final = "beginners"
RATE: Final = 10.0
EXPLORE: Final = 0.08
SIMULATIONS: Final = 2000
GREEDY: Final = 0.4
ROUND: Final = 20


def list_options(state: RawPosition, actions: Integers, active: Integers) -> int:
    count = list_plays(state, actions, active)
    hand = i64(state.hands[index(state.mover)])
    for i in range(count):
        if actions[index(i)] == hand:  # it wins, so it is the only option
            actions[0] = hand
            return i64(1)
    if state.play == 0:
        return count
    actions[index(count)] = PASS
    for i in range(PASSING_GROUPS, GROUPS):
        active[index(count * GROUPS + i)] = -1
    return count + 1


def option_of(state: RawPosition, action: int, actions: Integers, count: int) -> int:
    for i in range(count):
        if _look(i64(actions[index(i)])) == _look(action):
            return i64(i)
    return i64(-1)


def _look(action: int) -> int:
    """Return a number for the shape and the highest value of a play. Two plays with the same number are the same option for
    the policy.
    """
    return i64(-1) if action == PASS else shape_of(action) * 64 + (highest(action) >> 2)
