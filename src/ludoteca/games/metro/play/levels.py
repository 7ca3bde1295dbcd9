"""The levels of strength of the agent. In the game of one player a search needs about 350 simulations to play better than
the heuristics alone, so the four lowest levels do not search. With more players the steps are larger.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.15),
        Level(notices=0.5),
        Level(notices=1.0),
        Level(400),
        Level(2_000),
    )
