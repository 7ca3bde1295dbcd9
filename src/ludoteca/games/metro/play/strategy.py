"""Chooses a place for the next tile in the game of one player, for the predicate `pick_move`: it plays random games from
each promising place, and takes the place with the best mean score.

The games are played in rounds. After each round only the better half of the places remains, and all rounds have the same
number of games (sequential halving). In the games, each tile is placed by the learned value (`value`), which also estimates
the result after a few tiles. Without a learned value, each tile goes to the best of a few random places, until the end. The
clock has no influence, so in the same position the same number of games chooses the same place.

The games are compiled. The first call on a machine compiles for some seconds, and the first call of a process loads the
compiled code in half a second. `prepare` does this in advance, and `is_ready` starts it in the background, so that no
program waits for a compiler. A process that compiles holds a file lock next to the compiled code, which other processes
check. It does not end before the compiler has finished, so that the next process need not begin again.
"""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from threading import Event
from typing import Final

import numpy as np
from filelock import FileLock, Timeout

from ludoteca.core import codecache, native
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import rules
from ludoteca.games.metro.board import WORDS, action_of, spaces_in
from ludoteca.games.metro.play import heuristics, sampling, value
from ludoteca.games.metro.play.value import learned_for
from ludoteca.games.metro.tiles import FACE_OF, SIDES

WIDTH: Final = 16
"""The number of places from which games are played: those with the highest learned values."""
CUT: Final = 4
"""The number of further tiles in a game before the learned value estimates its result."""
_LOCK: Final = "metro-compiles.lock"
_LOOK_EVERY_SECONDS: Final = 0.02
"""The time between two checks whether another process compiles."""
_compiles: Final = Event()
"""Set while this process compiles."""


def choose(position: Position, kind: int, tries: int) -> int:
    """Return the action that places a tile of a kind in the game of one player, or -1 if there is no legal place for it.

    The position is changed. `tries` is the approximate number of games to play. If it is 0, no games are played and nothing
    is compiled: the action is the one with the highest value by the heuristics.
    """
    state = position.raw
    state.mover, state.tile = 0, kind
    places = [
        action_of(space, int(FACE_OF[kind, times]))
        for times in range(SIDES)
        for space in spaces_in(int(rules.fitting(state, kind, word, times)) for word in range(WORDS))
    ]
    actions, left = np.array(places, np.int64), len(places)
    if left < 2:
        return places[0] if places else -1
    points = np.zeros(left, np.int64)
    if not tries:
        heuristics.action_values(state, actions, left, points)
        return places[int(np.argmax(points))]
    kernel = prepare()
    states, rng = np.repeat(position.array, 2), new_rng(int(state.free.sum()))
    active = np.zeros(value.ACTIVE, np.int64)
    if learned_for(state):
        kernel.promise(states, actions, left, points)
        actions = actions[np.argsort(-points, kind="stable")[:WIDTH]]
        left = len(actions)
        points[:] = 0
    halvings = (left - 1).bit_length()
    for _ in range(halvings):
        kernel.sample(states, actions, left, max(1, tries // (halvings * left)), CUT, active, points, rng)
        order = np.argsort(-points[:left], kind="stable")
        actions[:left], points[:left] = actions[order], points[order]
        left = (left + 1) // 2
    return int(actions[0])


# The machine code


@cache
def prepare() -> native.Binding:
    """Return the compiled functions that play games. Compile them, or load them if they were compiled before."""
    return native.bind(native.Modules(rules, sampling, heuristics, value=value), compiled=True)


def is_ready() -> bool:
    """Return True if the machine code can be used, and False while this process or another one compiles it.

    The first call starts the compilation in the background. If the code exists already, the call waits until it is loaded,
    which takes half a second. Raises the errors of `prepare`.
    """
    future = _begun()
    while not future.done():
        if _compiles.is_set() or _another_compiles():
            return False
        wait([future], _LOOK_EVERY_SECONDS)
    future.result()
    return True


@cache
def _begun() -> "Future[native.Binding]":
    """Run `prepare` in a thread, once in a process. The interpreter waits for the thread before it ends."""
    return ThreadPoolExecutor(1).submit(_prepared)


def _prepared() -> native.Binding:
    from numba.core import event

    lock = FileLock(codecache.root() / _LOCK)

    class Listener(event.Listener):
        """Holds the lock from the first compilation on. Numba calls it for each function that it compiles, but not for
        functions that it loads.
        """

        def on_start(self, event: object) -> None:  # noqa: ARG002
            if not _compiles.is_set():
                _compiles.set()
                with suppress(OSError, NotImplementedError):  # without a lock only this process knows
                    lock.acquire()

        def on_end(self, event: object) -> None:
            """Do nothing, because the lock is held until the last function is compiled."""

    with event.install_listener("numba:compile", Listener()):
        try:
            return prepare()
        finally:
            lock.release()


def _another_compiles() -> bool:
    path = codecache.root() / _LOCK
    if not path.exists():
        return False
    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):  # this folder allows no locks
        return False
