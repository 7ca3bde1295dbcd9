"""First weights for a game's learned value: regression on how games by its heuristics ended. Bound, compiled.

A move of a game is the best by the heuristics, or now and then their playouts' choice; what is active at the beginning of
each turn is kept, with who won. `greedy_value.py` is its face.
"""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPosition, RawPositions, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.search.tree import utilities

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        CONCEDE,
        action_values,
        active_features,
        apply,
        begins_turn,
        current_player,
        deal,
        is_terminal,
        legal_actions,
        playout_action,
    )


def play(
    states: RawPositions,
    rng: Words,
    noise: int,
    legal: Integers,
    worth: Integers,
    active: Integers,
    values: Integers,
    rows: Integers,
    ends: Integers,
) -> int:
    """Play one game from states[0], which is prepared; give how many rows there are now.

    There is one row for each player, or between two for the one to move, at the beginning of each turn: the features go to
    `rows`, -1 after the last one, what the player got to `ends`, of UNITS. `noise` in 1,000 actions are those of playouts.
    """
    players, width, most = len(values), len(active), len(ends)
    state = states[1]
    states[1] = states[0]
    deal(state, rng)
    n = i64(0)
    while not is_terminal(state):
        mover = current_player(state)
        for player in range(players):
            if begins_turn(state) and (players > 2 or player == mover) and n < most:
                count = active_features(state, player, active)
                for i in range(width):
                    rows[index(n * width + i)] = active[i] if i < count else -1
                ends[index(n)] = player
                n += 1
        apply(state, playout_action(state, rng) if draw(rng, i64(1000)) < noise else _greedy(state, rng, legal, worth))
    utilities(state, values)
    for row in range(n):
        ends[index(row)] = values[index(ends[index(row)])]
    return n


def _greedy(state: RawPosition, rng: Words, legal: Integers, worth: Integers) -> int:
    """What looks best to the heuristics, any of equals."""
    count = legal_actions(state, legal)
    action_values(state, legal, count, worth)
    best, equal = i64(-1), i64(0)
    for i in range(count):
        if legal[i] != CONCEDE:
            if best < 0 or worth[i] > worth[index(best)]:
                best, equal = i64(i), i64(1)
            elif worth[i] == worth[index(best)]:
                equal += 1
                best = i64(i) if draw(rng, equal) == 0 else best
    return i64(legal[index(best)])
