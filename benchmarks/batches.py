"""Steps a second of batches, beside the rate at which the same bytes are filled, and beside Pgx and EnvPool in the same run.

    python benchmarks/batches.py [--games 256] [--wide 8192] [--seconds 0.15] [--rounds 7] [--without-others]

The others are installed once, in an environment of their own in the user's cache folder. Everybody takes turns, round by
round, and ratios are taken within a round: on a shared machine the speed of all goes up and down together. Only the steps
are timed, not the drawing of random legal actions; all deal games anew that end, and give masks (EnvPool: Game2048 only).
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import platformdirs

from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.envs.batch import Batch

OTHERS: Final = {"pgx hex": ("pgx", "jax[cpu]"), "envpool": ("envpool",)}
HEX: Final = "Pgx, hex 11 x 11"
CHILD: Final = Path(__file__).with_name("batches_of_others.py")

Rate = Callable[[float], float]
"""Steps a second, found by stepping for about so many seconds."""


class Row(NamedTuple):
    """A line of the table: what is measured, and how many bytes a step writes."""

    title: str
    size: int
    rates: Mapping[str, Rate]


def rate_of(batch: Batch) -> Rate:
    """Steps of a batch, every game in it counted."""
    batch.reset(1)

    def rate(seconds: float) -> float:
        steps, spent = 0, 0.0
        while spent < seconds:
            numbers = batch.sample()
            begin = time.perf_counter()
            batch.step(numbers)
            spent += time.perf_counter() - begin
            steps += batch.n
        return steps / spent

    return rate


def filling(batch: Batch) -> Rate:
    """The same for merely filling the batch's buffers."""

    def rate(seconds: float) -> float:
        steps, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            for array in batch.buffers:
                array.fill(0)
            steps += batch.n
        return steps / spent

    return rate


def ours(n: int, wide: int, chosen: str) -> Iterator[Row]:
    """Every game and variant in batches of n, and in wide ones on one core and on two."""
    for spec in registry.games():
        for name, parameters in (spec.variants or {"": {}}).items():
            if chosen not in f"{spec.name} {name}":
                continue
            game = Game(spec, parameters, compiled=True)
            batch = Batch(game, n)
            yield Row(
                f"{spec.title} {name}",
                sum(array.nbytes for array in batch.buffers) // n,
                {
                    "all": rate_of(batch),
                    "bare": rate_of(Batch(game, n, observations=False, masks=False)),
                    "fill": filling(batch),
                    "wide": rate_of(Batch(game, wide)),
                    "two": rate_of(Batch(game, wide, threads=2)),
                },
            )


class Child:
    """A process with one of the other libraries, which is asked for rates line by line."""

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
    """The Python of an environment that has the others, made the first time."""
    folder = platformdirs.user_cache_path("ludoteca") / "benchmarks" / "batches-of-others"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"batches: installing the others in {folder} (once)", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pgx", "jax[cpu]", "envpool"], check=True)
        (folder / "ready").touch()
    return python


def others(cores: list[int]) -> Iterator[Row]:
    """Pgx's hex and EnvPool's environments, on one core and on two."""
    python = installed()
    for title, name in (
        (HEX, "pgx:hex"),
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
    """The rates of every row, for each round."""
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
    """The median over the rounds of a rate, in millions a second, or of its ratio to another one."""
    if (title, kind) not in found[0] or (over and over not in found[0]):
        return ""
    values = median(rates[title, kind] / (rates[over] if over else 1e6) for rates in found)
    return f"{values:.2f}" if values < 10 else f"{values:.1f}"


def table(rows: list[Row], found: list[dict[tuple[str, str], float]]) -> Iterator[str]:
    """The lines of a table in Markdown; rates in millions of steps a second."""
    yield "| million steps/s | one core | of filling | x hex | bytes | filling them | bare | wide | two cores | x |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        cells = [
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
        ]
        yield f"| {' | '.join(cells)} |"


def main(arguments: Any = None) -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=256, help="in a batch, on one core (256)")
    parser.add_argument("--wide", type=int, default=8192, help="games in a wide batch, on one core and on two (8192)")
    parser.add_argument("--seconds", type=float, default=0.15, help="for each rate of a round (0.15)")
    parser.add_argument("--rounds", type=int, default=7, help="(7)")
    parser.add_argument("--only", default="", help="those of our games whose name and variant hold this")
    parser.add_argument("--without-others", action="store_true", help="measure our batches alone")
    options = parser.parse_args(arguments)
    cores = sorted(os.sched_getaffinity(0))[:2]
    rows = [*ours(options.games, options.wide, options.only), *([] if options.without_others else others(cores))]
    found = measured(rows, cores, options.seconds, options.rounds)
    print("\n".join(table(rows, found)))


if __name__ == "__main__":
    main()
