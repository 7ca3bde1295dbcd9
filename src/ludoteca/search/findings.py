"""The budget of a search, its clocks and slices, and its findings."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from ludoteca.core.errors import SearchError

SLICE_SECONDS: Final = 0.004
"""The time of a slice, after which a search looks at the clock."""


def _processor_time() -> float:
    """Return the processor time of this thread in seconds. A page in a browser has no such clock, and one thread."""
    return time.thread_time() if hasattr(time, "thread_time") else time.perf_counter()


class Elapsed(NamedTuple):
    """The seconds since a stopwatch started."""

    wall: float = 0.0
    cpu: float = 0.0
    """Processor time of the thread."""


class Stopwatch:
    """Measures wall time and processor time of this thread. It starts now, at `before`."""

    def __init__(self, before: Elapsed = Elapsed()) -> None:  # noqa: B008  # it never changes
        self._wall = time.perf_counter() - before.wall
        self._cpu = _processor_time() - before.cpu

    def read(self) -> Elapsed:
        """Return the time since the start."""
        return Elapsed(time.perf_counter() - self._wall, _processor_time() - self._cpu)


class Budget(NamedTuple):
    """The limits of a search: simulations, seconds, and seconds of processor time in each thread.

    The search ends when it reaches the first of them. A second of processor time is the same amount of work on a busy
    machine as on an idle one.
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu: float | None = None

    def check(self) -> None:
        """Raise SearchError if there is no limit, or a limit of 0 or less."""
        given = {name: value for name, value in self._asdict().items() if value is not None}
        if not given or any(value <= 0 for value in given.values()):
            words = {"cpu": "seconds of processor time"}
            read = " and ".join(f"{value} {words.get(name, name)}" for name, value in given.items()) or "nothing"
            raise SearchError(f"budget: read {read}, expected more than 0")

    def left(self, elapsed: Elapsed, share: float = 1.0) -> float:
        """Return the seconds until this share of the time is over. Without a limit in time they are infinite."""
        times = ((self.seconds, elapsed.wall), (self.cpu, elapsed.cpu))
        return min((share * limit - spent for limit, spent in times if limit is not None), default=float("inf"))

    def spent(self, elapsed: Elapsed) -> float:
        """Return the share of the time that is spent."""
        times = ((self.seconds, elapsed.wall), (self.cpu, elapsed.cpu))
        return max((spent / limit for limit, spent in times if limit is not None), default=0.0)

    def seconds_between(self, begin: Elapsed, end: Elapsed) -> float:
        """Return the seconds between two readings, by the clock that the budget limits. They are more than 0."""
        counts_cpu = self.cpu is not None and self.seconds is None
        return max(end.cpu - begin.cpu if counts_cpu else end.wall - begin.wall, 1e-6)


class Pace:
    """Divides a compiled search into slices, because compiled code cannot look at the clock. It looks at the clock between
    slices.

    Work is counted in simulations or positions. The search does at most `most` of it, and uses at most `share` of the
    budget's time. `first` is the work of the first slice. `watch` is called after each slice, with the share of the budget
    that is spent.
    """

    def __init__(
        self,
        budget: Budget,
        stopwatch: Stopwatch,
        most: float,
        first: int,
        share: float = 1.0,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        self.done = 0
        """The work so far, in simulations or positions."""
        self.is_late = False
        """True if time ended the search, and not the amount of work."""
        self._budget, self._stopwatch, self._share = budget, stopwatch, share
        self._most, self._size = most, first
        self._watch = watch
        self._begin = Elapsed()

    def is_spent(self) -> bool:
        """Return True if no work or no time is left. The next slice begins with this look at the clock."""
        self._begin = self._stopwatch.read()
        self.is_late = self.done < self._most and self._budget.left(self._begin, self._share) <= 0
        return self.is_late or self.done >= self._most

    def slice(self) -> int:
        """Return the amount of work before the next look at the clock."""
        return int(min(self._size, self._most - self.done))

    def add(self, done: int) -> None:
        """Count the work of a slice, report the spent share, and choose the size of the next slice by the time it took."""
        now = self._stopwatch.read()
        self.done += done
        seconds = min(SLICE_SECONDS, max(self._budget.left(now, self._share), 0.0))
        self._size = 1 + int(done * min(4.0, seconds / self._budget.seconds_between(self._begin, now)))
        if self._watch:
            self._watch(min(1.0, max(self.done / self._most, self._budget.spent(now))))


class RootMove(NamedTuple):
    """One action at the root of a search."""

    action: int
    visits: int
    values: tuple[float, ...]
    """The expected utility of each player: shares of a win, or points."""
    solved: bool
    """True if the values are the result of best play, and not an estimate."""


class Findings(NamedTuple):
    """The findings of a search, its best choice first."""

    player: int
    choices: tuple[RootMove, ...]
    values: tuple[float, ...]
    """The expected utility of each player at the root."""
    simulations: int
    seconds: float
    line: tuple[int, ...]
    """The most visited moves, from the root on, as the player sees them."""
    cut: bool = False
    """True if the budget has simulations, and time ended the search, or the exact play before it, first."""

    @property
    def action(self) -> int:
        """The best choice."""
        return self.choices[0].action
