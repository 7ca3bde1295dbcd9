"""The budget of a search, the clocks that measure it, and the findings that a search returns."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from ludoteca.core.errors import SearchError

SLICE_SECONDS: Final = 0.004
"""The time of a slice, which is the work that a compiled search does between two looks at the clock."""


def _processor_time() -> float:
    """Return the processor time of this thread in seconds. Python in a browser has no such clock and only one thread, so it
    uses the wall clock.
    """
    return time.thread_time() if hasattr(time, "thread_time") else time.perf_counter()


class Elapsed(NamedTuple):
    """The time since a stopwatch was started, in seconds."""

    wall: float = 0.0
    cpu: float = 0.0
    """Processor time of the thread."""


class Stopwatch:
    """Measures the wall time and the processor time of this thread. It starts when it is made, with the time
    `before` on it.
    """

    def __init__(self, before: Elapsed = Elapsed()) -> None:  # noqa: B008  # it never changes
        self._wall = time.perf_counter() - before.wall
        self._cpu = _processor_time() - before.cpu

    def read(self) -> Elapsed:
        """Return the time since the stopwatch was started, in addition to the time that was on it."""
        return Elapsed(time.perf_counter() - self._wall, _processor_time() - self._cpu)


class Budget(NamedTuple):
    """The limits of a search: a number of simulations, seconds, and seconds of processor time in each thread. None is no
    limit.

    The search ends at the first limit that it reaches. In a second of processor time, a search does the same work on a busy
    machine as on an idle one.
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu: float | None = None

    def check(self) -> None:
        """Raise SearchError if the budget has no limit at all, or a limit of 0 or less."""
        given = {name: value for name, value in self._asdict().items() if value is not None}
        if not given or any(value <= 0 for value in given.values()):
            words = {"cpu": "seconds of processor time"}
            read = " and ".join(f"{value} {words.get(name, name)}" for name, value in given.items()) or "nothing"
            raise SearchError(f"budget: read {read}, expected more than 0")

    def left(self, elapsed: Elapsed, share: float = 1.0) -> float:
        """Return the seconds until this share of the time limits is used up. Without a time limit the result is infinite."""
        times = ((self.seconds, elapsed.wall), (self.cpu, elapsed.cpu))
        return min((share * limit - spent for limit, spent in times if limit is not None), default=float("inf"))

    def spent(self, elapsed: Elapsed) -> float:
        """Return the share of the time limits that is used up, which is 1 at the end. Without a time limit the
        result is 0.
        """
        times = ((self.seconds, elapsed.wall), (self.cpu, elapsed.cpu))
        return max((spent / limit for limit, spent in times if limit is not None), default=0.0)

    def seconds_between(self, begin: Elapsed, end: Elapsed) -> float:
        """Return the seconds from one reading of the clocks to the next, in processor time if that is the only time limit,
        else in wall time. They are more than 0.
        """
        counts_cpu = self.cpu is not None and self.seconds is None
        return max(end.cpu - begin.cpu if counts_cpu else end.wall - begin.wall, 1e-6)


class Pace:
    """Divides a compiled search into slices and looks at the clock between them, because compiled code cannot look at it.

    Work is counted in simulations or in positions. The search does at most the work `most`, and uses at most the share
    `share` of the budget's time. `first` is the work of the first slice. After each slice, `watch` is called with the share
    of the budget that is spent.
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
        """True if the time limit ended the search, and not the amount of work."""
        self._budget, self._stopwatch, self._share = budget, stopwatch, share
        self._most, self._size = most, first
        self._watch = watch
        self._begin = Elapsed()

    def is_spent(self) -> bool:
        """Return True if no work or no time is left. This looks at the clock, and the time of the next slice is measured
        from here.
        """
        self._begin = self._stopwatch.read()
        self.is_late = self.done < self._most and self._budget.left(self._begin, self._share) <= 0
        return self.is_late or self.done >= self._most

    def slice(self) -> int:
        """Return how much work the search should do before the next look at the clock."""
        return int(min(self._size, self._most - self.done))

    def add(self, done: int) -> None:
        """Count the work of a slice, call `watch`, and choose the size of the next slice from the time that this
        one took.
        """
        now = self._stopwatch.read()
        self.done += done
        seconds = min(SLICE_SECONDS, max(self._budget.left(now, self._share), 0.0))
        self._size = 1 + int(done * min(4.0, seconds / self._budget.seconds_between(self._begin, now)))
        if self._watch:
            self._watch(min(1.0, max(self.done / self._most, self._budget.spent(now))))


class RootMove(NamedTuple):
    """One action at the root of a search, and its results."""

    action: int
    visits: int
    values: tuple[float, ...]
    """The expected utility of each player after the action: shares of a win, or points."""
    solved: bool
    """True if the values are exact, which means the result with best play by all."""


class Findings(NamedTuple):
    """The results of a search. `player` is the player to move, and `choices` are the actions, the best one first."""

    player: int
    choices: tuple[RootMove, ...]
    values: tuple[float, ...]
    """The expected utility of each player in the searched position."""
    simulations: int
    seconds: float
    line: tuple[int, ...]
    """The most likely actions from the searched position on, the best action first, as the player sees them."""
    cut: bool = False
    """True if a time limit ended the search, or exact play before it, although the budget has a limit in simulations."""

    @property
    def action(self) -> int:
        """The best action that the search found."""
        return self.choices[0].action
