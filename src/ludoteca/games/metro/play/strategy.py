"""Where the next tile goes, for `pick_move`: games are played on from the places for it that look best.

Half of the places, those that did best, go on to the next round, and each round has as many games as the others (sequential
halving). In the games every tile goes to the place that looks best, and after a few tiles the learned value says how they
would end, see `value`; on boards for which nothing was learned, to the best of a few random places, until the end. Nothing
depends on the clock: in the same position the same number of games chooses the same place.

The games are compiled: the first call on a machine compiles for some seconds, the first one of a process loads what was
compiled in half a second. `prepare` does so beforehand; `is_ready` begins it in the background, so that no program waits for
a compiler. A process that compiles holds a lock beside the compiled code, by which others see that it does. It does not end
before the compiler has, so that the next process need not begin anew.
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
"""So many places, those that the learned value promises most for, are looked at."""
CUT: Final = 4
"""So many tiles are laid in a game before the learned value is asked."""
_LOCK: Final = "metro-compiles.lock"
_LOOK: Final = 0.02
"""Seconds between two looks at whether another process compiles."""
_compiles: Final = Event()
"""Set when this process does."""


def choose(position: Position, kind: int, tries: int) -> int:
    """The action that places a tile of that kind in the game of one player; -1 when it has no place.

    The position is changed. `tries` is the number of games that are played, about; with 0 the choice is
    what `heuristics` values most, for which nothing is compiled.
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
    """Compile, or load what was compiled before."""
    return native.bind(native.Modules(rules, sampling, heuristics, value=value), compiled=True)


def is_ready() -> bool:
    """Tell if games can be played at once: True when the machine code is there, False while it is being compiled.

    It waits while the code is being loaded. The first call begins. Raises what `prepare` raises.
    """
    future = _begun()
    while not future.done():
        if _compiles.is_set() or _another_compiles():
            return False
        wait([future], _LOOK)
    future.result()
    return True


@cache
def _begun() -> "Future[native.Binding]":
    """`prepare` in a thread, for which the interpreter waits before it ends."""
    return ThreadPoolExecutor(1).submit(_prepared)


def _prepared() -> native.Binding:
    from numba.core import event

    lock = FileLock(codecache.root() / _LOCK)

    class Listener(event.Listener):
        """Numba calls it when it compiles a part, and not when it loads one."""

        def on_start(self, event: object) -> None:  # noqa: ARG002
            if not _compiles.is_set():
                _compiles.set()
                with suppress(OSError, NotImplementedError):  # where no lock can be had, only this process knows
                    lock.acquire()

        def on_end(self, event: object) -> None:
            """The lock is held to the end of the last part."""

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
    except (OSError, NotImplementedError):  # no lock can be had there
        return False
