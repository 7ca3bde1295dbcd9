"""Measure the steps a second of batches, and those of Pgx and EnvPool in the same run.

The first run installs Pgx and EnvPool into a separate environment in the user's cache folder. All libraries take turns,
and ratios compare the turns of one round. So the varying speed of a shared machine changes the ratios little. Rates on one
core are steps a second of processor time. Only the steps are timed, and not the choice of random legal actions.

Figures: docs/batches.md#speed
"""

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import platformdirs

from benchmarks.measuring import print_header, print_row, variants
from ludoteca.core.game import Game
from ludoteca.envs.batch import Batch

HEX: Final = "Pgx, hex 11 x 11"
CHILD: Final = Path(__file__).with_name("batches_of_others.py")

Rate = Callable[[float], float]
"""Steps for about this many seconds, and returns the steps a second."""


class Row(NamedTuple):
    """A line of the table, and the bytes that a step writes."""

    title: str
    size: int
    rates: Mapping[str, Rate]


def rate_of(batch: Batch) -> Rate:
    """Return the rate of a batch. Each of its games counts. With one thread, other work on the machine does not count."""
    batch.reset(1)
    clock = time.process_time if batch.threads == 1 else time.perf_counter

    def rate(seconds: float) -> float:
        steps, spent = 0, 0.0
        while spent < seconds:
            numbers = batch.sample()
            begin = clock()
            batch.step(numbers)
            spent += clock() - begin
            steps += batch.n
        return steps / spent

    return rate


def filling(batch: Batch) -> Rate:
    """Return the rate of a loop that only fills the batch's buffers."""

    def rate(seconds: float) -> float:
        steps, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < seconds:
            for array in batch.buffers:
                array.fill(0)
            steps += batch.n
        return steps / spent

    return rate


def ours(title: str, game: Game, n: int, wide: int) -> Row:
    """Return the row of a game in batches of n, and in wide ones on one core and on two."""
    batch = Batch(game, n)
    rates = {
        "all": rate_of(batch),
        "bare": rate_of(Batch(game, n, observations=False, masks=False)),
        "fill": filling(batch),
        "wide": rate_of(Batch(game, wide)),
        "two": rate_of(Batch(game, wide, threads=2)),
    }
    return Row(title, sum(array.nbytes for array in batch.buffers) // n, rates)


class Child:
    """A process with one of the other libraries. It measures a rate for each line that it reads."""

    def __init__(self, python: Path, name: str, cores: set[int]) -> None:
        self._process = subprocess.Popen(
            [python, CHILD, name, str(len(cores))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),  # there are no threads yet
        )
        self.size = int(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"batches: {CHILD.name} ended with status {self._process.wait()}")
        return line

    def rate(self, seconds: float) -> float:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return float(self._answer())


def installed() -> Path:
    """Return the Python of the environment with the other libraries. Make the environment the first time."""
    folder = platformdirs.user_cache_path("ludoteca") / "benchmarks" / "batches-of-others"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"batches: installing the others in {folder} (once)", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pgx", "jax[cpu]", "envpool"], check=True)
        (folder / "ready").touch()
    return python


def others(cores: list[int]) -> Iterator[Row]:
    """Yield the rows of Pgx and EnvPool, on one core and on two."""
    python = installed()
    for title, name in (
        (HEX, "pgx:hex"),
        ("EnvPool, hex 11 x 11", "envpool:Hex-v1"),
        ("EnvPool, connect four", "envpool:ConnectFour-v1"),
        ("EnvPool, Game2048", "envpool:Game2048-v1"),
        ("EnvPool, MiniGrid 8 x 8", "envpool:MiniGrid-Empty-8x8-v0"),
        ("EnvPool, CartPole", "envpool:CartPole-v1"),
    ):
        one, two = Child(python, name, {*cores[:1]}), Child(python, name, {*cores})
        yield Row(title, one.size, {"all": one.rate, "wide": one.rate, "two": two.rate})


@contextmanager
def on(cores: list[int]) -> Iterator[None]:
    """Run this process on these cores only."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measured(rows: list[Row], cores: list[int], seconds: float, rounds: int) -> list[dict[tuple[str, str], float]]:
    """Return the rates of all rows, for each round."""
    found = []
    for number in range(rounds):
        print(f"batches: round {number + 1} of {rounds}", file=sys.stderr)
        rates = {}
        for row in rows:
            for kind, rate in row.rates.items():
                with on(cores if kind == "two" else cores[:1]):
                    rates[row.title, kind] = rate(seconds)
        found.append(rates)
    return found


def cell(found: list[dict[tuple[str, str], float]], title: str, kind: str, over: tuple[str, str] | None = None) -> str:
    """Return the median of a rate in millions a second, or of its ratio to another rate in the same round."""
    if (title, kind) not in found[0] or (over and over not in found[0]):
        return ""
    values = median(rates[title, kind] / (rates[over] if over else 1e6) for rates in found)
    return f"{values:.2f}" if values < 10 else f"{values:.1f}"


def print_table(rows: list[Row], found: list[dict[tuple[str, str], float]]) -> None:
    """Print the rates in millions of steps a second."""
    ours = ("one core", "of filling", "x hex", "bytes", "filling them", "bare")
    print_header("million steps/s", *ours, "wide", "two cores", "x")
    for row in rows:
        print_row(
            row.title,
            cell(found, row.title, "all"),
            cell(found, row.title, "all", (row.title, "fill")),
            cell(found, row.title, "all", (HEX, "all")),
            f"{row.size:,}",
            cell(found, row.title, "fill"),
            cell(found, row.title, "bare"),
            cell(found, row.title, "wide"),
            cell(found, row.title, "two"),
            cell(found, row.title, "two", (row.title, "wide")),
        )


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="(all)")
    parser.add_argument("--batch", type=int, default=384, help="games in a batch (384)")
    parser.add_argument("--wide", type=int, default=8192, help="games in a wide batch (8192)")
    parser.add_argument("--seconds", type=float, default=0.15, help="time for each rate of a round (0.15)")
    parser.add_argument("--rounds", type=int, default=7, help="(7)")
    parser.add_argument("--without-others", action="store_true", help="measure only our batches")
    options = parser.parse_args(arguments)
    cores = sorted(os.sched_getaffinity(0))[:2]
    rows = [ours(title, game, options.batch, options.wide) for title, game in variants(options.games)]
    rows += [] if options.without_others else others(cores)
    print_table(rows, measured(rows, cores, options.seconds, options.rounds))
