"""Heuristics of Duel by which every opponent lays the lowest card face down."""

from duel.rules import DECK
from ludoteca.core.bits import first
from ludoteca.core.contract import Integers, RawPosition, Words, i64


def playout_action(state: RawPosition, rng: Words) -> int:
    return opponent_action(state, rng)


def opponent_action(state: RawPosition, rng: Words) -> int:
    return DECK + first(i64(state.hands[state.mover]))


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    for i in range(count):
        out[i] = 0
