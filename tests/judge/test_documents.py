"""A judge is judged: every program of every document of ours is accepted, and its cases cover the document."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import cycle, islice

import pytest

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import catalogue
from ludoteca.judge.judge import judge
from ludoteca.judge.making import coverage, make_cases
from ludoteca.judge.rules import Status, mark
from ludoteca.judge.verdicts import Verdict

GAMES = [spec.name for spec in registry.registered_games() if spec.has("judging")]
LIMITS = Limits(move=600.0)


@cache
def parts_of(game: str) -> dict[str, Part]:
    found: dict[str, Part] = registry.find(game).module("judging").PARTS
    return found


PARTS = [(game, name) for game in GAMES for name in parts_of(game)]


@cache
def cases_of(game: str, name: str, seed: int = 0) -> list[Case]:
    return make_cases(parts_of(game)[name], seed)


class Altered:
    """A program that prints our own output after a change. Without a change it is our own program."""

    isolation = "in this process"
    together = 1

    def __init__(self, change: Callable[[str], str] = str) -> None:
        self._change = change

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        return Run(self._change(case.output).encode(), case.status)

    def close(self) -> None:
        pass


def check_own_program(game: str, name: str, seed: int) -> None:
    part, cases = parts_of(game)[name], cases_of(game, name, seed)
    covered = coverage(part, cases)
    lacking = [branch.key for branch in part.branches if covered[branch.key] < branch.least]
    assert lacking == []
    report = judge(registry.find(game), name, cases, [Altered()], LIMITS)
    assert report.verdict == Verdict.ACCEPTED
    assert {rule.status for rule in report.rules} <= {Status.KEPT, Status.NOT_TESTED}
    assert mark(report.rules, report.verdict) == 100


@pytest.mark.parametrize(("game", "name"), PARTS)
def test_our_own_program_is_accepted(game: str, name: str) -> None:
    check_own_program(game, name, 0)


@pytest.mark.soak
@pytest.mark.parametrize(("seed", "part"), list(enumerate(islice(cycle(PARTS), 200), start=1)))
def test_our_own_program_is_always_accepted(seed: int, part: tuple[str, str]) -> None:
    check_own_program(*part, seed)


@pytest.mark.parametrize("game", GAMES)
def test_every_branch_has_a_name(game: str) -> None:
    texts = catalogue(registry.find(game).package, "en")  # a law compares the keys of the languages
    assert {f"branch.{branch.key}" for part in parts_of(game).values() for branch in part.branches} <= texts.keys()


SAME = """
import sys
from hashlib import sha256
from ludoteca.core import registry
from ludoteca.judge.making import make_cases
cases = make_cases(registry.find(sys.argv[1]).module("judging").PARTS[sys.argv[2]], 3, 4)
print(sha256(repr([(c.arguments, c.input, c.output, sorted(c.files.items())) for c in cases]).encode()).hexdigest())
"""


@pytest.mark.parametrize(("game", "name"), PARTS[:1])
def test_a_seed_gives_the_same_cases_in_every_process(game: str, name: str) -> None:
    """Though every process puts sets in another order."""
    seen = {
        subprocess.run(
            [sys.executable, "-c", SAME, game, name],
            env=os.environ | {"PYTHONHASHSEED": order},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for order in ("1", "2")
    }
    assert len(seen) == 1
