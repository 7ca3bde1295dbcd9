"""Measure what the sandbox adds to a run of a program, and the time to build it.

The kinds of run take turns, so that other work on the machine affects all of them. This needs gcc.

Figures: docs/sandbox.md#what-it-costs
"""

import os
import subprocess
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.measuring import middle, print_header, print_row
from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.limits import Limits

TRUE = "int main(void) { return 0; }"
ECHO = """
#include <stdio.h>
int main(void) { char line[100]; while (fgets(line, sizeof line, stdin)) { fputs(line, stdout); fflush(stdout); } return 0; }
"""


def compiled(folder: str, name: str, source: str) -> str:
    """Compile a program into the folder, and return its path."""
    program = f"{folder}/{name}"
    subprocess.run(["gcc", "-O2", "-x", "c", "-", "-o", program], input=source.encode(), check=True)
    return program


def milliseconds(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - begin)


def measure(true: str, echo: str, bubblewrap: bool, runs: int) -> None:
    """Print the times of one kind of sandbox."""

    def spawn() -> None:
        os.waitpid(os.posix_spawn(true, [true], {}), 0)

    def build() -> None:
        with Box([true], Limits(), bubblewrap=bubblewrap):
            pass

    with (
        Box([true], Limits(), bubblewrap=bubblewrap) as box,
        Box([echo], Limits(), bubblewrap=bubblewrap) as other,
        other.start() as talk,
    ):

        def ask() -> None:
            talk.send("a line\n")
            talk.start_clock(60)
            talk.line()

        kinds: dict[str, Callable[[], object]] = {
            "a spawn alone": spawn,
            "a run in the sandbox": lambda: box.run(b""),
            "a line to a living program, and its answer": ask,
        }
        times = {name: list[float]() for name in kinds}
        for _ in range(runs):
            for name, action in kinds.items():
                times[name].append(milliseconds(action))
        times["building and leaving a sandbox"] = [milliseconds(build) for _ in range(max(runs // 20, 3))]
        print_header(box.isolation, "median, ms", "quickest, ms")
    for name, found in times.items():
        print_row(name, middle(found), f"{min(found):.2f}")


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--runs", type=int, default=300, help="repetitions of each kind of run (300)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        true, echo = compiled(folder, "true", TRUE), compiled(folder, "echo", ECHO)
        for bubblewrap in (True, False):
            measure(true, echo, bubblewrap, options.runs)
            print()
