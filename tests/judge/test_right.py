"""Right programs by other authors are accepted: other languages and styles, and both readings of an open question.

The programs in `right/` were written from the documents, the published sets and the pages about them. Their authors compared
the outputs with Ludoteca's afterwards. Some programs end with status 1, or without a last line end. Some read by token,
others by line. Some know only what a document says: a word in place of a number would stop them.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.judging import Options, part_of
from ludoteca.core.spec import GameSpec
from ludoteca.judge.judge import judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words, lines

RIGHT: Final = Path(__file__).parent / "right"
STUDENT: Final = Path(__file__).parents[1] / "metro" / "student.pl"
PROGRAMS: Final = [*sorted(path for path in RIGHT.glob("*/*") if path.suffix in (".c", ".cpp", ".java", ".py")), STUDENT]
NEEDS: Final = {
    ".c": ("gcc", "gcc"),
    ".cpp": ("g++", "g++"),
    ".java": ("javac", "default-jdk-headless"),
    ".pl": ("swipl", "swi-prolog-nox"),
    ".py": ("python3", "python3"),
}
"""The program that compiles or runs a file, and its Debian package."""
LIMITS: Final = Limits(cpu=10, move=120, output=8 << 20, memory=2 << 30)
FEW: Final = {".java": 1, ".pl": 3}
"""Cases in every run, of programs that take long to start."""
BUSY: Final = 4
"""Programs that only count, in the soak."""


@cache
def compiled(source: Path, folder: Path) -> list[str]:
    if source.suffix in (".c", ".cpp"):
        program = folder / f"{source.stem}{source.suffix[1:]}"
        subprocess.run([NEEDS[source.suffix][0], "-O2", "-o", program, source], check=True)
        return [str(program)]
    if source.suffix == ".java":
        subprocess.run(["javac", "-d", folder, source], check=True)
        return ["java", "-cp", str(folder), source.stem]
    return [str(source)] if source.suffix == ".pl" else [sys.executable, str(source)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("right")
    for each in (made, *made.parents[:2]):
        each.chmod(0o755)
    return made


def need(source: Path) -> None:
    command, package = NEEDS[source.suffix]
    if not shutil.which(command):
        pytest.skip(f"{command} is missing: as root, apt-get install {package}")


def asked_of(source: Path) -> tuple[GameSpec, str, Options]:
    """The game, the part and the form for which a program was written."""
    spec, name = registry.find(source.parent.name), source.stem.partition("_")[0]
    options = Options("contest") if source.stem.endswith("_contest") else Options()
    return spec, name if name in spec.module("judging").PARTS else "", options


def judge_with(source: Path, seeds: range, folder: Path, number: int | None = None) -> None:
    need(source)
    spec, part, options = asked_of(source)
    with Boxed(part_of(spec, part), compiled(source, folder), LIMITS) as boxed:
        for seed in seeds:
            cases = make_cases(part_of(spec, part, options), seed, number)
            report = judge(spec, part, cases, [boxed], LIMITS, options=options)
            assert report.failure is None, "\n".join(lines(report, Words(spec, "en")))


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    {source.parent: source for source in PROGRAMS}.values(),
    ids=lambda source: f"{source.parent.name}-{source.name}",
)
def test_a_right_program_is_accepted(source: Path, folder: Path) -> None:
    judge_with(source, range(1), folder, FEW.get(source.suffix, 10))


@contextmanager
def busy() -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@pytest.mark.soak
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: f"{source.parent.name}-{source.name}")
def test_a_right_program_is_accepted_with_any_seed_on_a_busy_machine(source: Path, folder: Path) -> None:
    with busy():
        judge_with(source, range(20), folder)
