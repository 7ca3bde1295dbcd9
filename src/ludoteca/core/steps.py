"""The contract's functions one by one, over records held in arrays: what a `State` calls, interpreted or compiled."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, Records, Words

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


def deal_state(states: Records, rng: Words) -> None:
    deal(states[0], rng)


def player_to_move(states: Records) -> int:
    return current_player(states[0])


def list_legal(states: Records, out: Integers) -> int:
    return legal_actions(states[0], out)


def choose_random(states: Records, rng: Words) -> int:
    return random_action(states[0], rng)


def try_to_play(states: Records, action: int, legal: Integers, seen: Integers) -> bool:
    """Play the action if it is legal; False if it is not. `legal` is room for the legal actions.

    `seen` is written: the action as the spectator sees it, then as each player does. One call for all this, because a
    call from Python costs more than what it does.
    """
    state = states[0]
    for i in range(legal_actions(state, legal)):
        if legal[i] == action:
            for seat in range(len(seen)):
                seen[seat] = seen_action(state, action, seat - 1)
            apply(state, action)
            return True
    return False


def has_ended(states: Records) -> bool:
    return is_terminal(states[0])


def count_scores(states: Records, out: Integers) -> None:
    scores(states[0], out)


def winning_set(states: Records) -> int:
    return winners(states[0])


def make_view(states: Records, player: int, views: Records) -> None:
    conceal(states[0], player, views[0])


def deal_again(states: Records, player: int, rng: Words) -> None:
    redeal(states[0], player, rng)


def as_seen(states: Records, action: int, player: int) -> int:
    return seen_action(states[0], action, player)
