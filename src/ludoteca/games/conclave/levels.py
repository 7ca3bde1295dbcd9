"""Levels: more than a few thousand simulations do not play better, so the highest has no more."""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.2),
        Level(notices=0.45),
        Level(notices=1.0),
        Level(50),
        Level(200),
        Level(700),
        Level(3_000, seconds=2.0),
    )
