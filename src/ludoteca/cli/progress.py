"""Progress bars for what takes longer than a person expects."""

import atexit
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

PATIENCE: Final = 2.0
"""The seconds before a bar is shown."""


@contextmanager
def progress(
    what: str,
    *,
    patience: float = PATIENCE,
    measured: bool = True,
    remaining: bool = False,
    console: Console | None = None,
) -> Iterator[Callable[[float], None]]:
    """Show a bar once the block has run longer than `patience`; the block is given a function to call with the share done.

    The bar is on standard error and goes away in the end; with `remaining` it says how long that will take. Where it is
    no terminal, one line says what is waited for.
    """
    bar = _Bar(what, measured, remaining, console or Console(stderr=True))
    timer = threading.Timer(patience, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        timer.join()
        bar.hide()


class _Bar:
    """A bar that the timer's thread shows, and the working thread moves and hides."""

    def __init__(self, what: str, measured: bool, remaining: bool, console: Console) -> None:
        self._console = console
        columns = (BarColumn(), TaskProgressColumn()) if measured else ()
        text = TextColumn("{task.description}", markup=False)
        left = (TextColumn("left"), TimeRemainingColumn()) if remaining else ()
        self._progress = Progress(text, *columns, TimeElapsedColumn(), *left, console=console, transient=True)
        self._what = what
        self._task = self._progress.add_task(what, total=1.0)

    def show(self) -> None:
        if self._console.is_terminal:
            atexit.register(self._console.show_cursor)  # a signal may end the program while the bar hides the cursor
            self._progress.start()
        else:
            self._console.print(f"{self._what} ...", markup=False, soft_wrap=True)

    def update(self, share: float) -> None:
        self._progress.update(self._task, completed=share)

    def hide(self) -> None:
        if self._console.is_terminal and self._progress.live.is_started:
            self._progress.stop()
            atexit.unregister(self._console.show_cursor)
