"""Progress bars for commands that take more than a moment."""

import atexit
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ludoteca.core.native import Binding, compile_all, is_compiled
from ludoteca.core.spec import GameSpec

SHOW_AFTER_SECONDS: Final = 1.0


@contextmanager
def progress(
    what: str, *, measured: bool = True, remaining: bool = False, count: int | None = None
) -> Iterator[Callable[[float], None]]:
    """Show a bar on standard error if the block runs longer than SHOW_AFTER_SECONDS.

    The block receives a function to call with the share of its work that is done. With `remaining`, the bar shows the time
    that is left. With `count`, it shows how many of these items are done instead of the share. It disappears at the end.
    Without a terminal it is a single line.
    """
    bar = _Bar(what, measured, remaining, count)
    timer = threading.Timer(SHOW_AFTER_SECONDS, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        timer.join()
        bar.hide()


def compile_with_progress(spec: GameSpec, bindings: Sequence[Binding]) -> None:
    """Compile the bindings of a game, with a bar and an estimate if that takes long. Compiled ones take no time."""
    if not all(map(is_compiled, bindings)):
        with progress(f"Compiling the rules of {spec.title}, only this time", remaining=True) as watch:
            compile_all(bindings, watch)


class _Bar:
    """A bar that the timer's thread shows, and the working thread moves and hides."""

    def __init__(self, what: str, measured: bool, remaining: bool, count: int | None) -> None:
        self._console = Console(stderr=True)
        share = TextColumn("{task.completed:.0f} of {task.total}") if count else TaskProgressColumn()
        columns = (BarColumn(), share) if measured else ()
        text = TextColumn("{task.description}", markup=False)
        left = (TextColumn("left"), TimeRemainingColumn()) if remaining else ()
        self._progress = Progress(text, *columns, TimeElapsedColumn(), *left, console=self._console, transient=True)
        self._what = what
        self._total = count or 1
        self._task = self._progress.add_task(what, total=self._total)

    def show(self) -> None:
        if self._console.is_terminal:
            atexit.register(self._console.show_cursor)  # a signal can end the program while the bar hides the cursor
            self._progress.start()
        else:
            self._console.print(f"{self._what} ...", markup=False, soft_wrap=True)

    def update(self, share: float) -> None:
        self._progress.update(self._task, completed=share * self._total)

    def hide(self) -> None:
        if self._console.is_terminal and self._progress.live.is_started:
            self._progress.stop()
            atexit.unregister(self._console.show_cursor)
