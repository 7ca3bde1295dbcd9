"""Plays random games to estimate the points that each place for a tile will bring, in the game of one player.

The estimate for a place is the mean score of games in which the tile is placed there and the next tiles are random.
`strategy`, which chooses a place, calls this module. The functions are compiled.
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
    """Write the heuristic values of the first `count` actions in the position `states[0]` to `points`, without playing
    games.
    """
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
    """Play `rounds` rounds of random games from the position `states[0]`. A round has one game for each of the first `count`
    actions. Add the points of each action's games to its entry in `points`, in units of 1 / PARTS of a point.

    The tiles to come are random in each round, but all actions of a round get the same tiles, so that luck has less effect
    on the differences between actions. With a learned value, a game ends after `cut` more tiles, and the value predicts the
    rest of the points. `states[1]` and `active` are working memory for the games and for features.
    """
    state = states[1]
    cut = i64(cut) if learned_for(states[0]) else i64(-1)
    for _ in range(rounds):
        redeal(states[0], i64(0), rng)
        for i in range(count):
            states[1] = states[0]
            points[i] += _play_on(state, i64(actions[i]), cut, active, rng)


def _play_on(state: RawPosition, action: int, cut: int, active: Integers, rng: Words) -> int:
    """Place a tile by an action, and the next tiles by the playout policy. Return the points of the game, in units of 1 /
    PARTS of a point.

    After `cut` more tiles the learned value predicts the rest of the points. If `cut` is -1, the game is played to its end.
    """
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
