"""What followers of a magic promise: points of disappointment, the others' less one's own, that they come to in the end.

A formula fitted by least squares to 8,172 magics as a player saw them in 31 games of two, played by information-set search
(2,500 simulations a move, playouts that never cede, one move in twenty at random). Whoever is behind in a magic is
disappointed, with the odds of a logistic curve that is the flatter the more cards are to come; those who are disappointed
have by then got some more followers. For three and four players it is used as it is.
"""

import math
from typing import Any, Final

from ludoteca.core.tables import table

MOST: Final = 48
"""Influence is below it: all the cards of a magic have 45, and 3 more may be thought of."""
STAGE: Final = 2
"""Cards left in the piles, as a power of two, for which one table does."""
_STAGES: Final = 10


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def prospect(mine: int, others: int, left: float) -> float:
    """Points that the strongest of the others will be disappointed by more than I, for one magic.

    `mine` and `others` is the influence that I have and that the strongest of the others has; `left` cards are in the piles.
    """
    scale = 2.545 + 0.075 * left
    more = 1.921 + 0.146 * left
    lead = (mine - others) / scale
    return (0.868 * others + more) * _logistic(lead) - (0.868 * mine + more) * _logistic(-lead)


def _hundredths(stage: int) -> list[list[int]]:
    left = (stage << STAGE) + 1.5
    return [[round(100 * prospect(mine, others, left)) for others in range(MOST)] for mine in range(MOST)]


PROSPECTS: Final[Any] = table([_hundredths(stage) for stage in range(_STAGES)])
"""In hundredths of points, by stage, mine and others."""
