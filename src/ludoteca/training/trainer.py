"""Runs a training: rounds of games until its goal is reached, with measurements of the weights between rounds. `ludoteca
train` uses it.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import msgspec
import numpy as np

from ludoteca.core.clusters import pool_on
from ludoteca.core.registry import find
from ludoteca.core.value import LearnedValue
from ludoteca.core.workers import Failed, Pool
from ludoteca.training import frozen
from ludoteca.training.batches import GameBatch, Loss, Report, Strength
from ludoteca.training.checkpoint import VERSION, About, Checkpoint, Point
from ludoteca.training.fitting import Fit
from ludoteca.training.policies import PolicyLoss
from ludoteca.training.settings import Settings, TrainingError, learns_policy
from ludoteca.training.values import ValueLoss

GROWTH: Final = 1.25
"""The next measurement comes when the number of games has grown by this factor, or after the next round."""
MEASURED: Final = 0.05
"""The games of each comparison in a measurement, as a share of the games that were learned from since the last one."""
FEWEST: Final = 20
MOST: Final = 600
"""The smallest and largest number of games of a comparison."""
SEARCHED_EVERY: Final = 20.0
"""The seconds of training between two measurements that also compare searches. A shorter training compares none."""

BatchPool: TypeAlias = Pool[tuple[GameBatch, Fit], Report]


def new_loss(settings: Settings, *, compiled: bool = True) -> Loss:
    """Return the loss that learns the game's value or policy. The game is compiled, or read from the cache of compiled code.

    Raises LudotecaError if the game has nothing to learn, does not allow the parameters, or cannot be compiled.
    """
    kind = PolicyLoss if learns_policy(find(settings.game)) else ValueLoss
    return kind(settings, compiled=compiled)


@contextmanager
def playing(settings: Settings) -> Iterator[Callable[[tuple[GameBatch, Fit]], Report]]:
    """Yield the function that plays a batch of games. Each process of a pool calls this once (`core.workers.Pool`)."""
    loss = new_loss(settings)
    yield lambda job: loss.play(*job)


def new_pool(settings: Settings, cluster: str | None) -> BatchPool | None:
    """Return a pool of processes that play batches, on the Ray cluster at the address `cluster` or on this machine. Return
    None if there is no cluster and the settings have one core only, because then this process plays all batches.

    Raises MissingExtraError if a cluster is given and Ray is not installed, and ClusterError if the cluster cannot be
    reached.
    """
    return pool_on(cluster, playing, settings, settings.cores) if cluster or settings.cores > 1 else None


class Goal:
    """The end of a training: a number of games, a time in seconds, or the first of both. None is no limit."""

    def __init__(self, games: int | None, seconds: float | None) -> None:
        self.games = games
        self.seconds = seconds

    def share(self, about: About) -> float:
        """Return the share of the goal that a training has reached. It is 1 or more at the end."""
        by_games = about.games / self.games if self.games else 0.0
        return max(by_games, about.seconds / self.seconds if self.seconds else 0.0)

    def left(self, point: Point, pace: float) -> float:
        """Return the expected number of seconds from this point to the goal. `pace` is the speed in games a second."""
        by_games = (self.games - point.games) / pace if self.games else math.inf
        return max(0.0, min(by_games, self.seconds - point.seconds if self.seconds else math.inf))


class Training:
    """A training between two rounds. If a round or a measurement is interrupted, the training continues as if it had not
    begun.
    """

    def __init__(
        self, loss: Loss, pool: BatchPool | None, stored: Checkpoint | None, frozen: LearnedValue | None = None
    ) -> None:
        """Start a training, or continue from the checkpoint `stored`. Without a pool, this process plays the batches.

        `frozen` is the value of the opponents in games of searches (`training.frozen`). Without it they are greedy.
        """
        new = loss.new()
        self.loss = loss
        self._pool = pool
        self._frozen = frozen
        self.now = stored or Checkpoint(About(VERSION, loss.settings), new, new)

    def aim(self, games: int | None, seconds: float | None) -> None:
        """Set the goal of the training: a number of games, a number of seconds, or the first of both."""
        self.now = msgspec.structs.replace(
            self.now, about=msgspec.structs.replace(self.now.about, goal_games=games, goal_seconds=seconds)
        )

    def go_on(self) -> None:
        """Play a round, or measure the strength if enough games were played since the last measurement.

        Raises TrainingError if the weights grow beyond all bounds, because the rate is too high, or if a batch fails.
        """
        if not self.is_measured() and self.now.about.games >= GROWTH * self._measured():
            self.come_to_a_point()
        else:
            self._play_round()

    def is_measured(self) -> bool:
        """Return True if no games were played since the last measurement."""
        return self.now.about.games == self._measured()

    def _measured(self) -> int:
        """Return the number of games at the last measurement."""
        curve = self.now.about.curve
        return curve[-1].games if curve else 0

    def _play_round(self) -> None:
        begin, about = time.perf_counter(), self.now.about
        settings = about.settings
        jobs = [(GameBatch(about.rounds, core), self.now.fit) for core in range(settings.cores)]
        reports = list[Report]()
        for result in self._pool.map(jobs) if self._pool else (self.loss.play(*job) for job in jobs):
            if isinstance(result, Failed):
                raise TrainingError(f"a batch cannot be played: {result.why}")
            reports.append(result)
        about = msgspec.structs.replace(
            about,
            rounds=about.rounds + 1,
            games=about.games + settings.cores * settings.round,
            actions=about.actions + sum(report.actions for report in reports),
            seconds=about.seconds + time.perf_counter() - begin,
            error=about.error + sum(report.error for report in reports),
            looks=about.looks + sum(report.looks for report in reports),
        )
        fit = put_together(self.now.fit, [report.fit for report in reports])
        if not (np.isfinite(fit.weights).all() and math.isfinite(about.error)):
            rate = settings.constants.rate
            raise TrainingError(
                f"after {about.games:,} games weights grow beyond all bounds: the rate {rate} is too high for this game"
            )
        self.now = Checkpoint(about, fit, self.now.last)

    def gate(self) -> Strength | None:
        """Return the strength of searches with the weights, over more deals than in other measurements. It decides whether
        the weights replace the old ones. Return None after a short training.
        """
        return self._searched(frozen.AT_THE_END) if self.now.about.seconds >= SEARCHED_EVERY else None

    def _searched(self, deals: int) -> Strength | None:
        return self.loss.measure_search(self.now.fit, self._frozen, deals, self.now.about.games)

    def come_to_a_point(self, *, final: bool = False) -> None:
        """Measure the strength and add a point to the curves. If no games were played since the last measurement, do
        nothing.

        With `final`, the number of games is chosen as if the last measurement was before the first game, so it is larger.
        """
        begin, about, fit, last = time.perf_counter(), self.now.about, self.now.fit, self.now.last
        if self.is_measured():
            return
        learned_from = about.games - (0 if final else self._measured())
        games = min(MOST, max(FEWEST, int(MEASURED * learned_from)))
        against_last, against_reference = (self.loss.measure(fit, whom, games, about.games) for whom in (last, None))
        searched = max((point.seconds for point in about.curve if point.search), default=0.0)
        search = self._searched(frozen.AT_A_POINT) if about.seconds - searched >= SEARCHED_EVERY else None
        seconds = about.seconds + time.perf_counter() - begin
        error = math.sqrt(about.error / max(1, about.looks))
        point = Point(about.games, seconds, error, against_last, against_reference, search)
        fresh = msgspec.structs.replace(about, seconds=seconds, error=0.0, looks=0, curve=(*about.curve, point))
        self.now = Checkpoint(fresh, fit, fit)


def put_together(before: Fit, after: list[Fit]) -> Fit:
    """Return the weights that combine several batches, which all started from the weights `before`.

    Each weight moves by the mean change in the batches that changed it. Its drift and travel grow by the sums of the changes
    of all batches.
    """
    if len(after) == 1:
        return after[0]
    changes = [fit.weights.astype(np.float64) - before.weights for fit in after]
    changed = np.maximum(1, sum((change != 0).astype(np.int64) for change in changes))
    weights = before.weights + sum(changes) / changed
    drift, travel = (
        getattr(before, name) + sum(getattr(fit, name).astype(np.float64) - getattr(before, name) for fit in after)
        for name in ("drift", "travel")
    )
    return Fit(weights.astype(np.float32), drift.astype(np.float32), travel.astype(np.float32))
