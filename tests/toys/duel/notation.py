"""The notation of Duel: `3` plays a card open, `3?` face down (`?` for others), `x` gives up. A position has all fields."""

import re

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import Message
from ludoteca.core.reading import read_parts
from ludoteca.core.words import quoted

from .rules import CONCEDE, DECK, SOME_CARD, STATE


def action_to_string(state: RawPosition, action: int) -> str:
    if action == CONCEDE:
        return "x"
    if action == SOME_CARD:
        return "?"
    return f"{action % DECK}{'?' if action >= DECK else ''}"


def string_to_action(state: RawPosition, text: str) -> int:
    if text == "x":
        return CONCEDE
    if not re.fullmatch(r"[0-7]\??", text):
        raise NotationError(("unread.card", quoted(text)), __package__)
    return int(text[0]) + DECK * (len(text) - 1)


def refusal(state: RawPosition, action: int) -> Message:
    return ("refused.card", action % DECK) if 0 <= action < CONCEDE else ("refused.number", action)


def position_to_string(state: RawPosition) -> str:
    values = (getattr(state, name) for name in STATE.names or ())
    return " ".join(str(value) if isinstance(value, int) else ",".join(map(str, value.tolist())) for value in values)


def string_to_position(state: RawPosition, text: str) -> None:
    names = STATE.names or ()
    for name, part in zip(names, read_parts(text, *names), strict=True):
        try:
            values = [int(value) for value in part.split(",")]
            state[name] = values if STATE[name].shape else values[0]
        except (ValueError, OverflowError):
            raise NotationError(f"{name}: read {quoted(part)}, expected numbers with commas between them") from None
