"""Heuristics to which everything is worth the same."""

from ludoteca.core.contract import Integers, Record, Words


def playout_action(state: Record, rng: Words) -> int:
    return 0


def action_values(state: Record, actions: Integers, count: int, out: Integers) -> None:
    out[:count] = 7
