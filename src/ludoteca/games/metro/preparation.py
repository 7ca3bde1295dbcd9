"""The machine code of `strategy`, compiled or loaded in the background, so that no program waits for a compiler.

A process that compiles holds a lock beside the compiled code, by which others see that it does. It does not end before the
compiler has, so that the next process need not begin anew.
"""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from threading import Event
from typing import Final

from filelock import FileLock, Timeout

from ludoteca.core import codecache
from ludoteca.core.native import Binding
from ludoteca.games.metro import strategy

_LOCK: Final = "metro-compiles.lock"
_LOOK: Final = 0.02
"""Seconds between two looks at whether anybody compiles."""
_compiles: Final = Event()
"""Set when this process does."""


def is_ready() -> bool:
    """Whether games can be played at once: True when the machine code is there, False while it is being compiled.

    Waits as long as it is being loaded. The first call begins. Raises what `strategy.prepare` raises.
    """
    future = _begun()
    while not future.done():
        if _compiles.is_set() or _another_compiles():
            return False
        wait([future], _LOOK)
    future.result()
    return True


@cache
def _begun() -> "Future[Binding]":
    """The interpreter does not end before the executor's thread does."""
    return ThreadPoolExecutor(1).submit(_prepared)


def _prepared() -> Binding:
    from numba.core import event

    lock = FileLock(codecache.root() / _LOCK)

    class Listener(event.Listener):
        """Numba tells it when it begins to compile a part, and not when it loads one."""

        def on_start(self, event: object) -> None:  # noqa: ARG002
            if not _compiles.is_set():
                _compiles.set()
                with suppress(OSError, NotImplementedError):  # where no lock can be had, only this process knows
                    lock.acquire()

        def on_end(self, event: object) -> None:
            """The lock is held to the end of the last part."""

    with event.install_listener("numba:compile", Listener()):
        try:
            return strategy.prepare()
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
