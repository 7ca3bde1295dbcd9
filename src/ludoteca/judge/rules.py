"""Computes the mark of a program from the rules that it keeps. A rule is a sentence of the document (the text that students
implement), which the cases test.

A rule has branches, the things that its sentence decides, and each branch decides some steps of the cases. A program keeps
the rule if, for each branch, it answers at least one of these steps correctly. Blanks and line ends are ignored here, so
that one wrong blank does not break every rule.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Final, NamedTuple

from ludoteca.core.judging import DECISION, Branch, Case, Part
from ludoteca.judge.verdicts import Result, Verdict, text_of

MOST_OTHERWISE: Final = 99.0
"""The highest mark of a program whose verdict is not Accepted."""


class Status(StrEnum):
    """Whether a program keeps a rule, after a run of all cases."""

    KEPT = "kept"
    """Each branch of the rule that these cases have decides a step that the program answers correctly."""
    BROKEN = "broken"
    """The rule is the cause of the first wrong line of a failing case."""
    NOT_REACHED = "not reached"
    """In each case, the program is wrong before its output can show whether it keeps the rule."""
    NOT_TESTED = "not tested"
    """No branch of the rule occurs in these cases, so the rule does not count."""


class Rule(NamedTuple):
    """A sentence of the document."""

    branches: tuple[Branch, ...]
    """The branches of this sentence."""
    status: Status


def rules_of(
    part: Part, cases: Sequence[Case], results: Mapping[int, Result], broken: Collection[Branch]
) -> tuple[Rule, ...]:
    """Return all rules of a part with their statuses, in the document's order. `results` has the results by the numbers of
    the cases, from 0. A rule with a branch in `broken` is broken whatever the results are.
    """
    named = {branch.sentence for branch in broken}
    covered = frozenset[str]().union(*(case.branches for case in cases))
    shown = frozenset[str]().union(*(_shown(cases[number], result) for number, result in results.items()))
    found = list[Rule]()
    for sentence, branches in sentences(part).items():
        keys = {branch.key for branch in branches} & covered
        status = Status.BROKEN if sentence in named else Status.KEPT if keys <= shown else Status.NOT_REACHED
        found.append(Rule(tuple(branches), status if keys else Status.NOT_TESTED))
    return tuple(found)


def _shown(case: Case, result: Result) -> frozenset[str]:
    """Return the keys of the branches that decide the steps before the first wrong line of the program. Blanks and line ends
    are ignored.
    """
    if result.verdict == Verdict.ACCEPTED:
        return case.branches
    output = text_of(result.answer.output)
    expected, got = ("".join(text.split()) for text in (case.output, output))
    pairs = enumerate(zip(expected, got, strict=False))
    same = next((at for at, (sign, other) in pairs if sign != other), min(len(expected), len(got)))
    places = [at for at, sign in enumerate(output) if not sign.isspace()]
    if 0 < same < len(got) and "\n" not in output[places[same - 1] : places[same]]:  # the line goes on, so it is wrong
        same -= 1
    ends = accumulate(len("".join(step.output.split())) for step in case.steps)
    right = (step.branches for step, end in zip(case.steps, ends, strict=True) if step.output and end <= same)
    return frozenset().union(*right)


def sentences(part: Part) -> dict[str, list[Branch]]:
    """Return the branches by the sentences of the document, in its order. Decisions that are left to the student are not
    tested and are left out.
    """
    found: dict[str, list[Branch]] = {}
    for branch in part.branches:
        if branch.source != DECISION:
            found.setdefault(branch.sentence, []).append(branch)
    return found


class Tally(NamedTuple):
    """The numbers of rules with each status, and the mark."""

    tested: int
    kept: int
    not_reached: int
    mark: str
    """The mark as a text: a number from 0 to 100 with up to four digits."""
    highest: str
    """The mark that the program would have if it kept all rules that it does not reach."""


def tally(rules: Sequence[Rule], verdict: Verdict) -> Tally:
    """Return the numbers of rules and the mark of a program, for reports and tables."""
    counts = Counter(rule.status for rule in rules)
    hoped = [rule._replace(status=Status.KEPT) if rule.status == Status.NOT_REACHED else rule for rule in rules]
    marks = (f"{mark(each, verdict):.4g}" for each in (rules, hoped))
    tested = len(rules) - counts[Status.NOT_TESTED]
    return Tally(tested, counts[Status.KEPT], counts[Status.NOT_REACHED], *marks)


def mark(rules: Iterable[Rule], verdict: Verdict) -> float:
    """Return the mark, from 0 to 100: the share of the tested rules that the program keeps.

    An accepted program has 100. Any other program has at most MOST_OTHERWISE, even if it keeps every rule, because it has a
    fault that the rules do not show.
    """
    if verdict == Verdict.ACCEPTED:
        return 100.0
    kept = [rule.status == Status.KEPT for rule in rules if rule.status != Status.NOT_TESTED]
    return min(100 * sum(kept) / len(kept), MOST_OTHERWISE) if kept else 0.0
