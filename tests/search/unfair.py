"""A value for any game: each player's own number is active, but the last player counts as lost from the beginning."""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.contract import Integers, RawPosition

FEATURES: Final = 3
ACTIVE: Final = 1
LAST: Final = 2


def weights(parameters: Mapping[str, Any]) -> str:
    return "unfair" if parameters["players"] == LAST + 1 else ""


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    if player == LAST:
        return -1
    out[0] = player
    return 1
