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
    """Show a bar on stderr if the block runs longer than SHOW_AFTER_SECONDS.

    The block receives a function, and calls it with the share of its work that is done. With `remaining`, the bar shows the
    time that is left. With `count`, it shows how many of these items are done instead of the share. It disappears at the
    end. Without a terminal it is a single line.
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
    """Compile the bindings of a game. If that takes long, show a bar and an estimate. Bindings that are compiled already
    take no time.
    """
    from ludoteca.core.native import compile_all, is_compiled

    if not all(map(is_compiled, bindings)):
        with progress(f"Compiling the rules of {spec.title}, only this time", remaining=True) as watch:
            compile_all(bindings, watch)
