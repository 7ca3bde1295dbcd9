"""Play greedy games in which one player has only numbered actions. `dense.py` compiles this with a game's rules."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        CONCEDE,
        action_values,
        apply,
        current_player,
        decode_action,
        encode_action,
        is_terminal,
        legal_actions,
        scores,
    )


def play_greedily(
    dealt: RawPositions,
    states: RawPositions,
    seat: int,
    rng: Words,
    actions: Integers,
    values: Integers,
    points: Integers,
    counts: Integers,
) -> int:
    """Play every dealt position to its end. The player in `seat` has only numbered actions. -1 means no player.

    Adds the points of each player to `points`, and five numbers about the positions of `seat` to `counts`: positions, legal
    actions, actions without a number, actions that share the number of another one, and positions in which no numbered
    action is as good as the best action.
    """
    state = states[0]
    for deal in range(len(dealt)):
        states[0] = dealt[deal]
        while not is_terminal(state):
            count = legal_actions(state, actions)
            action_values(state, actions, count, values)
            if current_player(state) == seat:
                best = _highest(values, count)
                count = _keep_numbered(state, actions, values, count, counts)
                counts[0] += 1
                if _highest(values, count) < best:
                    counts[4] += 1
            apply(state, _any_of_the_best(actions, values, count, rng))
        scores(state, values)
        for player in range(len(points)):
            points[player] += values[player]
    return len(dealt)


def _keep_numbered(state: RawPosition, actions: Integers, values: Integers, count: int, counts: Integers) -> int:
    """Move the numbered actions to the front, and return how many they are."""
    kept = i64(0)
    for i in range(count):
        action = i64(actions[i])
        if action != CONCEDE:
            counts[1] += 1
            number = encode_action(state, action)
            if number < 0:
                counts[2] += 1
            elif decode_action(state, number) != action:
                counts[3] += 1
            else:
                actions[kept] = action
                values[kept] = values[i]
                kept += 1
    return kept


def _highest(values: Integers, count: int) -> int:
    best = i64(values[0])
    for i in range(count):
        best = max(best, i64(values[i]))
    return best


def _any_of_the_best(actions: Integers, values: Integers, count: int, rng: Words) -> int:
    best, ties = _highest(values, count), i64(0)
    for i in range(count):
        if values[i] == best:
            ties += 1
    which = draw(rng, ties)
    for i in range(count):
        if values[i] == best:
            if which == 0:
                return i64(actions[i])
            which -= 1
    return i64(-1)
