"""Measure the time in which the judge makes the cases of Okupació and runs them with a program in C.

The program is `tests/judge/right/okupacio/okupacio.c`. It runs in the sandbox, on all cores. This needs gcc.

Figures: docs/class.md#judge-again
"""

import subprocess
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.workers import cores
from ludoteca.judge.judge import judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import Boxed

SOURCE: Final = Path(__file__).parents[1] / "tests" / "judge" / "right" / "okupacio" / "okupacio.c"


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--cases", type=int, default=300, help="(300)")
    options = parser.parse_args(arguments)
    spec = registry.find("okupacio")
    part = spec.module("judging").PARTS[""]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)
        program = Path(folder) / "okupacio"
        subprocess.run(["gcc", "-O2", "-o", str(program), str(SOURCE)], check=True)
        begin = time.perf_counter()
        cases = make_cases(part, 0, options.cases)
        made = time.perf_counter()
        copies = [stack.enter_context(Boxed(part, [str(program)], Limits())) for _ in range(cores())]
        report = judge(spec, "", cases, copies, Limits())
        done = time.perf_counter()
    print(f"{report.verdict}, {report.accepted} of {len(cases)} cases on {len(copies)} cores")
    print(f"made in {made - begin:.1f} s, run in {done - made:.1f} s")
