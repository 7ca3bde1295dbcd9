"""Sets of cases: few and short, and every branch of the document is covered."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from ludoteca.core.judging import Case, Part, check

AT_ONCE: Final = 4
"""Branches that are wanted of one case."""
PATIENCE: Final = 60
"""Cases in a row that bring nothing new, after which the rest is left uncovered."""


def make_cases(
    part: Part, seed: int, number: int | None = None, watch: Callable[[float], None] = lambda _: None
) -> list[Case]:
    """Cases that cover every branch as often as it asks for; the same seed gives the same ones. The shortest come first.

    With a `number`, return this many: those that cover most if they are fewer, and random cases after them if they are more.
    `watch` receives the share that is done. Raises ContractError for an impossible case.
    """
    random = Random(seed)
    lacking = Counter({branch.key: branch.least for branch in part.branches})
    asked, found = lacking.total(), list[Case]()
    idle = 0
    while lacking and idle < PATIENCE:
        keys = [branch.key for branch in part.branches if lacking[branch.key] > 0]
        case = check(part, part.case(random, frozenset(random.sample(keys, min(AT_ONCE, len(keys))))))
        if not part.takes(case):
            idle += 1
            continue
        new = case.branches & lacking.keys()
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
    return sorted(cases, key=lambda case: (case.turns, len(case.input), case.input))


def coverage(part: Part, cases: Sequence[Case]) -> Mapping[str, int]:
    """How many cases cover each branch, in the document's order."""
    counts = Counter(key for case in cases for key in case.branches)
    return {branch.key: counts[branch.key] for branch in part.branches}


def _without_needless(part: Part, cases: Sequence[Case]) -> list[Case]:
    """The cases without those, the longest first, that all others together can spare."""
    counts = Counter(key for case in cases for key in case.branches)
    least = {branch.key: min(branch.least, counts[branch.key]) for branch in part.branches}
    kept = list(cases)
    for case in sorted(cases, key=lambda case: (-case.turns, -len(case.input), case.input)):
        if all(counts[key] > least.get(key, 0) for key in case.branches):
            kept.remove(case)
            counts -= Counter(case.branches)
    return kept


def _most_covering(part: Part, cases: Sequence[Case], number: int) -> list[Case]:
    """So many of the cases, each the one that covers most of what those before it do not."""
    left, kept = list(cases), list[Case]()
    lacking = {branch.key for branch in part.branches}
    for _ in range(number):
        best = max(left, key=lambda case: (len(case.branches & lacking), -case.turns))
        left.remove(best)
        kept.append(best)
        lacking -= best.branches
    return kept
