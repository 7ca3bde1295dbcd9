"""A game's learned value, over raw positions held in arrays. Bind it with the game's `value`."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPositions
from ludoteca.search.leaf import Learned, estimate, total

if TYPE_CHECKING:
    from ludoteca.core.contract import active_features


def features_of(states: RawPositions, player: int, out: Integers) -> int:
    """Write the features that are active for a player in states[0], not terminal; return their number, or -1."""
    return active_features(states[0], player, out)


def expect(states: RawPositions, learned: Learned, out: Integers) -> None:
    """Write the utility that each player may expect in states[0], not terminal; a win or a point is UNITS."""
    estimate(states[0], learned, out)


def sum_of(states: RawPositions, learned: Learned, player: int) -> float:
    """The sum of the weights that are active for a player in states[0], not terminal."""
    return total(states[0], learned, player)
