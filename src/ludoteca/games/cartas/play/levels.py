"""The levels of strength of the agent. With the learned policy, a search with few simulations plays nearly as well as one
with many. So most levels differ in how often they do not search in a turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.25),
        Level(notices=0.45),
        Level(60, careless=0.5, notices=0.3),
        Level(60, careless=0.25, notices=0.3),
        Level(60),
        Level(300),
    )
