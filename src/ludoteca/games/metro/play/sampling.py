"""Expected points of each place for a tile, in the game of one player. They are the mean of games with random tiles to come,
which `strategy` needs.
"""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPosition, RawPositions, Words, i64, index
from ludoteca.games.metro.board import FACE, FACE_BITS
from ludoteca.games.metro.play.afterstates import PARTS
from ludoteca.games.metro.play.heuristics import WEIGHTS
from ludoteca.games.metro.play.value import learned_for
from ludoteca.games.metro.rules import begin_turn, place, take_tile

if TYPE_CHECKING:
    from ludoteca.core.contract import action_values, active_features, is_terminal, playout_action, redeal


def promise(states: RawPositions, actions: Integers, count: int, points: Integers) -> None:
    """Write the values of the first `count` actions in `states[0]` to `points`, without a game."""
    action_values(states[0], actions, count, points)


def sample(
    states: RawPositions,
    actions: Integers,
    count: int,
    rounds: int,
    cut: int,
    active: Integers,
    points: Integers,
    rng: Words,
) -> None:
    """Play `rounds` rounds of random games from `states[0]`, with one game for each of the first `count` actions in each
    round. Add their points to `points`.

    `states[0]` has the next tile, and `states[1]` is room for the games. The tiles to come are drawn anew for each round,
    but all actions of a round get the same tiles, so that luck has less effect on the differences between actions. With a
    learned value, a game ends after `cut` more tiles, and the value predicts the rest of the points. Points are in PARTS.
    `active` is room for features.
    """
    state = states[1]
    cut = i64(cut) if learned_for(states[0]) else i64(-1)
    for _ in range(rounds):
        redeal(states[0], i64(0), rng)
        for i in range(count):
            states[1] = states[0]
            points[i] += _play_on(state, i64(actions[i]), cut, active, rng)


def _play_on(state: RawPosition, action: int, cut: int, active: Integers, rng: Words) -> int:
    """Place a tile, and the next ones by the policy. Return the points of the game, in PARTS."""
    while True:
        place(state, action >> FACE_BITS, action & FACE)
        if cut == 0:
            break
        cut -= 1
        state.hands[0] = take_tile(state)
        begin_turn(state, i64(0))
        if is_terminal(state):
            return PARTS * i64(state.points[0])
        action = playout_action(state, rng)
    expected = PARTS * i64(state.points[0])
    for i in range(active_features(state, i64(0), active)):
        expected += i64(WEIGHTS[index(active[i])])
    return expected
