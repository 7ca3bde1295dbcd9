"""Levels of play. Hands are small, so an agent that notices every move plays well, and few simulations are enough."""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import BEST, Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:  # the same for all decks
    return (
        Level(),
        Level(notices=0.3),
        Level(notices=0.8),
        Level(20, careless=0.5, notices=1.0),
        Level(20),
        Level(100),
        Level(1_000),
        BEST,
    )
