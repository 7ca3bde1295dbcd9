"""The judge names the sentences that changes of right programs break.

`wrong.toml` has the changes and their sentences. `make test-slow` judges a sample of two documents. This command judges all
of them and prints a line for each:

    pytest -m soak -s tests/judge/test_wrong.py
"""

import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import pytest

from ludoteca.core import registry
from ludoteca.core.judging import Case, Options, part_of
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import Boxed
from tests.judge.test_right import LIMITS, RIGHT, STUDENT, asked_of, compiled, need

FILE: Final = Path(__file__).with_name("wrong.toml")
SAMPLE: Final = slice(11, None, 24)
"""The changes of a document that are in the sample."""


class Change(NamedTuple):
    program: Path
    rules: tuple[str, ...]
    """Keys of branches. The change breaks their sentence."""
    old: str
    new: str


class Floor(NamedTuple):
    right: int
    """The least number of changes whose sentence is named."""
    wrong: int
    """The most changes for which another sentence is named."""
    accepted: int
    """The most changes with which a program is still accepted."""


FLOORS: Final = {
    "okupacio": Floor(34, 0, 0),
    "conclave": Floor(35, 2, 0),
    "cartas": Floor(55, 2, 1),  # one change shows only in tests that rest on a decision
    "metro": Floor(26, 2, 0),
}
FLOORS_OF_SAMPLE: Final = {
    "cartas": Floor(3, 0, 0),
    "metro": Floor(1, 0, 0),
}


def changes_of(game: str) -> list[Change]:
    found = []
    for name, tables in tomllib.loads(FILE.read_text(encoding="utf-8")).items():
        program = STUDENT if name == "metro/student.pl" else RIGHT / name
        for each in tables:
            rules = (each["rule"],) if isinstance(each["rule"], str) else tuple(each["rule"])
            found.append(Change(program, rules, each["old"], each["new"]))
    return [change for change in found if change.program.parent.name == game]


@cache
def cases_of(game: str, part: str, options: Options) -> list[Case]:
    return make_cases(part_of(registry.find(game), part, options), seed=0)


def judged(change: Change, folder: Path) -> Report:
    text = change.program.read_text(encoding="utf-8")
    assert text.count(change.old) == 1
    source = folder / change.program.name
    source.write_text(text.replace(change.old, change.new), encoding="utf-8")
    spec, part, options = asked_of(change.program)
    with Boxed(part_of(spec, part, options), compiled(source, folder), LIMITS) as boxed:
        return judge(spec, part, cases_of(spec.name, part, options), [boxed], LIMITS, options=options)


def named(report: Report) -> list[str]:
    """The keys of the branches that the report quotes for the first failing case."""
    return [branch.key for branch in report.failures[0].cause.branches]


def result_of(change: Change, report: Report) -> str:
    if not report.failures:
        return "accepted"
    spec, part, options = asked_of(change.program)
    sentences = {branch.key: branch.sentence for branch in part_of(spec, part, options).branches}
    keys = named(report)
    is_among = not {sentences[key] for key in keys}.isdisjoint(sentences[key] for key in change.rules)
    if len(keys) == 1:
        return "right" if is_among else "wrong"
    return "choice" if is_among else "none"


def check(changes: list[Change], floor: Floor, folder: Path) -> None:
    for program in {change.program for change in changes}:
        need(program)
    counts = Counter[str]()
    for number, change in enumerate(changes):
        own = folder / str(number)
        own.mkdir()
        for each in (own, *own.parents[:3]):
            each.chmod(0o755)
        begin = perf_counter()
        report = judged(change, own)
        result = result_of(change, report)
        counts[result] += 1
        keys = [",".join(change.rules), ",".join(named(report)) if report.failures else "", report.verdict.name]
        first = change.new.strip().partition("\n")[0]
        cells = [result, change.program.name, *keys, f"{perf_counter() - begin:.1f}", first]
        sys.stdout.write("\t".join(cells) + "\n")
        sys.stdout.flush()
    assert counts["right"] >= floor.right
    assert counts["wrong"] <= floor.wrong
    assert counts["accepted"] <= floor.accepted


@pytest.mark.slow
@pytest.mark.parametrize("game", FLOORS_OF_SAMPLE)
def test_a_sample_of_wrong_programs_is_explained(game: str, tmp_path: Path) -> None:
    check(changes_of(game)[SAMPLE], FLOORS_OF_SAMPLE[game], tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("game", FLOORS)
def test_wrong_programs_are_explained(game: str, tmp_path: Path) -> None:
    check(changes_of(game), FLOORS[game], tmp_path)
