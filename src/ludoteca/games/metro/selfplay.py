"""Games of one player who takes the best place by what is learned, and learning from them (`learning`). Compiled.

The tile that comes next is not known when a place is chosen, so what is valued is the position after the tile was laid
(Sutton and Barto, "Reinforcement Learning", 2nd edition, 6.8). After a game the weights of all its positions are moved
towards their lambda-returns (12.1).
"""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Floats, Integers, RawPositions, Words, i64, index
from ludoteca.games.metro.afterstates import best_place
from ludoteca.games.metro.board import FACE, FACE_BITS
from ludoteca.games.metro.rules import begin_turn, place, take_tile
from ludoteca.games.metro.value import ACTIVE, INNER, UNPAID

if TYPE_CHECKING:
    from ludoteca.core.contract import active_features, is_terminal, redeal


def play_and_learn(
    states: RawPositions,
    weights: Floats,
    active: Integers,
    counts: Integers,
    expected: Floats,
    games: int,
    step: float,
    trace: float,
    rng: Words,
) -> int:
    """Play games from `states[0]`, an empty board, in `states[1]`, and learn from each; return the sum of their points.

    `active` has room for ACTIVE features of each position of a game, `counts` and `expected` for a number of each; `trace`
    is lambda. A position's sum moves by about `step` of its error; the weights of tracks that are not paid stay as they are.
    """
    state, total = states[1], i64(0)
    for _ in range(games):
        states[1] = states[0]
        redeal(state, i64(0), rng)
        moves = i64(0)
        while True:
            state.hands[0] = take_tile(state)
            begin_turn(state, i64(0))
            if is_terminal(state):
                break
            action = best_place(state, weights, i64(1))
            place(state, action >> FACE_BITS, action & FACE)
            first = moves * ACTIVE
            counts[moves] = active_features(state, i64(0), active[first:])
            worth = float(state.points[0])
            for i in range(first, first + counts[moves]):
                worth += weights[index(active[i])]
            expected[moves] = worth
            moves += 1
        total += i64(state.points[0])
        wanted = float(state.points[0])
        for move in range(moves - 1, -1, -1):
            first, error = move * ACTIVE, wanted - expected[move]
            change = step * error / (counts[move] + 10)
            for i in range(first, first + counts[move]):
                if not UNPAID <= active[i] < INNER:
                    weights[index(active[i])] += change
            wanted = trace * wanted + (1.0 - trace) * expected[move]
    return total
