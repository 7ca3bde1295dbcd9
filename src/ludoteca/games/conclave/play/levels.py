"""The levels of strength of the agent. Four levels do not search, and differ in the share of legal actions that they notice.
The others search.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import BEST, Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.2),
        Level(notices=0.45),
        Level(notices=1.0),
        Level(50),
        Level(200),
        Level(700),
        BEST,
    )
