"""Levels: who overlooks nothing plays well at first sight, so the lowest four do not search."""

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
        Level(400),
        Level(3_000),
    )
