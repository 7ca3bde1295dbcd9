"""The features of a learned value: the mover's cards, the opponent's cards, the card that was led, and the lead in points.

0 .. 7      the mover holds the card             16 .. 23    this card was led; 24: a card face down
8 .. 15     the opponent holds the card          25 .. 29    points ahead, from -2 to 2
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.contract import Integers, RawPosition, i64

from .rules import DECK, FACE_DOWN, HAND, NOTHING

LED: Final = 2 * DECK
AHEAD: Final = LED + DECK + 1
FEATURES: Final = AHEAD + 2 * HAND + 1
ACTIVE: Final = 2 * HAND + 2


def weights(parameters: Mapping[str, Any]) -> str:
    """Void ties need other weights: the player with the lower cards prefers a void game to a loss."""
    return f"ties-{parameters['ties']}"


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    n = 0
    for seat in range(2):
        held = i64(state.hands[seat])
        for card in range(DECK):
            if (held >> card) & 1:
                out[n] = card if seat == player else DECK + card
                n += 1
    led = i64(state.led)
    if led != NOTHING:
        out[n] = LED + DECK if led == FACE_DOWN else LED + led
        n += 1
    out[n] = AHEAD + HAND + i64(state.points[player]) - i64(state.points[1 - player])
    return n + 1
