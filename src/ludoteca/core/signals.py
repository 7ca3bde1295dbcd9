"""Signals that wait until they can be handled without harm."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_SIGNALS: Final = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)
_BLOCKS: Final[list[Callable[[], None]]] = []
"""For each `deferred` block of the main thread, the innermost last: the function that handles what it holds back."""


@contextmanager
def deferred() -> Iterator[None]:
    """Hold back signals that have handlers in Python until `deliver` is called, or the block ends.

    A handler's exception is lost, and work with it, in a function that C calls back, as LLVM does while it compiles; in
    the middle of an import it leaves half a module. Python handles signals in the main thread only.
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
    """Handle the signals that the innermost `deferred` block holds back; outside the main thread there are none."""
    if _BLOCKS and threading.current_thread() is threading.main_thread():
        _BLOCKS[-1]()
