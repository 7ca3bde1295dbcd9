"""Measure the times of imports, of a console program's first prompt and of compiling, in whole processes.

The second table has the processor seconds in which each game compiles with an empty cache. Columns are compiled from left to
right, and functions that a column has compiled are free in the next ones.

Figures: docs/speed.md#starting
"""

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Final

from benchmarks.measuring import middle, print_header, print_row
from benchmarks.servers import started
from ludoteca.core import registry

IMPORT: Final = "import time; start = time.perf_counter(); import ludoteca; print(time.perf_counter() - start)"
COMPILE_ALL: Final = """
import time
from ludoteca.core import playouts
from ludoteca.core.game import load
import numba
start = time.perf_counter()
game = load("okupacio", compiled=True)
game.steps, game.bind(playouts)
print(time.perf_counter() - start)
"""
COMPILE_PARTS: Final = """
import sys, time
import numba
from ludoteca.agents.agent import new_searcher
from ludoteca.core import hints, playouts
from ludoteca.core.game import load

game = load(sys.argv[1], compiled=True)
heuristics = game.spec.module("heuristics") if game.spec.has("heuristics") else None
for make in (
    lambda: game.steps,
    lambda: new_searcher(game),
    lambda: heuristics and game.bind(hints, heuristics),
    lambda: game.bind(playouts),
):
    start = time.process_time()
    make()
    print(time.process_time() - start)
"""


def run(code: str, *arguments: str, cold: bool = False) -> list[float]:
    """Run Python code in a new process, and return the numbers that it prints. `cold` gives it an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | ({"LUDOTECA_CACHE": cache} if cold else {})
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def bare_process() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def first_prompt() -> float:
    """Return the seconds from the start of a console program to the first line that it prints."""
    start = time.perf_counter()
    with started("console", "okupacio") as program:
        assert program.stdout
        program.stdout.readline()
        return time.perf_counter() - start


def print_starts(runs: int) -> None:
    """Print the times of whole processes."""
    print_header("what", "median, ms", "range, ms")
    run(COMPILE_ALL)  # fills the cache
    kinds: dict[str, tuple[Callable[[], float], int]] = {
        "a Python process that does nothing": (bare_process, runs),
        "`import ludoteca`, inside the process": (lambda: run(IMPORT)[0], runs),
        "`ludoteca console okupacio` to its first prompt, the whole process": (first_prompt, runs),
        "compiling all of Okupació, cold": (lambda: run(COMPILE_ALL, cold=True)[0], max(runs // 3, 1)),
        "the same from the cache": (lambda: run(COMPILE_ALL)[0], runs),
    }
    for name, (measure, times) in kinds.items():
        found = [1000 * measure() for _ in range(times)]
        print_row(name, middle(found, 0), f"{min(found):,.0f} to {max(found):,.0f}")


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="games of the second table (all)")
    parser.add_argument("--runs", type=int, default=7, help="repetitions of each start (7)")
    options = parser.parse_args(arguments)
    print_starts(options.runs)
    print()
    print_header("CPU seconds", "steps", "search", "hints", "playouts", "all")
    for name in options.games or registry.names():
        seconds = run(COMPILE_PARTS, name, cold=True)
        print_row(name, *(f"{each:.1f}" for each in (*seconds, sum(seconds))))
