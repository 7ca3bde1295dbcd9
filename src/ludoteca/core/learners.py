"""A game's features one by one, over raw positions in arrays, for `core.features`. Bind it with the features."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Bytes, Floats, RawPositions

if TYPE_CHECKING:
    from ludoteca.core.contract import action_mask, decode_action, encode_action, observe


def observe_in(states: RawPositions, player: int, planes: Bytes, numbers: Floats) -> None:
    observe(states[0], player, planes, numbers)


def action_mask_in(states: RawPositions, out: Bytes) -> None:
    action_mask(states[0], out)


def encode_action_in(states: RawPositions, action: int) -> int:
    return encode_action(states[0], action)


def decode_action_in(states: RawPositions, number: int) -> int:
    return decode_action(states[0], number)
