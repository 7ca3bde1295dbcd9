"""The levels of strength of the agent. In the game of one player a search needs about 350 simulations to play better than
the heuristics alone, so the five lowest levels do not search. Against others, 100 simulations are enough for that.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    if parameters["players"] > 1:
        lower = (Level(notices=0.05), Level(notices=0.15), Level(notices=0.5), Level(notices=1.0), Level(100))
    else:
        lower = (Level(notices=0.05), Level(notices=0.2), Level(notices=0.4), Level(notices=0.65), Level(notices=1.0))
    return (*lower, Level(400), Level(2_000))
