"""Sets of few and short cases that cover every branch of the document."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from ludoteca.core.judging import DECISION, Case, Part, check

BRANCHES_OF_CASE: Final = 4
"""Branches that a new case is asked to cover."""
CASES_OF_DECISION: Final = 3
"""Cases that ask for a decision."""
USELESS_CASES: Final = 60
"""After this many cases in a row that cover nothing new, the other branches stay uncovered."""


def make_cases(
    part: Part, seed: int, number: int | None = None, watch: Callable[[float], None] = lambda _: None
) -> list[Case]:
    """Return cases that cover every branch and subject as often as each asks for, and have each extra. The same seed gives
    the same cases.

    The cases are in the order of the part's subjects, the shortest cases of each subject first. With a `number`, return
    exactly this many: fewer cases that cover as much as possible, or all of them and further random cases. `watch` receives
    the share that is done. Raises ContractError for a case whose input the document does not allow.
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
    """Return the cases that ask for each decision of a part, by its key. The same seed gives the same cases."""
    random = Random(seed)
    keys = [branch.key for branch in part.branches if branch.source == DECISION]
    return {key: tuple(check(part, part.case(random, frozenset((key,)))) for _ in range(CASES_OF_DECISION)) for key in keys}


def coverage(part: Part, cases: Sequence[Case]) -> Mapping[str, int]:
    """Return the number of cases that cover each branch, in the document's order."""
    counts = Counter(key for case in cases for key in case.branches)
    return {branch.key: counts[branch.key] for branch in part.branches}


def _least(part: Part) -> Counter[str]:
    """Return the least number of cases of each branch, subject and extra."""
    return Counter(
        {**{branch.key: branch.least for branch in part.branches}, **part.subjects, **dict.fromkeys(part.extras, 1)}
    )


def _covered(case: Case) -> frozenset[str]:
    """Return the branches of a case, its extras and its subject."""
    return case.branches | case.extras | ({case.subject} if case.subject else frozenset())


def _without_needless(part: Part, cases: Sequence[Case]) -> list[Case]:
    """Remove cases, the longest first, if the other cases together cover as much. Return the rest."""
    counts = Counter(key for case in cases for key in _covered(case))
    least = {key: min(number, counts[key]) for key, number in _least(part).items()}
    kept = list(cases)
    for case in sorted(cases, key=lambda case: (-case.turns, -len(case.input), case.input)):
        if all(counts[key] > least.get(key, 0) for key in _covered(case)):
            kept.remove(case)
            counts -= Counter(_covered(case))
    return kept


def _most_covering(part: Part, cases: Sequence[Case], number: int) -> list[Case]:
    """Return this many of the cases. Each covers most of the branches that the cases before it do not cover."""
    left, kept = list(cases), list[Case]()
    lacking = set(_least(part))
    for _ in range(number):
        best = max(left, key=lambda case: (len(_covered(case) & lacking), -case.turns))
        left.remove(best)
        kept.append(best)
        lacking -= _covered(best)
    return kept
