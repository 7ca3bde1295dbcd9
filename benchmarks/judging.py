"""How long the judge takes for a program in C: `python benchmarks/judging.py [--cases 300]`.

The program is Okupació's document in C (`tests/judge/okupacio.c`), compiled here; its cases are made, and run in the sandbox
on all cores.
"""

import argparse
import os
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.judge.judge import judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import Boxed

SOURCE: Final = Path(__file__).parents[1] / "tests" / "judge" / "okupacio.c"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    number = parser.parse_args().cases
    spec = registry.find("okupacio")
    part = spec.module("judging").PARTS[""]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)
        program = Path(folder) / "okupacio"
        subprocess.run(["gcc", "-O2", "-o", str(program), str(SOURCE)], check=True)
        begun = time.perf_counter()
        cases = make_cases(part, 0, number)
        made = time.perf_counter()
        copies = [stack.enter_context(Boxed(part, [str(program)], Limits())) for _ in os.sched_getaffinity(0)]
        report = judge(spec, "", cases, copies, Limits())
        done = time.perf_counter()
    print(f"{report.verdict}, {report.accepted} of {len(cases)} cases on {len(copies)} cores")
    print(f"made in {made - begun:.1f} s, run in {done - made:.1f} s ({1000 * (done - made) / len(cases):.1f} ms a case)")
    print(report.isolation)


if __name__ == "__main__":
    main()
