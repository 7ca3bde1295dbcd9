"""The levels of strength of the agent. Even a short search with the learned value is much stronger than the heuristics, so
one level between the two plays some turns with the search and some with the heuristics.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import BEST, Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.2),
        Level(notices=0.7),
        Level(20, careless=0.5, notices=1.0),
        Level(100),
        Level(450),
        Level(2_000),
        BEST,
    )
