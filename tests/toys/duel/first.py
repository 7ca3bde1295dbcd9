"""A policy: the lowest card, open."""

from ludoteca.core.contract import RawPosition, Words, i64

from .rules import DECK


def playout_action(state: RawPosition, rng: Words) -> int:
    hand = i64(state.hands[state.mover])
    for card in range(DECK):
        if (hand >> card) & 1:
            return i64(card)
    return i64(-1)
