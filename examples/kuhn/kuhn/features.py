"""Kuhn poker as numbers for a learner: the observer's card, and the chips."""

from collections.abc import Mapping
from typing import Any

from ludoteca.core.contract import Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import FeatureLayout

from .rules import BET, CARDS, PASS, is_terminal


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    numbers = ("own chips, of 2", "the other's chips, of 2", "own turn", "actions so far, of 3")
    return FeatureLayout(("own card",), 1, CARDS, numbers, 2)


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """A spectator has no card. The first player's chips come first."""
    if player >= 0:
        planes[index(i64(state.cards[player]) - 1)] = 1
    first = max(player, i64(0))
    numbers[0], numbers[1] = i64(state.chips[first]) / 2, i64(state.chips[1 - first]) / 2
    numbers[2] = 1 if i64(state.mover) == player else 0
    numbers[3] = i64(state.played) / 3


def action_mask(state: RawPosition, out: Bytes) -> None:
    if not is_terminal(state):
        out[PASS], out[BET] = 1, 1


def encode_action(state: RawPosition, action: int) -> int:
    return i64(action)


def decode_action(state: RawPosition, number: int) -> int:
    return i64(-1) if is_terminal(state) else i64(number)
