"""Games made in several processes of this machine, handed out in order."""

from collections import deque
from collections.abc import Generator, Iterable
from contextlib import ExitStack
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Final, NamedTuple

from ludoteca.core.record import Record
from ludoteca.core.workers import LostWorkerError, Worker
from ludoteca.envs.dataset.about import DatasetError
from ludoteca.envs.dataset.tracing import Plan, Traced, Tracer

QUEUED: Final = 2
"""Games that a process has been given and not yet sent back: it never waits for the next one."""
AHEAD: Final = 8
"""For each process, so many games may be finished before their turn."""


class Job(NamedTuple):
    """A game to be played, or to be played again."""

    number: int
    name: str = ""
    """What an error calls it."""
    record: Record | None = None


class Failed(NamedTuple):
    """Why a game could not be made."""

    why: str


def trace(tracer: Tracer, job: Job) -> Traced:
    """Do a job. Raises DatasetError."""
    return tracer.replay(job.number, job.name, job.record) if job.record else tracer.play(job.number)


def in_order(plan: Plan, jobs: Iterable[Job], processes: int) -> Generator[Traced, None, None]:
    """The games of all jobs, whose numbers are 0, 1, 2 and so on; in this process alone if `processes` is 1.

    Raises DatasetError for the first game that cannot be made, and where a process ends that should not.
    """
    if processes == 1:
        tracer = Tracer(plan)
        yield from (trace(tracer, job) for job in jobs)
        return
    with ExitStack() as stack:
        workers = [stack.enter_context(_Worker(plan)) for _ in range(processes)]
        done, left, next_out = dict[int, Traced | Failed](), iter(jobs), 0
        while True:
            room = AHEAD * processes - len(done)
            for worker in workers:
                for job in islice(left, max(0, min(room, QUEUED - len(worker.jobs)))):
                    worker.give(job)
            busy = {worker.connection: worker for worker in workers if worker.jobs}
            if not busy:
                return
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                number, result = busy[connection].take()
                done[number] = result
            while (traced := done.pop(next_out, None)) is not None:
                if isinstance(traced, Failed):
                    raise DatasetError(traced.why)
                yield traced
                next_out += 1


class _Worker:
    """A process, and the jobs that it has been given."""

    def __init__(self, plan: Plan) -> None:
        self._worker = Worker("ludoteca.envs.dataset.worker", plan)
        self.connection = self._worker.connection
        self.jobs = deque[int]()

    def give(self, job: Job) -> None:
        self.jobs.append(job.number)
        self._worker.send(job)

    def take(self) -> tuple[int, Traced | Failed]:
        """The result of its first job."""
        number = self.jobs[0]
        try:
            result: Traced | Failed = self._worker.receive()
        except LostWorkerError as error:
            raise DatasetError(f"a process ended {error} while it made game {number}") from None
        self.jobs.popleft()
        return number, result

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *error: object) -> None:
        self._worker.end()
