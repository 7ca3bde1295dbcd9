"""A game's heuristics one by one, over raw positions in arrays. Bind it with `heuristics` as the policy."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.contract import action_values, opponent_action, playout_action


def choose_by_policy(states: RawPositions, rng: Words) -> int:
    return playout_action(states[0], rng)


def choose_for_opponent(states: RawPositions, rng: Words) -> int:
    return opponent_action(states[0], rng)


def value_actions(states: RawPositions, actions: Integers, count: int, out: Integers) -> None:
    action_values(states[0], actions, count, out)
