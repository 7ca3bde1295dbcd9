"""The notation of Kuhn poker: `pass` and `bet`. A position is the cards, the chips, the number of actions and the mover."""

import re

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import Message
from ludoteca.core.words import quoted

WORDS = ("pass", "bet")


def action_to_string(state: RawPosition, action: int) -> str:
    return WORDS[action]


def string_to_action(state: RawPosition, text: str) -> int:
    if text not in WORDS:
        raise NotationError(f"{quoted(text)} is no move: expected {' or '.join(WORDS)}")
    return WORDS.index(text)


def refusal(state: RawPosition, action: int) -> Message:
    return "refused", action


def position_to_string(state: RawPosition) -> str:
    return "{}{} {}{} {} {}".format(*state.cards, *state.chips, state.played, state.mover)


def string_to_position(state: RawPosition, text: str) -> None:
    found = re.fullmatch(r"([0-3])([0-3]) ([12])([12]) ([0-3]) (0|1|-4)", text)
    if not found:
        raise NotationError(f"{quoted(text)} is no position: expected cards, chips, played, mover, as in '31 12 1 1'")
    *pairs, state.played, state.mover = map(int, found.groups())
    state.cards, state.chips = pairs[:2], pairs[2:]
