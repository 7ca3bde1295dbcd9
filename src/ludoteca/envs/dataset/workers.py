"""Games made in several processes of this machine, in the order of their numbers."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from ludoteca.core.record import Record
from ludoteca.core.workers import Failed, ProcessPool
from ludoteca.envs.dataset.about import DatasetError
from ludoteca.envs.dataset.tracing import Plan, Traced, Tracer

QUEUED: Final = 2
"""Games that a process has been given: it does not wait for the next one."""


class Job(NamedTuple):
    """A game to be played, or to be played again."""

    number: int
    name: str = ""
    """The name of the record in errors."""
    record: Record | None = None


@contextmanager
def tracing(plan: Plan) -> Iterator[Callable[[Job], Traced]]:
    """Give the function that makes a game. It raises DatasetError."""
    tracer = Tracer(plan)
    yield lambda job: tracer.replay(job.number, job.name, job.record) if job.record else tracer.play(job.number)


def in_order(plan: Plan, jobs: Iterable[Job], processes: int) -> Generator[Traced, None, None]:
    """Yield the games of all jobs. If `processes` is 1, this process makes them.

    Raises DatasetError for the first game that cannot be made.
    """
    if processes == 1:
        with tracing(plan) as trace:
            yield from map(trace, jobs)
        return
    with ProcessPool(tracing, plan, processes, queued=QUEUED) as pool:
        for result in pool.map(jobs):
            if isinstance(result, Failed):
                raise DatasetError(result.why)
            yield result
