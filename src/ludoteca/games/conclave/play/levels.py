"""The levels of strength of the agent. Four levels do not search, and differ in the share of legal actions that they notice.
With two players a search needs about 700 simulations to play better than the heuristics alone. With more players, 50 are
enough. More than 5,000 gain nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    searches = (Level(700), Level(5_000)) if parameters["players"] == 2 else (Level(50), Level(700))
    return (Level(notices=0.05), Level(notices=0.2), Level(notices=0.45), Level(notices=1.0), *searches)
