"""The long tests, each part within its budget: `make soak`.

A part that reaches its budget stops, and its last line says how far it came. A failure ends only its part.
"""

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PARTS: Final = {
    # minutes, and a command of make, a module or files of tests
    "lowest": (5, "make lowest"),
    "newest": (5, "make newest"),
    "same": (6, "python -m tools.same --short HEAD~1"),
    "laws": (6, "tests/test_laws.py"),
    "games": (9, "tests/cartas tests/conclave tests/metro tests/okupacio tests/qinto"),
    "judge": (8, "tests/judge"),
    "server": (12, "tests/server tests/soak"),
    "browser": (6, "tests/browser"),
    "arena": (4, "tests/arena"),
    "pages": (7, "tests/web"),
    "others": (4, "tests"),
    "readers": (5, "tests/test_readers.py -m hypothesis --hypothesis-profile=soak"),
    "properties": (8, "tests --ignore=tests/test_readers.py -m hypothesis --hypothesis-profile=soak"),
}
"""The budget and the command of each part. The budgets are 85 minutes in sum."""
LAST_TEST: Final = 0.85
"""The share of a budget after which tests stop, so that servers and pytest have time to end."""
INTERRUPTED: Final = 0.97
"""The share of a budget after which a part that still runs is interrupted. At the end of the budget it is killed."""


def command_of(part: str) -> list[str]:
    """Return the arguments of a part's process. The tests marked `soak` of no other part belong to `others`."""
    words = shlex.split(PARTS[part][1])
    if words[0] == "make":
        return words
    if words[0] == "python":
        return [sys.executable, *words[1:]]
    others = {path for _, text in PARTS.values() for path in text.split() if path.startswith("tests/")}
    marks = [] if "-m" in words else ["-m", "soak"]
    ignored = [f"--ignore={path}" for path in sorted(others)] if part == "others" else []
    return [sys.executable, "-m", "pytest", "-n", "4", *marks, *ignored, *words]


def run(part: str, minutes: float) -> str:
    """Run a part, and return a line: whether it passed, failed, or was stopped, and its counts of tests, or last line."""
    began = time.time()
    process = subprocess.Popen(
        command_of(part),
        cwd=ROOT,
        env=os.environ | {"LUDOTECA_SOAK_ENDS": str(began + 60 * minutes * LAST_TEST)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout
    ends = {signal.SIGINT: 60 * minutes * INTERRUPTED, signal.SIGKILL: 60 * minutes}
    timers = [Timer(seconds, os.killpg, (process.pid, number)) for number, seconds in ends.items()]
    last = counts = ""
    try:
        for timer in timers:
            timer.start()
        for line in process.stdout:
            sys.stdout.write(line)
            last = line.strip() or last
            counts = last if re.search(r"\d (passed|failed|skipped|errors?)\b.* in ", line) else counts
        status = process.wait()
    finally:
        for timer in timers:
            timer.cancel()
    taken = (time.time() - began) / 60
    stopped = taken >= minutes * INTERRUPTED
    failed = re.search(r"\d (failed|errors?)\b", counts) or (status and not stopped)
    result = "failed" if failed else "stopped" if stopped else "passed"
    return f"{part}: {result} after {taken:.1f} of {minutes:.1f} minutes: {counts or last}"


def main() -> int:
    """Run the parts, and print a line for each. Return 1 if one failed."""
    most = sum(minutes for minutes, _ in PARTS.values())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument(
        "--share", type=float, default=1.0, help=f"the share of each budget (default: 1, {most} minutes in all)"
    )
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"read the part {unknown.pop()}, expected one of {', '.join(PARTS)}")
    found: list[str] = []
    for part in given.parts or PARTS:
        print(f"== {part}", flush=True)
        found.append(run(part, PARTS[part][0] * given.share))
    print("", *found, sep="\n")
    return int(any(": failed after" in line for line in found))


if __name__ == "__main__":
    sys.exit(main())
