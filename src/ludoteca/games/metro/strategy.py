"""Where the next tile goes, for `pick_move`: games are played at random to the end from every place it may have.

The places that did best get more games, half as many of them in every fifth of the time (sequential halving). The games are
compiled, and there is no interpreted way, which would be 200 times slower: the first call on a machine compiles for about
five seconds, the first one of a process loads what was compiled in half a second; `prepare` does so beforehand.
"""

from functools import cache
from time import perf_counter
from typing import Final

import numpy as np

from ludoteca.core import native
from ludoteca.core.contract import Integers, Record, Records
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import rules, sampling
from ludoteca.games.metro.actions import action_of
from ludoteca.games.metro.bits import members_of
from ludoteca.games.metro.board import WORD, WORDS
from ludoteca.games.metro.tiles import FACE_OF, SIDES

SECONDS: Final = 0.025
"""For one choice; with what comes before and after, and the last round begun, it stays under 0.05."""
HALVINGS: Final = 5
"""How often the number of places is halved in that time."""
GAMES: Final = 200
"""So many between two looks at the clock: some two thousandths of a second."""


@cache
def prepare() -> native.Binding:
    """Compile, or load what was compiled before."""
    return native.bind(rules, sampling, compiled=True)


def choose(records: Records, kind: int) -> int:
    """The action that places a tile of that kind in the game of one player; -1 when it has no place.

    `records` is the position, which is changed. Takes SECONDS, so that two calls need not choose alike.
    """
    state = records[0]
    state.mover, state.tile = 0, kind
    actions = np.array(list(_actions(state, kind)), np.int64)
    if len(actions) < 2:
        return int(actions[0]) if len(actions) else -1
    return _best(records, actions)


def _actions(state: Record, kind: int) -> list[int]:
    return [
        action_of(WORD * word + member, int(FACE_OF[kind, times]))
        for word in range(WORDS)
        for times in range(SIDES)
        for member in members_of(int(rules.fitting(state, kind, word, times)))
    ]


def _best(records: Records, actions: Integers) -> int:
    """Sequential halving: after every look at the clock the worst go, as many as the time that has passed demands."""
    sample = prepare().sample
    states = np.repeat(records, 2)
    points = np.zeros(len(actions), np.int64)
    rng = new_rng(int(records[0].free.sum()))
    left, start = len(actions), perf_counter()
    while left > 1 and (spent := (perf_counter() - start) / SECONDS) < 1:
        left = min(left, max(2, round(len(actions) * 2 ** (-HALVINGS * spent))))
        order = np.argsort(-points, kind="stable")
        actions, points = actions[order], points[order]
        points[left:] = -1
        sample(states, actions, left, max(1, GAMES // left), points, rng)
    return int(actions[np.argmax(points)])
