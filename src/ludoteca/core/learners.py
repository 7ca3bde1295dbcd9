"""The functions of a game's `features.py` one by one, for positions in arrays. `core.features` binds this module to the
game's features, and gives the functions a simpler form.
"""

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
