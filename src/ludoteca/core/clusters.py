"""Pools of jobs (`core.workers.Pool`) that run on several machines, through a Ray cluster that is running already."""

import importlib
import pickle
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, Final

from ludoteca.core.errors import LudotecaError, MissingExtraError
from ludoteca.core.workers import TRIES_PER_JOB, Failed, Job, Pool, Prepare, ProcessPool, Result, Task

CONNECT_WITHIN_SECONDS: Final = 10.0
JOBS_PER_PROCESSOR: Final = 2
"""The number of jobs that are sent to the cluster for each of its processors: one that runs, and one that waits."""

_work: dict[bytes, Callable[[Any], Any]] = {}
_prepared = ExitStack()
"""`_work` has the function that does jobs in this process, by its pickled setup. `_prepared` closes its context manager."""


class ClusterError(LudotecaError):
    """A Ray cluster cannot be reached at the address that was given."""


def pool_on(cluster: str | None, prepare: Prepare[Task, Job, Result], task: Task, workers: int) -> Pool[Job, Result]:
    """Return a pool for jobs: on the Ray cluster at the address `cluster`, or with `workers` processes on this machine if it
    is None.

    Each process calls `prepare(task)` once to get the function that does the jobs (see `core.workers.Pool`). Raises
    MissingExtraError if a cluster is given and Ray is not installed, and ClusterError if there is no cluster at that
    address.
    """
    return RayPool(prepare, task, cluster) if cluster else ProcessPool(prepare, task, workers)


class RayPool(Pool[Job, Result]):
    """A pool that runs one job at a time on each processor of a Ray cluster. Ludoteca and the programs of bots must be
    installed under the same paths on every machine of the cluster.
    """

    def __init__(self, prepare: Prepare[Task, Job, Result], task: Task, address: str) -> None:
        """Connect to the Ray cluster at an address, which is `auto` or HOST:PORT.

        Each process of the cluster calls `prepare(task)` once. It returns a context manager that gives the function for the
        jobs. Raises MissingExtraError if Ray is not installed, and ClusterError if there is no cluster at that address.
        """
        self._ray: Any = join(address)
        self._setup = pickle.dumps((prepare, task))
        self._remote = self._ray.remote(num_cpus=1, max_retries=TRIES_PER_JOB - 1)(do_on_node)

    @property
    def size(self) -> int:
        return int(max(1, self._ray.cluster_resources().get("CPU", 1)))

    def completed(self, jobs: Iterable[Job | None]) -> Iterator[tuple[int, Result | Failed]]:
        left, numbers, begun = iter(jobs), dict[Any, int](), 0
        while True:
            while len(numbers) < JOBS_PER_PROCESSOR * self.size and (job := next(left, None)) is not None:
                numbers[self._remote.remote(self._setup, job)] = begun
                begun += 1
            if not numbers:
                return
            (ready, *_), _ = self._ray.wait(list(numbers), num_returns=1)
            yield numbers.pop(ready), self._result(ready)

    def _result(self, ready: Any) -> Result | Failed:
        try:
            result: Result | Failed = self._ray.get(ready)
        except self._ray.exceptions.RayError as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            return Failed(f"it was given up after {TRIES_PER_JOB} tries: {reason}")
        return result

    def close(self) -> None:
        """Disconnect from the cluster. This ends the jobs of this pool that are still running there."""
        self._ray.shutdown()


def do_on_node(setup: bytes, job: Any) -> Any:
    """Do one job in a process of the cluster, and return its result or a `Failed`.

    `setup` is the pickled pair of `prepare` and its argument `task` (see `RayPool`). The process keeps the function that
    `prepare` gave until it gets a job with another setup.
    """
    try:
        if setup not in _work:
            _work.clear()
            _prepared.close()
            prepare, task = pickle.loads(setup)  # noqa: S301  # Ray itself sends pickles
            _work[setup] = _prepared.enter_context(prepare(task))
        return _work[setup](job)
    except LudotecaError as error:
        return Failed(str(error))


def join(address: str) -> Any:
    """Connect to the cluster at an address, `auto` or HOST:PORT, and return the module `ray`.

    Raises MissingExtraError if Ray is not installed, and ClusterError if the connection fails.
    """
    try:
        ray: Any = importlib.import_module("ray")  # it has types only if it is installed
    except ModuleNotFoundError:
        raise MissingExtraError("Ray", "ray") from None
    try:
        _check(address)
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=True)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise ClusterError(f"ray: no cluster at {address}: {str(error).splitlines()[0]}") from None
    return ray


def _check(address: str) -> None:
    """Raise OSError if nothing accepts connections at the address. Without this check, Ray would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=CONNECT_WITHIN_SECONDS).close()
