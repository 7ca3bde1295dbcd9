"""A value for any game of three in which each player can win."""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.contract import Integers, RawPosition
from tests.search import unfair

FEATURES: Final = 3
ACTIVE: Final = 1


def weights(parameters: Mapping[str, Any]) -> str:
    return unfair.weights(parameters)


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    out[0] = player
    return 1
