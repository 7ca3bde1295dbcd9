"""The features of a learned value: the cards of both players. The value is the number of chips that can still be won."""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.contract import Integers, RawPosition, i64

from .rules import CARDS

FEATURES: Final = 2 * CARDS
ACTIVE: Final = 2


def weights(parameters: Mapping[str, Any]) -> str:
    return "chips"


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    out[0] = i64(state.cards[player]) - 1
    out[1] = CARDS + i64(state.cards[1 - player]) - 1
    return 2
