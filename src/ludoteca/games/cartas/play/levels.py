"""Levels: few simulations with the learned policy play nearly as well as many, so careless turns make most levels."""

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.core.levels import Level


def levels(parameters: Mapping[str, Any]) -> Sequence[Level]:
    return (
        Level(notices=0.05),
        Level(notices=0.25),
        Level(notices=0.45),
        Level(60, careless=0.5, notices=0.3),
        Level(60, careless=0.25, notices=0.3),
        Level(60),
        Level(300),
    )
