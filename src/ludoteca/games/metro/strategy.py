"""Where the next tile goes, for `pick_move`: games are played to the end from every place it may have.

Half of the places, those that did best, go on to the next round, and each round has as many games as the others (sequential
halving). In the games every tile goes to the best of a few random places, see `heuristics`: that is worth three times the
time of games at random. They are compiled: the first call on a machine compiles for some seconds, the first one of a process
loads what was compiled in half a second; `prepare` does so beforehand, and `preparation` in the background.

Nothing depends on the clock: in the same position the same number of games chooses the same place.
"""

from functools import cache

import numpy as np

from ludoteca.core import native
from ludoteca.core.contract import Integers, RawPosition
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import heuristics, rules, sampling
from ludoteca.games.metro.actions import action_of
from ludoteca.games.metro.bits import members_of
from ludoteca.games.metro.board import WORD, WORDS
from ludoteca.games.metro.tiles import FACE_OF, SIDES


@cache
def prepare() -> native.Binding:
    """Compile, or load what was compiled before."""
    return native.bind(rules, sampling, heuristics, compiled=True)


def choose(position: Position, kind: int, tries: int) -> int:
    """The action that places a tile of that kind in the game of one player; -1 when it has no place.

    The position is changed. `tries` is the number of games that are played, about; with 0 the choice is
    what `heuristics` values most, for which nothing is compiled.
    """
    state = position.raw
    state.mover, state.tile = 0, kind
    actions = np.array(list(_actions(state, kind)), np.int64)
    if len(actions) < 2:
        return int(actions[0]) if len(actions) else -1
    return _best(position, actions, tries) if tries else _most_valued(state, actions)


def _actions(state: RawPosition, kind: int) -> list[int]:
    return [
        action_of(WORD * word + member, int(FACE_OF[kind, times]))
        for word in range(WORDS)
        for times in range(SIDES)
        for member in members_of(int(rules.fitting(state, kind, word, times)))
    ]


def _most_valued(state: RawPosition, actions: Integers) -> int:
    values = np.zeros(len(actions), np.int64)
    heuristics.action_values(state, actions, len(actions), values)
    return int(actions[np.argmax(values)])


def _best(position: Position, actions: Integers, tries: int) -> int:
    """Sequential halving."""
    sample = prepare().sample
    states = np.repeat(position.array, 2)
    points = np.zeros(len(actions), np.int64)
    rng = new_rng(int(position.raw.free.sum()))
    left = len(actions)
    halvings = (left - 1).bit_length()
    for _ in range(halvings):
        sample(states, actions, left, max(1, tries // (halvings * left)), points, rng)
        order = np.argsort(-points[:left], kind="stable")
        actions, points = actions[order], points[order]
        left = (left + 1) // 2
    return int(actions[0])
