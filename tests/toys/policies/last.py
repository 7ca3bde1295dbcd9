"""A policy for Duel: the highest card, face down."""

from duel.rules import DECK
from ludoteca.core.contract import RawPosition, Words, i64


def playout_action(state: RawPosition, rng: Words) -> int:
    hand = i64(state.hands[state.mover])
    for card in range(DECK - 1, -1, -1):
        if (hand >> card) & 1:
            return DECK + i64(card)
    return i64(-1)
