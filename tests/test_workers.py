"""Pools of workers: results in order, replaced workers, jobs that are given up, no processes at the end."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludoteca.core.errors import ParameterError
from ludoteca.core.workers import TRIES_PER_JOB, Failed, ProcessPool, cores
from ludoteca.server.settings import Settings


@pytest.mark.parametrize(
    ("quota", "expected"), [("max 100000", 2), ("100000 100000", 1), ("100001 100000", 2), ("1000 100000", 1)]
)
def test_cores_are_those_of_the_affinity_or_of_the_quota(quota: str, expected: int, tmp_path: Path) -> None:
    (tmp_path / "cpu.max").write_text(f"{quota}\n", encoding="ascii")
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("this machine has one core")
    os.sched_setaffinity(0, sorted(allowed)[:2])
    try:
        assert (cores(tmp_path), Settings().workers, cores(tmp_path / "none")) == (expected, 2, 2)
        os.sched_setaffinity(0, sorted(allowed)[:1])
        assert (cores(tmp_path), Settings().workers) == (1, 1)
    finally:
        os.sched_setaffinity(0, allowed)


@contextmanager
def squaring(folder: str) -> Iterator[Callable[[int], int]]:
    """Yield a function that squares numbers. 3 ends its process once, 4 always does, and 5 is an error."""
    place = Path(folder)

    def square(number: int) -> int:
        once = place / "once"
        if number == 4 or (number == 3 and not once.exists()):
            once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 5:
            raise ParameterError("read 5")
        return number * number

    try:  # around "begun" too, because the signal to end may come at once
        (place / f"begun-{os.getpid()}").touch()
        yield square
    finally:
        (place / f"ended-{os.getpid()}").touch()


@contextmanager
def refusing(why: str) -> Iterator[Callable[[int], int]]:
    """Raise an error at the start if there is a reason."""
    if why:
        raise ParameterError(why)
    yield abs


GIVEN_UP = Failed(f"{TRIES_PER_JOB} processes ended in it, the last one by signal 9")
EXPECTED = [0, 1, 4, 9, GIVEN_UP, Failed("read 5"), 36, 49]


@pytest.mark.parametrize(("workers", "queued"), [(1, 1), (2, 2)])
def test_results_come_in_the_order_of_the_jobs(tmp_path: Path, workers: int, queued: int) -> None:
    with ProcessPool(squaring, str(tmp_path), workers, queued=queued) as pool:
        assert list(pool.map(range(8))) == EXPECTED
        assert list(pool.map([6, 7])) == [36, 49]


def test_jobs_may_depend_on_results(tmp_path: Path) -> None:
    results: list[int | Failed] = []

    def jobs() -> Iterator[int | None]:
        yield 6
        while not results:
            yield None
        yield 7

    with ProcessPool(squaring, str(tmp_path), 2) as pool:
        results.extend(result for _, result in pool.completed(jobs()))
    assert results == [36, 49]


def test_a_pool_that_cannot_begin_answers_every_job(tmp_path: Path) -> None:
    with ProcessPool(refusing, "no such game", 1) as pool:
        assert list(pool.map([1, 2])) == [Failed("no such game")] * 2


@contextmanager
def lingering(folder: str) -> Iterator[Callable[[int], int]]:
    """Yield a function. The clean-up takes a moment."""
    with squaring(folder) as square:
        try:
            yield square
        finally:
            time.sleep(0.2)
            (Path(folder) / "clean").touch()


def test_the_end_of_the_pool_does_not_break_off_a_clean_up(tmp_path: Path) -> None:
    with ProcessPool(lingering, str(tmp_path), 1) as pool:
        assert list(pool.map([1])) == [1]
    assert (tmp_path / "clean").exists()


def test_workers_end_in_order_with_the_pool(tmp_path: Path) -> None:
    with ProcessPool(squaring, str(tmp_path), 2) as pool:
        assert next(pool.completed([1, 2])) in [(0, 1), (1, 4)]
    begun, ended = ({path.name.split("-")[1] for path in tmp_path.glob(f"{kind}-*")} for kind in ("begun", "ended"))
    assert begun
    assert begun <= ended
    assert not any(Path(f"/proc/{number}").exists() for number in begun)
