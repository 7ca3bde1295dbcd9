"""Levels: 80 simulations play no better than what looks best at first sight, so those who search begin there."""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.3),
        Level(notices=0.7),
        Level(80),
        Level(300),
        Level(1_500),
        Level(9_000),
    )
