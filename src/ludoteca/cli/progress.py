"""Progress bars for commands that take more than a moment."""

import atexit
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the modules of commands import this one, also for wrong values
    from ludoteca.core.native import Binding
    from ludoteca.core.spec import GameSpec

SHOW_AFTER_SECONDS: Final = 1.0


@contextmanager
def progress(
    what: str, *, measured: bool = True, remaining: bool = False, count: int | None = None
) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on stderr if the `with` block runs for longer than SHOW_AFTER_SECONDS. `what` is its text.

    The block gets a function, which it calls with the finished share of its work, from 0 to 1. If `measured` is false, no
    share is shown. With `remaining`, the bar shows an estimate of the time left. With `count`, it shows how many of so many
    items are done instead of the share. The bar disappears at the end of the block. If stderr is not a terminal, a single
    line is printed instead.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console, total = Console(stderr=True), count or 1
    share = TextColumn("{task.completed:.0f} of {task.total}") if count else TaskProgressColumn()
    columns = (BarColumn(), share) if measured else ()
    text = TextColumn("{task.description}", markup=False)
    left = (TextColumn("left"), TimeRemainingColumn()) if remaining else ()
    bar = Progress(text, *columns, TimeElapsedColumn(), *left, console=console, transient=True)
    task = bar.add_task(what, total=total)

    def show() -> None:
        if console.is_terminal:
            atexit.register(console.show_cursor)  # a signal can end the program while the bar hides the cursor
            bar.start()
        else:
            console.print(f"{what} ...", markup=False, soft_wrap=True)

    timer = threading.Timer(SHOW_AFTER_SECONDS, show)
    timer.daemon = True
    timer.start()
    try:
        yield lambda share: bar.update(task, completed=share * total)
    finally:
        timer.cancel()
        timer.join()
        if console.is_terminal and bar.live.is_started:
            bar.stop()
            atexit.unregister(console.show_cursor)


def compile_with_progress(spec: "GameSpec", bindings: Sequence["Binding"]) -> None:
    """Compile functions of a game (its bindings) that are not compiled yet. If this takes long, show a progress bar with an
    estimate of the time left.
    """
    from ludoteca.core.native import compile_all, is_compiled

    if not all(map(is_compiled, bindings)):
        with progress(f"Compiling the rules of {spec.title}, only this time", remaining=True) as watch:
            compile_all(bindings, watch)
