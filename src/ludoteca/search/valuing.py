"""A game's learned value for raw positions in arrays. It is bound together with the game's `value`."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPositions
from ludoteca.search.leaf import Evaluator, estimate, total

if TYPE_CHECKING:
    from ludoteca.core.contract import active_features


def features_of(states: RawPositions, player: int, out: Integers) -> int:
    """Write the active features of a player in states[0], which is not terminal. Return their number.

    Return -1 if the player can no longer win.
    """
    return active_features(states[0], player, out)


def expect(states: RawPositions, evaluator: Evaluator, out: Integers) -> None:
    """Write the expected utility of each player in states[0], which is not terminal. A win or a point is UNITS."""
    estimate(states[0], evaluator, out)


def sum_of(states: RawPositions, evaluator: Evaluator, player: int) -> float:
    """Return the sum of the weights of a player's active features in states[0], which is not terminal."""
    return total(states[0], evaluator, player)
