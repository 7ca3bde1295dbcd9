"""Causes: the sentence of the document that a program probably breaks, found from its first wrong line.

For each wrong line, the part names the branches that may decide it (`Part.decisive`). The program probably breaks the
sentence that may decide most of the wrong lines, and few of the right ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Final, NamedTuple

from ludoteca.core.judging import Branch, Case, Part
from ludoteca.judge.shrinking import Shrunk
from ludoteca.judge.verdicts import Result, Verdict, text_of

MOST_SENTENCES: Final = 3
"""The most sentences to choose from, if none leads."""
LEAD: Final = 1.02
"""A sentence leads if its score is more than LEAD times the score of each other one."""
OWN: Final = 0.1
"""The share of a score that is added to it if a branch may decide all wrong lines itself."""


class Spectrum(NamedTuple):
    """The branches that may decide the lines of a program in all cases, up to the first wrong line of each case."""

    right: Sequence[frozenset[str]]
    """Those of each step that is right."""
    wrong: Mapping[int, frozenset[str]]
    """Those of the first wrong line of each case that has one, by the number of the case, from 0."""


class Cause(NamedTuple):
    """The reason for a wrong answer."""

    branches: tuple[Branch, ...] = ()
    """One branch if its sentence leads, up to three if no sentence does, or none if no sentence is known."""

    @property
    def branch(self) -> Branch | None:
        """The branch of the only sentence, or None if there are several or none."""
        return self.branches[0] if len(self.branches) == 1 else None


def spectrum_of(part: Part, cases: Sequence[Case], results: Mapping[int, Result]) -> Spectrum:
    """Return the branches of the lines in the results of these cases."""
    right = [keys for number, result in results.items() for keys in _of_right_steps(part, cases[number], result)]
    failed = {number: result for number, result in results.items() if result.verdict != Verdict.ACCEPTED}
    wrong = {number: result for number, result in failed.items() if not _proves_nothing(result)}
    return Spectrum(right, {number: _of_wrong_line(part, cases[number], result) for number, result in wrong.items()})


def cause(part: Part, shrunk: Shrunk, spectrum: Spectrum) -> Cause:
    """Return the cause of a shortened failure: the sentence that most probably decides its wrong line, or up to three if
    none leads clearly.

    Each branch gets a score, Ochiai's coefficient: w / sqrt(n (w + r)). Here n is the number of wrong lines, w the number of
    them that the branch's sentence may decide, and r the number of right lines that the branch decides. The score rises by
    up to OWN if the branch itself, and not only its sentence, may decide the wrong lines. A sentence gets the score of its
    best branch.
    """
    if shrunk.result.verdict not in (Verdict.WRONG, Verdict.RUNTIME) or _proves_nothing(shrunk.result):
        return Cause()
    suspects = _of_wrong_line(part, shrunk.case, shrunk.result)
    rows, scores = [*spectrum.wrong.values(), suspects], dict[Branch, float]()
    for branch in part.branches:
        if branch.key in suspects:
            wrong = sum(explains(part, Cause((branch,)), each) for each in rows)
            own, right = (sum(branch.key in each for each in lines) for lines in (rows, spectrum.right))
            scores[branch] = wrong / sqrt(len(rows) * (wrong + right)) * (1 + OWN * own / len(rows))
    best = dict[str, Branch]()
    for branch in sorted(scores, key=lambda branch: scores[branch], reverse=True):
        best.setdefault(branch.sentence, branch)
    choice = [*best.values()][:MOST_SENTENCES]
    leads = len(choice) > 1 and scores[choice[0]] > LEAD * scores[choice[1]]
    return Cause(tuple(choice[:1] if leads else choice))


def explains(part: Part, found: Cause, suspects: frozenset[str]) -> bool:
    """Return True if a sentence of the cause may decide a wrong line. `suspects` are the branches that may decide it."""
    sentences = {branch.sentence for branch in found.branches}
    return any(branch.key in suspects for branch in part.branches if branch.sentence in sentences)


def _proves_nothing(result: Result) -> bool:
    """Return True if a program was stopped, or crashed, before its first line or after its last one."""
    return result.is_silent or (result.answer.fault is not None and result.difference is None)


def _of_right_steps(part: Part, case: Case, result: Result) -> Iterator[frozenset[str]]:
    """Yield the branches of each step that the program prints right, up to its first wrong line."""
    end = None if result.verdict == Verdict.ACCEPTED else result.difference.step if result.difference else 0
    output = text_of(result.answer.output)
    has_choice = part.problem(case, output) is not None
    for number, step in enumerate(case.steps[:end]):
        if step.output:
            yield part.decisive(case, number, output if has_choice else step.output)


def _of_wrong_line(part: Part, case: Case, result: Result) -> frozenset[str]:
    """Return the branches that may decide the first wrong line."""
    output = text_of(result.answer.output)
    if result.difference is None:
        return part.decisive(case, len(case.steps) - 1, output)
    step = result.difference.step
    before = sum(each.output.count("\n") for each in case.steps[:step])
    return part.decisive(case, step, "".join(output.splitlines(keepends=True)[before:]))
