"""The levels of strength of the agent. Four levels do not search, and differ in the share of legal actions that they notice.
With two players, a search of 50 simulations plays no better than the heuristics alone. More than 5,000 gain nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.2),
        Level(notices=0.45),
        Level(notices=1.0),
        Level(700),
        Level(5_000),
    )
