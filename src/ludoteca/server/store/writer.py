"""The one thread that writes: what comes close together goes into one transaction, and whoever waits hears of it after."""

import time
from asyncio import AbstractEventLoop, Future
from collections import defaultdict
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Final

from ludoteca.server.store.errors import StoreError
from ludoteca.server.store.session import Session, Write

WINDOW: Final = 0.020
"""Seconds from the beginning of a transaction to that of the next: what comes meanwhile goes into it together.

The first after a pause is stored at once, so that a move against an agent waits for the disk alone."""
CLOSED: Final = "the store is closed, and takes nothing any more"


class Writer:
    """Takes writes from event loops, stores them in the order in which they come, and tells each how it went."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._queue: SimpleQueue[Write | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self._begun = 0.0
        self._thread = Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def put(self, write: Write) -> None:
        """Have it stored: its future is done when it is committed, or has a StoreError."""
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED)
            self._queue.put(write)

    def close(self) -> None:
        """Store what has been put so far, and end."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()
        self._session.close()

    def _run(self) -> None:
        batch: list[Write] = []
        try:
            while batch := self._next_batch():
                _tell(batch, self._session.store(batch))
        finally:  # should an error that nobody thought of end this thread, nobody waits for it in vain
            self._session.fails = True
            with self._lock:
                self._closed = True
            left = [*batch, *self._take_all()]
            _tell(left, [StoreError(CLOSED)] * len(left))

    def _next_batch(self) -> list[Write]:
        """Wait for something to store, and for the end of the window; nothing when the store is closed."""
        first = self._queue.get()
        if first is None:
            return []
        # group commit: what comes until the window ends is stored with the first; a thread of its own, so nobody is held up
        time.sleep(max(0.0, self._begun + WINDOW - time.monotonic()))
        self._begun = time.monotonic()
        return [first, *self._take_all()]

    def _take_all(self) -> list[Write]:
        taken: list[Write] = []
        with suppress(Empty):
            while (write := self._queue.get_nowait()) is not None:
                taken.append(write)
            self._queue.put(None)  # closed: what came before is stored first
        return taken


def _tell(batch: list[Write], results: list[StoreError | None]) -> None:
    """Each waits in the event loop that it came from."""
    by_loop: dict[AbstractEventLoop, list[tuple[Future[None], StoreError | None]]] = defaultdict(list)
    for write, result in zip(batch, results, strict=True):
        by_loop[write.done.get_loop()].append((write.done, result))
    for loop, pairs in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, pairs)


def _resolve(pairs: list[tuple["Future[None]", StoreError | None]]) -> None:
    for future, error in pairs:
        if future.done():  # who waited has gone
            continue
        if error:
            future.set_exception(error)
        else:
            future.set_result(None)
