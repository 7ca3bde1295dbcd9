"""The functions of a game's rules one by one, for positions in arrays. `core.position` calls them through a binding
(`core.native`), interpreted or compiled.

This is a generic module, which cannot define names of the contract, so each function has the name of a rule and `_in`:
`scores_in(states, out)` calls `scores` for `states[0]`.
"""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        apply,
        conceal,
        current_player,
        deal,
        is_terminal,
        legal_actions,
        random_action,
        redeal,
        scores,
        seen_action,
        winners,
    )


def deal_in(states: RawPositions, rng: Words) -> None:
    deal(states[0], rng)


def current_player_in(states: RawPositions) -> int:
    return current_player(states[0])


def legal_actions_in(states: RawPositions, out: Integers) -> int:
    return legal_actions(states[0], out)


def random_action_in(states: RawPositions, rng: Words) -> int:
    return random_action(states[0], rng)


def apply_in(states: RawPositions, action: int, legal: Integers, seen: Integers) -> bool:
    """Play the action in states[0] and return True, or return False without a change if the action is not legal.

    `legal` is working memory with room for MAX_LEGAL actions. `seen` receives the action as the spectator sees it, and then
    as each player sees it. One function does all of this, because a call from Python to compiled code takes longer than the
    work.
    """
    state = states[0]
    for i in range(legal_actions(state, legal)):
        if legal[i] == action:
            for seat in range(len(seen)):
                seen[seat] = seen_action(state, action, seat - 1)
            apply(state, action)
            return True
    return False


def is_terminal_in(states: RawPositions) -> bool:
    return is_terminal(states[0])


def scores_in(states: RawPositions, out: Integers) -> None:
    scores(states[0], out)


def winners_in(states: RawPositions) -> int:
    return winners(states[0])


def conceal_in(states: RawPositions, player: int, views: RawPositions) -> None:
    conceal(states[0], player, views[0])


def redeal_in(states: RawPositions, player: int, rng: Words) -> None:
    redeal(states[0], player, rng)


def seen_action_in(states: RawPositions, action: int, player: int) -> int:
    return seen_action(states[0], action, player)
