"""Games of one player from a position on, played at random: a kernel for `strategy`, bound to the rules like others."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPositions, Words, i64
from ludoteca.games.metro.board import FACE, FACE_BITS
from ludoteca.games.metro.rules import begin_turn, place, take_tile

if TYPE_CHECKING:
    from ludoteca.core.contract import is_terminal, playout_action, redeal


def sample(states: RawPositions, actions: Integers, count: int, rounds: int, points: Integers, rng: Words) -> None:
    """Play rounds of games from `states[0]`, in each one game for each of the first `count` actions; add up the points.

    `states[0]` has the tile that is next; `states[1]` is room for the games. The tiles to come are drawn anew for every
    round and are the same for all actions in it, so that less of the difference between actions is due to chance.
    """
    state = states[1]
    for _ in range(rounds):
        redeal(states[0], i64(0), rng)
        for i in range(count):
            states[1] = states[0]
            action = i64(actions[i])
            while True:
                place(state, action >> FACE_BITS, action & FACE)
                state.hands[0] = take_tile(state)
                begin_turn(state, i64(0))
                if is_terminal(state):
                    break
                action = playout_action(state, rng)
            points[i] += state.points[0]
