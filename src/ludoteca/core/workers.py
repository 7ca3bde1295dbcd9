"""Pools of processes that do jobs for this process, such as games of a tournament. Each worker process has a connection to
this one for jobs and results.

A worker runs in a separate session, so Ctrl-C in the terminal reaches only this process. A worker ends when its connection
closes, even in the middle of a job. So if this process is killed, its workers end too.
"""

import math
import os
import platform
import select
import signal
import socket
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, NamedTuple, Self, TypeAlias, TypeVar

from ludoteca.core.errors import LudotecaError, warn_in_one_line

END_WITHIN_SECONDS: Final = 30.0
"""The time that a worker gets to end by itself before it is killed."""
TRIES_PER_JOB: Final = 3
"""A job has failed if this many workers, one after another, ended while they did it."""
RESULTS_AHEAD: Final = 8
"""In `Pool.map`, at most this many finished results for each worker wait for the result of an earlier job."""

Task = TypeVar("Task")
Job = TypeVar("Job")
Result = TypeVar("Result")
Prepare: TypeAlias = Callable[[Task], AbstractContextManager[Callable[[Job], Result]]]


class LostWorkerError(LudotecaError):
    """A worker ended before it sent its result. The message says how it ended, such as `by signal 9`."""


class Failed(NamedTuple):
    """The answer to a job that gave no result."""

    why: str
    """The message of the LudotecaError that the job raised, or how the last worker that tried it ended."""


@cache
def processor() -> str:
    """Return the name of this machine's processor, such as "AMD EPYC 7763". If the system does not know it, return its
    architecture, such as "x86_64".
    """
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def cores(control_groups: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the number of processor cores that this process may use: the cores of its CPU affinity, or fewer if its
    container has a CPU quota.

    A quota of one and a half cores counts as two. `control_groups` is the folder in which Linux lists the quotas.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError):  # a system without control groups
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        group = control_groups / next((line for line in lines if line.startswith("0::/")), "0::/").removeprefix("0::/")
        for folder in (group, *group.parents)[: -len(control_groups.parents)]:
            with suppress(OSError):  # the outermost group has no quota, and outer groups of a container cannot be read
                quota, period = (folder / "cpu.max").read_text(encoding="ascii").split()
                allowed = min(allowed, allowed if quota == "max" else math.ceil(int(quota) / int(period)))
    return allowed


