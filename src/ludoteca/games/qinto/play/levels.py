"""Levels: 15,000 simulations play no better than 3,000, so the highest has no more; the lowest four do not search."""

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
        Level(3_000, seconds=2.0),
    )
