"""A game's heuristics one by one, over records held in arrays: what agents call. Bind it with `heuristics` as the policy."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, Records, Words

if TYPE_CHECKING:
    from ludoteca.core.contract import action_values, playout_action


def choose_by_policy(states: Records, rng: Words) -> int:
    return playout_action(states[0], rng)


def value_actions(states: Records, actions: Integers, count: int, out: Integers) -> None:
    action_values(states[0], actions, count, out)