class Worker:
    """A process that runs a module of Ludoteca. The module must begin with `connect`.

    `module` is its import path. `setup` is the first object that the process receives. Then it receives jobs with `send`,
    and `receive` returns its answers.
    """

    def __init__(self, module: str, setup: object) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-m", module, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self.connection: Connection = Connection(ours.detach())
        self.send(setup)

    def send(self, job: object) -> None:
        """Send a job. If the worker has ended already, this raises nothing. The next call of `receive` raises
        LostWorkerError.
        """
        with suppress(OSError):
            self.connection.send(job)

    def receive(self) -> Any:
        """Wait for the worker's next answer and return it. Raises LostWorkerError if the worker has ended."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.end()
            status = self.process.returncode
            raise LostWorkerError(f"by signal {-status}" if status < 0 else f"with exit status {status}") from None

    def end(self) -> None:
        """Close the connection and wait until the worker has ended, even if it is in the middle of a job."""
        self.connection.close()
        try:
            self.process.wait(END_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Pool(ABC, Generic[Job, Result]):
    """Several processes that do many jobs of one kind. Use it in a `with` block: at the end of the block the processes end,
    with their unfinished jobs.

    Each process first calls a function `prepare(task)`, which must be a global function of a module, because processes find
    it by name. It returns a context manager that gives the function for the jobs. If a process dies, its job is given to
    another process. After TRIES_PER_JOB tries the job has failed.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of jobs that can run at the same time."""

    @abstractmethod
    def completed(self, jobs: Iterable[Job | None]) -> Iterator[tuple[int, Result | Failed]]:
        """Yield a pair for each job as soon as the job is finished: its number, from 0 in the order of `jobs`, and its
        result or a `Failed`.

        If `jobs` yields None, the pool waits for the next result before it asks for another job.
        """

    @abstractmethod
    def close(self) -> None:
        """End the processes and their jobs."""

    def map(self, jobs: Iterable[Job]) -> Iterator[Result | Failed]:
        """Yield the result of each job, or a `Failed`, in the order of the jobs."""
        done, following = dict[int, Result | Failed](), 0

        def near() -> Iterator[Job | None]:
            for number, job in enumerate(jobs):
                while number >= following + RESULTS_AHEAD * self.size:
                    yield None
                yield job

        for number, result in self.completed(near()):
            done[number] = result
            while following in done:
                yield done.pop(following)
                following += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _Pooled(Worker):
    """A worker of a pool, and the numbers of the jobs that were sent to it and are not finished."""

    def __init__(self, setup: object) -> None:
        super().__init__("ludoteca.core.worker", setup)
        self.numbers = deque[int]()


class ProcessPool(Pool[Job, Result]):
    """A pool of worker processes on this machine. They are started when the first jobs arrive."""

    def __init__(self, prepare: Prepare[Task, Job, Result], task: Task, workers: int, queued: int = 1) -> None:
        """Make a pool of at most `workers` processes, without starting them.

        Each process calls `prepare(task)` once (see `Pool`). `queued` is the number of jobs that each process gets in
        advance. With 2 or more, it need not wait for its next job.
        """
        self._setup = prepare, task
        self._size = workers
        self._queued = queued
        self._workers: list[_Pooled] = []
        self._jobs: dict[int, Job] = {}
        self._tries = Counter[int]()
        self._begun = 0

    @property
    def size(self) -> int:
        return self._size

    def completed(self, jobs: Iterable[Job | None]) -> Iterator[tuple[int, Result | Failed]]:
        left = iter(jobs)
        self._begun, self._tries = 0, Counter()
        while True:
            self._hand_out(left)
            busy = {worker.connection: worker for worker in self._workers if worker.numbers}
            if not busy:
                return
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                yield from self._receive(busy[connection])

    def close(self) -> None:
        for worker in self._workers:
            worker.connection.close()  # all of them begin to end
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def _hand_out(self, left: Iterator[Job | None]) -> None:
        """Send jobs to the workers until each has its queue full or `left` yields None: first one job to each worker, then a
        second one, and so on.
        """
        for queued in range(self._queued):
            for place in range(self._size):
                if place < len(self._workers) and len(self._workers[place].numbers) > queued:
                    continue
                if (job := next(left, None)) is None:
                    return
                if place == len(self._workers):
                    self._workers.append(_Pooled(self._setup))
                self._jobs[self._begun] = job
                self._workers[place].numbers.append(self._begun)
                self._workers[place].send(job)
                self._begun += 1

    def _receive(self, worker: _Pooled) -> Iterator[tuple[int, Result | Failed]]:
        """Yield the number and the result of the oldest job of a worker. If the worker has ended, start another worker with
        the same jobs, and yield nothing unless the job has failed.
        """
        number = worker.numbers[0]
        try:
            result: Result | Failed = worker.receive()
        except LostWorkerError as error:
            self._tries[number] += 1
            if self._tries[number] < TRIES_PER_JOB:
                self._replace(worker)
                return
            worker.numbers.popleft()
            self._replace(worker)
            result = Failed(f"{TRIES_PER_JOB} processes ended in it, the last one {error}")
        else:
            worker.numbers.popleft()
        del self._jobs[number]
        yield number, result

    def _replace(self, worker: _Pooled) -> None:
        new = _Pooled(self._setup)
        self._workers[self._workers.index(worker)] = new
        for number in worker.numbers:
            new.numbers.append(number)
            new.send(self._jobs[number])


def connect(grace: float = 0.0) -> Connection:
    """Return the connection to the parent process. A worker calls this once, at its start. When the parent closes the
    connection, this process ends.

    If `grace` is above 0, this process first gets the signal SIGTERM, so that it can clean up, and is ended `grace` seconds
    later in any case.
    """
    warn_in_one_line()
    connection: Connection = Connection(int(sys.argv[1]))
    threading.Thread(target=_leave_with, args=(connection.fileno(), grace), daemon=True).start()
    return connection


def _leave_with(descriptor: int, grace: float) -> None:
    poll = select.poll()
    poll.register(descriptor, 0)  # a hang-up is always reported
    poll.poll()
    if grace:
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(grace)
    os._exit(1 if grace else 0)
