"""Sets of cases."""

from itertools import count
from random import Random

import pytest

from ludoteca.core.judging import Branch, Case, Step
from ludoteca.judge.making import USELESS_CASES, coverage, make_cases
from tests.judge.test_verdicts import Echo


class Late(Echo):
    """Its first case covers one branch. The other branch needs this many more cases."""

    branches = (Branch("first", "", ""), Branch("late", "", ""))

    def __init__(self, tries: int) -> None:
        self._tries = tries
        self._made = count()

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        return Case((), (Step("", "", frozenset({"late" if next(self._made) == self._tries else "first"})),))


@pytest.mark.parametrize("late", [0, 1])
def test_a_branch_stays_uncovered_after_many_useless_cases_in_a_row(late: int) -> None:
    part = Late(USELESS_CASES + late)
    assert coverage(part, make_cases(part, 0)) == {"first": 1, "late": 1 - late}
