"""The levels of strength of the agent. The lowest four do not search. The highest has 900 simulations, because 3,000 and
15,000 play no better.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.03),
        Level(notices=0.15),
        Level(notices=0.4),
        Level(notices=0.9),
        Level(60),
        Level(250),
        Level(900),
    )
