"""Levels. Even a short search with the learned value is much stronger than the heuristics, so one level between them plays
some turns by each.
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
        Level(40),
        Level(250),
        Level(2_000),
        BEST,
    )
