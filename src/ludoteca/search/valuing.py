"""The learned value of a game for positions in arrays, for tests and measurements. Bind it to the game's module `value`
(`core.native`).
"""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPositions
from ludoteca.search.leaf import Evaluator, estimate, total

if TYPE_CHECKING:
    from ludoteca.core.contract import active_features


def features_of(states: RawPositions, player: int, out: Integers) -> int:
    """Write the numbers of a player's active features (`core.contract.Value`) in states[0] to `out`. Return their count, or
    -1 if the player can no longer win. The game must not be over.
    """
    return active_features(states[0], player, out)


def expect(states: RawPositions, evaluator: Evaluator, out: Integers) -> None:
    """Write the learned value's estimate of each player's result in states[0] to `out`, as whole numbers. A win or a point
    is UNITS. The game must not be over.
    """
    estimate(states[0], evaluator, out)


def sum_of(states: RawPositions, evaluator: Evaluator, player: int) -> float:
    """Return the sum of the weights of a player's active features in states[0], or minus infinity if the player can no
    longer win. The game must not be over.
    """
    return total(states[0], evaluator, player)
