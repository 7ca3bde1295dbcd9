"""Makes small sets of short cases that cover all branches of a document, which are the things that its sentences decide."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from ludoteca.core.judging import DECISION, Case, Part, check

BRANCHES_OF_CASE: Final = 4
"""The number of branches that each new case is asked to cover."""
CASES_OF_DECISION: Final = 3
"""The number of cases that test each decision."""
USELESS_CASES: Final = 60
"""If this many cases in a row cover nothing new, the branches that are left stay uncovered."""


def make_cases(
    part: Part, seed: int, number: int | None = None, watch: Callable[[float], None] = lambda _: None
) -> list[Case]:
    """Return cases that cover each branch and each subject of a part as often as it requires, and each of its extras
    (further things that a case must have) once. The same seed gives the same cases.

    The cases are in the order of the part's subjects, and the shortest cases of each subject come first. If `number` is
    given, exactly this many cases are returned: those that cover most, or all of them and further random cases. `watch` is
    called with the finished share, from 0 to 1. Raises ContractError if the part makes a case whose input the document does
    not allow.
    """
    random = Random(seed)
    lacking = _least(part)
    asked, found = lacking.total(), list[Case]()
    idle = 0
    while lacking and idle < USELESS_CASES:
        keys = [key for key in _least(part) if lacking[key] > 0]
        case = check(part, part.case(random, frozenset(random.sample(keys, min(BRANCHES_OF_CASE, len(keys))))))
        new = _covered(case) & lacking.keys() if part.takes(case) else frozenset()
        idle = 0 if new else idle + 1
        if new:
            found.append(case)
            lacking = +(lacking - Counter(new))
        watch(1 - lacking.total() / asked)
    cases = _without_needless(part, found)
    if number is not None and number < len(cases):
        cases = _most_covering(part, cases, number)
    while len(cases) < (number or 0):
        case = check(part, part.case(random, frozenset()))
        if part.takes(case):
            cases.append(case)
    ranks = {subject: rank for rank, subject in enumerate(part.subjects)}
    return sorted(cases, key=lambda case: (ranks.get(case.subject, 0), case.turns, len(case.input), case.input))


def make_decisions(part: Part, seed: int) -> dict[str, tuple[Case, ...]]:
    """Return the cases that test each decision of a part, by the key of the decision. A decision is a branch on which the
    document leaves the choice to the student. The same seed gives the same cases.
    """
    random = Random(seed)
    keys = [branch.key for branch in part.branches if branch.source == DECISION]
    return {key: tuple(check(part, part.case(random, frozenset((key,)))) for _ in range(CASES_OF_DECISION)) for key in keys}


def coverage(part: Part, cases: Sequence[Case]) -> Mapping[str, int]:
    """Return for each branch the number of cases that cover it. The branches are in the order of the document."""
    counts = Counter(key for case in cases for key in case.branches)
    return {branch.key: counts[branch.key] for branch in part.branches}


def _least(part: Part) -> Counter[str]:
    """Return the number of cases that each branch, each subject and each extra requires."""
    return Counter(
        {**{branch.key: branch.least for branch in part.branches}, **part.subjects, **dict.fromkeys(part.extras, 1)}
    )


def _covered(case: Case) -> frozenset[str]:
    """Return the keys of everything that a case covers: its branches, its extras and its subject."""
    return case.branches | case.extras | ({case.subject} if case.subject else frozenset())


def _without_needless(part: Part, cases: Sequence[Case]) -> list[Case]:
    """Return the cases without those that the other cases make unnecessary. Longer cases are removed first."""
    counts = Counter(key for case in cases for key in _covered(case))
    least = {key: min(number, counts[key]) for key, number in _least(part).items()}
    kept = list(cases)
    for case in sorted(cases, key=lambda case: (-case.turns, -len(case.input), case.input)):
        if all(counts[key] > least.get(key, 0) for key in _covered(case)):
            kept.remove(case)
            counts -= Counter(_covered(case))
    return kept


def _most_covering(part: Part, cases: Sequence[Case], number: int) -> list[Case]:
    """Return `number` of the cases. They are chosen one after the other: each next case covers most of the branches that are
    still uncovered.
    """
    left, kept = list(cases), list[Case]()
    lacking = set(_least(part))
    for _ in range(number):
        best = max(left, key=lambda case: (len(_covered(case) & lacking), -case.turns))
        left.remove(best)
        kept.append(best)
        lacking -= _covered(best)
    return kept
