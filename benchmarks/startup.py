"""What starting costs, measured on whole processes: importing, a console program's first prompt, compiling cold and cached.

    python benchmarks/startup.py [--runs N]

Prints a Markdown table: median and range over the runs, in milliseconds.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

COMPILE = """
import time
from ludoteca.core import playouts
from ludoteca.core.game import load
import numba
start = time.perf_counter()
game = load("{name}", compiled=True)
game.steps, game.bind(playouts)
print(time.perf_counter() - start)
"""
IMPORT = "import time; start = time.perf_counter(); import ludoteca; print(time.perf_counter() - start)"


def python(code: str, **environment: str) -> float:
    """The number that a fresh process prints: seconds."""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return float(result.stdout)


def bare_process() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def first_prompt(name: str) -> float:
    """Seconds from starting the program to the first line it prints."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "ludoteca", "console", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        assert program.stdout is not None
        program.stdout.readline()
        spent = time.perf_counter() - start
        program.communicate()
    return spent


def compile_cold(name: str) -> float:
    with tempfile.TemporaryDirectory() as cache:
        return python(COMPILE.format(name=name), LUDOTECA_CACHE=cache)


def compile_cached(name: str) -> float:
    return python(COMPILE.format(name=name))


def row(what: str, measure: Callable[[], float], runs: int) -> str:
    times = sorted(1000 * measure() for _ in range(runs))
    return f"| {what} | {statistics.median(times):,.0f} | {times[0]:,.0f} to {times[-1]:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    compile_cached("okupacio")
    print("| what | median, ms | range, ms |\n|---|---|---|")
    print(row("a Python process that does nothing", bare_process, runs))
    print(row("`import ludoteca`, inside the process", lambda: python(IMPORT), runs))
    print(row("`ludoteca console okupacio` to its first prompt, the whole process", lambda: first_prompt("okupacio"), runs))
    print(row("compiling all of Okupació, cold", lambda: compile_cold("okupacio"), max(runs // 3, 1)))
    print(row("the same from the cache", lambda: compile_cached("okupacio"), runs))


if __name__ == "__main__":
    main()
