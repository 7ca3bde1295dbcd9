"""The features of a learned policy: each action alone, and each action with the led card."""

from typing import Final

from ludoteca.core.contract import Integers, RawPosition, i64

from .heuristics import action_values as action_values
from .rules import CONCEDE, DECK, FACE_DOWN, legal_actions

KINDS: Final = 2 * DECK
LEDS: Final = DECK - FACE_DOWN
FEATURES: Final = KINDS * (1 + LEDS)
ACTIVE: Final = 2
BEFORE: Final = "heuristics"


def list_options(state: RawPosition, actions: Integers, active: Integers) -> int:
    n, kept = legal_actions(state, actions), i64(0)
    for i in range(n):
        action = i64(actions[i])
        if action != CONCEDE:
            actions[kept] = action
            active[ACTIVE * kept] = action
            active[ACTIVE * kept + 1] = KINDS * (1 + i64(state.led) - FACE_DOWN) + action
            kept += 1
    return kept


def option_of(state: RawPosition, action: int, actions: Integers, count: int) -> int:
    for i in range(count):
        if actions[i] == action:
            return i64(i)
    return i64(-1)
