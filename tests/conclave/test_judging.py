"""Cases for programs of the document."""

import re
from random import Random

import pytest

from ludoteca.core.judging import Case
from ludoteca.games.conclave.judging import PARTS
from ludoteca.games.conclave.judging.ends import TIED, ties
from ludoteca.judge.making import make_cases

PART = PARTS[""]
KEYS = frozenset(branch.key for branch in PART.branches if branch.least)


def cases_of(seed: int) -> list[Case]:
    """Return cases that cover every branch, the shortest first."""
    random, wanted, cases = Random(seed), set(KEYS), list[Case]()
    while wanted and len(cases) < 100:
        cases.append(PART.case(random, frozenset(wanted)))
        wanted -= cases[-1].branches
    assert not wanted
    return sorted(cases, key=lambda case: case.turns)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_rare_deals_that_end_with_equal_points_do(players: int) -> None:
    listed = [seed for number, seed in TIED if number == players]
    assert [*ties(players, listed[:1])] == listed[:1]


def test_a_line_holds_one_answer_and_no_blanks_around_it() -> None:
    for case in make_cases(PART, 0):
        for line in case.input.splitlines():
            assert line in case.plan.names or re.fullmatch(r"\S+|-?\d -?\d", line)
            assert line == line.strip() != ""


@pytest.mark.soak
def test_every_branch_is_covered_from_any_seed() -> None:
    for seed in range(50):
        cases_of(seed)
    for players, seed in TIED:
        assert [*ties(players, [seed])] == [seed]
