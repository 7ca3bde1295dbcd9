"""The functions of a game's heuristics one by one, for positions in arrays. Agents bind this module to the game's module
`heuristics` (as the policy, see `core.native`).
"""

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
