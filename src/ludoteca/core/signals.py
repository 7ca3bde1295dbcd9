"""Delays signals, such as the one of Ctrl-C, during work that must not be interrupted, such as compiling with LLVM."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_SIGNALS: Final = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)
_BLOCKS: Final[list[Callable[[], None]]] = []
"""For each `deferred` block of the main thread, the innermost last: the function that handles its delayed signals."""


@contextmanager
def deferred() -> Iterator[None]:
    """Delay signals inside a `with` block until `deliver` is called or the block ends. It affects only signals that have
    handlers in Python.

    While LLVM compiles, it calls Python functions. If a signal handler raised an exception in one of them, the exception and
    the work would be lost. In an import, it would leave an incomplete module. In other threads than the main thread the
    block has no effect, because Python handles signals in the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}
    arrived: list[int] = []

    def handle_arrived() -> None:
        while arrived:
            number = arrived.pop(0)
            handlers[number](number, None)

    for number in handlers:
        signal.signal(number, lambda number, _: arrived.append(number))
    _BLOCKS.append(handle_arrived)
    try:
        yield
    finally:
        _BLOCKS.pop()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    handle_arrived()


def deliver() -> None:
    """Handle the signals that the innermost `deferred` block has delayed. Outside a block, and in other threads than the
    main thread, this does nothing.
    """
    if _BLOCKS and threading.current_thread() is threading.main_thread():
        _BLOCKS[-1]()
