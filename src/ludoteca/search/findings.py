"""The budget of a search, its clocks, the slices between two looks at them, and the findings."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from ludoteca.core.errors import SearchError

SLICE_SECONDS: Final = 0.004
"""The time between two looks at the clock."""


class Elapsed(NamedTuple):
    """Seconds that went by."""

    wall: float = 0.0
    cpu: float = 0.0
    """Of the processor's time, in which one thread was served."""


class Stopwatch:
    """What goes by from now on, on the wall and of this thread's processor time; `before` is added."""

    def __init__(self, before: Elapsed = Elapsed()) -> None:  # noqa: B008  # it never changes
        self._wall = time.perf_counter() - before.wall
        self._cpu = time.thread_time() - before.cpu

    def read(self) -> Elapsed:
        """What went by so far."""
        return Elapsed(time.perf_counter() - self._wall, time.thread_time() - self._cpu)


class Budget(NamedTuple):
    """How much to search: simulations, seconds, or seconds of processor time in each thread, whichever ends first.

    Processor time is the same amount of work on a busy machine as on an idle one.
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu: float | None = None

    def check(self) -> None:
        """Raises SearchError when nothing could be searched."""
        given = {name: value for name, value in self._asdict().items() if value is not None}
        if not given or any(value <= 0 for value in given.values()):
            words = {"cpu": "seconds of processor time"}
            read = " and ".join(f"{value} {words.get(name, name)}" for name, value in given.items()) or "nothing"
            raise SearchError(f"budget: read {read}, expected more than 0")

    def left(self, elapsed: Elapsed, share: float = 1.0) -> float:
        """The seconds until that share of the time is over, of the kind that ends first; infinite without any."""
        times = ((self.seconds, elapsed.wall), (self.cpu, elapsed.cpu))
        return min((share * limit - spent for limit, spent in times if limit is not None), default=float("inf"))

    def spent(self, elapsed: Elapsed) -> float:
        """The share of the time that is spent."""
        times = ((self.seconds, elapsed.wall), (self.cpu, elapsed.cpu))
        return max((spent / limit for limit, spent in times if limit is not None), default=0.0)

    def seconds_between(self, begin: Elapsed, end: Elapsed) -> float:
        """The seconds between two readings, by the clock that counts; more than 0."""
        counts_cpu = self.cpu is not None and self.seconds is None
        return max(end.cpu - begin.cpu if counts_cpu else end.wall - begin.wall, 1e-6)


class Pace:
    """Divides a compiled search into slices, and looks at the clock between them.

    Work is counted in simulations or positions. The search does at most `most` of it, and uses at most `share` of the
    budget's time. `first` is the size of the first slice. `watch` receives the spent share.
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
        """The work so far."""
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
    """The utility that each player may expect: shares of a win, or points."""
    solved: bool
    """True when the values are the result of best play, and no estimate."""


class Findings(NamedTuple):
    """The findings of a search, its best choice first."""

    player: int
    choices: tuple[RootMove, ...]
    values: tuple[float, ...]
    """The utility that each player may expect at the root."""
    simulations: int
    seconds: float
    line: tuple[int, ...]
    """The moves that were tried most, from the root on, as the player sees them."""
    cut: bool = False
    """True when its time ended a search that had simulations left, or exact play that it began with."""

    @property
    def action(self) -> int:
        """The best choice."""
        return self.choices[0].action
