"""What the sandbox costs: one process a move beside the mere spawn of a program, an answer of a living one, and building it.

    python benchmarks/boxes.py [--runs N]

Needs gcc. The kinds of run take turns, so that other work on the machine meets them all. Prints a Markdown table: median
and quickest, in milliseconds.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.limits import Limits

TRUE = "int main(void) { return 0; }"
ECHO = """
#include <stdio.h>
int main(void) { char line[100]; while (fgets(line, sizeof line, stdin)) { fputs(line, stdout); fflush(stdout); } return 0; }
"""


def compiled(folder: str, name: str, source: str) -> str:
    program = f"{folder}/{name}"
    subprocess.run(["gcc", "-O2", "-x", "c", "-", "-o", program], input=source.encode(), check=True)
    return program


def spawned(program: str) -> None:
    pid = os.posix_spawn(program, [program], {})
    os.waitpid(pid, 0)


def timed(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - begun)


def row(name: str, times: list[float]) -> str:
    return f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} |"


def built(program: str, bubblewrap: bool) -> None:
    with Box([program], Limits(), bubblewrap=bubblewrap):
        pass


def measure(folder: str, bubblewrap: bool, runs: int) -> None:
    true, echo = compiled(folder, "true", TRUE), compiled(folder, "echo", ECHO)
    with Box([true], Limits(), bubblewrap=bubblewrap) as box, Box([echo], Limits(), bubblewrap=bubblewrap) as other:
        print(f"\n{box.isolation}\n\n| | median | quickest |\n|---|---|---|")
        times: dict[str, list[float]] = {}
        with other.start() as talk:

            def answered() -> None:
                talk.send("a line\n")
                talk.start_clock(60)
                talk.line()

            kinds: dict[str, Callable[[], object]] = {
                "a spawn alone (`posix_spawn`, `waitpid`)": lambda: spawned(true),
                "a run in the sandbox": lambda: box.run(b""),
                "a run with a file and 10 kB of input": lambda: box.run(b"x" * 10_000, files={"file": "text"}),
                "a line to a living program, and its answer": answered,
            }
            for _ in range(runs):
                for name, action in kinds.items():
                    times.setdefault(name, []).append(timed(action))
        times["building a sandbox and leaving it"] = [
            timed(lambda: built(true, bubblewrap)) for _ in range(max(runs // 20, 3))
        ]
    for name, found in times.items():
        print(row(name, found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for bubblewrap in (True, False):
            measure(folder, bubblewrap, options.runs)


if __name__ == "__main__":
    main()
