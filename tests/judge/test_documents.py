"""A judge is judged: of every program of every document, our own is accepted, and each of its mutants is found out."""

import os
import subprocess
import sys
from functools import cache
from itertools import cycle, islice

import pytest

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.judging import Case, Mutant, Part
from ludoteca.core.messages import catalogue
from ludoteca.judge.causes import Effects
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.making import coverage, make_cases
from ludoteca.judge.programs import OurOwn
from ludoteca.judge.rules import EQUAL, Status, mark
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.verdicts import Verdict, verdict_on

GAMES = [spec.name for spec in registry.games() if spec.has("judging")]
LIMITS = Limits(move=600.0)


SLOWEST = "metro"
"""The game whose programs run longest. The soak explains its mutants."""


@cache
def parts_of(game: str) -> dict[str, Part]:
    found: dict[str, Part] = registry.find(game).module("judging").PARTS
    return found


PARTS = [(game, name) for game in GAMES for name in parts_of(game)]
MUTANTS = [
    pytest.param(game, name, mutant, id=f"{game}-{name}-{mutant.name.replace(' ', '-')}")
    for game, name in PARTS
    for mutant in parts_of(game)[name].mutants
]


@cache
def cases_of(game: str, name: str, seed: int = 0) -> list[Case]:
    return make_cases(parts_of(game)[name], seed)


@cache
def effects_of(game: str, name: str) -> Effects:
    return Effects(registry.find(game), parts_of(game)[name], cases_of(game, name))


def judged(game: str, name: str, cases: list[Case], mutant: Mutant | None = None, effort: Effort | None = None) -> Report:
    spec = registry.find(game)
    program = OurOwn(spec, parts_of(game)[name], mutant)
    effects = effects_of(game, name) if cases is cases_of(game, name) else None
    return judge(spec, name, cases, [program], LIMITS, effort=effort or Effort(), effects=effects)


def check_own_program(game: str, name: str, seed: int) -> None:
    part, cases = parts_of(game)[name], cases_of(game, name, seed)
    covered = coverage(part, cases)
    lacking = [branch.key for branch in part.branches if covered[branch.key] < branch.least]
    assert lacking == []
    report = judged(game, name, cases)
    assert report.verdict == Verdict.ACCEPTED
    assert {rule.status for rule in report.rules} <= {Status.KEPT, Status.NOT_TESTED}
    assert mark(report.rules, EQUAL, report.verdict) == 100


@pytest.mark.parametrize(("game", "name"), PARTS)
def test_our_own_program_is_accepted(game: str, name: str) -> None:
    check_own_program(game, name, 0)


@pytest.mark.soak
@pytest.mark.parametrize(("seed", "part"), list(enumerate(islice(cycle(PARTS), 200), start=1)))
def test_our_own_program_is_always_accepted(seed: int, part: tuple[str, str]) -> None:
    check_own_program(*part, seed)


@pytest.mark.parametrize(("game", "name"), PARTS)
def test_every_mutant_gets_its_verdict(game: str, name: str) -> None:
    spec, part, cases = registry.find(game), parts_of(game)[name], cases_of(game, name)
    for mutant in part.mutants:
        program = OurOwn(spec, part, mutant)
        verdicts = (verdict_on(part, case, program.run(case), LIMITS).verdict for case in cases)
        first = next((verdict for verdict in verdicts if verdict != Verdict.ACCEPTED), Verdict.ACCEPTED)
        assert first in ((Verdict.WRONG,) if mutant.branch else (Verdict.WRONG, Verdict.PRESENTATION)), mutant.name


def check_explanation(game: str, name: str, mutant: Mutant) -> None:
    """Its own sentence and, unless it shows at the end of a game only, a case of few turns."""
    report = judged(game, name, cases_of(game, name), mutant, Effort(runs=400, turns=mutant.turns))
    assert report.failure is not None
    if not mutant.branch:
        assert report.failure.cause.branch is None
    else:
        assert report.verdict == Verdict.WRONG
        assert mutant.at_the_end or report.failure.case.turns <= mutant.turns
        sentence = {branch.key: branch.sentence for branch in parts_of(game)[name].branches}[mutant.branch]
        assert report.failure.cause.branch
        assert report.failure.cause.branch.sentence == sentence


@pytest.mark.parametrize(("game", "name", "mutant"), [each for each in MUTANTS if each.values[0] != SLOWEST][::20])
def test_a_mutant_is_explained(game: str, name: str, mutant: Mutant) -> None:
    check_explanation(game, name, mutant)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "name", "mutant"), MUTANTS)
def test_every_mutant_is_explained(game: str, name: str, mutant: Mutant) -> None:
    check_explanation(game, name, mutant)


@pytest.mark.parametrize("game", GAMES)
def test_a_document_has_fifteen_mutants_with_sentences_of_their_own(game: str) -> None:
    parts = parts_of(game).values()
    assert sum(bool(mutant.branch) for part in parts for mutant in part.mutants) >= 15
    for part in parts:
        keys = [branch.key for branch in part.branches]
        assert len(set(keys)) == len(keys)
        assert {mutant.branch for mutant in part.mutants} <= {*keys, ""}


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
