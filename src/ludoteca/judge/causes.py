"""Finds the probable cause of a program's failures: the sentence of the document (the text that students implement) that the
program breaks. It is found from the first wrong line of each case.

For each wrong line, the part (one of the document's programs) names the branches that may decide it (`Part.decisive`). A
branch is one thing that a sentence decides. The program probably breaks the sentence that may decide most of the wrong
lines, and few of the right ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Final, NamedTuple

from ludoteca.core.judging import Branch, Case, Part
from ludoteca.judge.shrinking import Shrunk
from ludoteca.judge.verdicts import Result, Verdict, text_of

MOST_SENTENCES: Final = 3
"""The most sentences that a cause may have, if no sentence has a clearly higher score than the others."""
LEAD: Final = 1.02
"""A sentence is the only cause if its score is more than LEAD times the score of each other sentence."""
OWN: Final = 0.1
"""The part of a sentence's score that is added to it if its best branch may itself decide all wrong lines."""


class Spectrum(NamedTuple):
    """For each line of a program in all cases, up to the first wrong line of each case: the branches that may decide the
    line.
    """

    right: Sequence[frozenset[str]]
    """The branches of each step that the program answers correctly."""
    wrong: Mapping[int, frozenset[str]]
    """The branches of the first wrong line of each case that has one. The keys are the numbers of the cases, from 0."""


class Cause(NamedTuple):
    """The probable reason for a wrong answer, as branches of the sentences that the program may break."""

    branches: tuple[Branch, ...] = ()
    """One branch if its sentence is the clear cause, up to three if several may be it, none if no sentence is known."""

    @property
    def branch(self) -> Branch | None:
        """The branch if the cause is a single sentence; None if there are several sentences, or none."""
        return self.branches[0] if len(self.branches) == 1 else None


def spectrum_of(part: Part, cases: Sequence[Case], results: Mapping[int, Result]) -> Spectrum:
    """Return, for the right and the wrong lines in these results, the branches that may decide each line. `results` has the
    results by the numbers of the cases, from 0.
    """
    right = [keys for number, result in results.items() for keys in _of_right_steps(part, cases[number], result)]
    failed = {number: result for number, result in results.items() if result.verdict != Verdict.ACCEPTED}
    wrong = {number: result for number, result in failed.items() if not _proves_nothing(result)}
    return Spectrum(right, {number: _of_wrong_line(part, cases[number], result) for number, result in wrong.items()})


def cause(part: Part, shrunk: Shrunk, spectrum: Spectrum) -> Cause:
    """Return the cause of a failure, which was shortened: the sentence that most probably decides its wrong line, or up to
    three sentences if none has a clearly higher score.

    Each branch gets a score, Ochiai's coefficient: w / sqrt(n (w + r)). Here n is the number of wrong lines, w the number of
    wrong lines that the branch's sentence may decide, and r the number of right lines that the branch decides. The score
    rises by up to OWN if the branch itself, and not only its sentence, may decide the wrong lines. A sentence gets the score
    of its best branch.
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
    """Return True if a sentence of the cause `found` may decide a wrong line. `suspects` are the keys of the branches that
    may decide this line.
    """
    sentences = {branch.sentence for branch in found.branches}
    return any(branch.key in suspects for branch in part.branches if branch.sentence in sentences)


def _proves_nothing(result: Result) -> bool:
    """Return True if the output of a program that was stopped or crashed does not show a cause: it has no whole line, or no
    wrong line.
    """
    return result.is_silent or (result.answer.fault is not None and result.difference is None)


def _of_right_steps(part: Part, case: Case, result: Result) -> Iterator[frozenset[str]]:
    """Yield the branches of each step that the program answers correctly, up to its first wrong line."""
    end = None if result.verdict == Verdict.ACCEPTED else result.difference.step if result.difference else 0
    output = text_of(result.answer.output)
    has_choice = part.problem(case, output) is not None
    for number, step in enumerate(case.steps[:end]):
        if step.output:
            yield part.decisive(case, number, output if has_choice else step.output)


def _of_wrong_line(part: Part, case: Case, result: Result) -> frozenset[str]:
    """Return the keys of the branches that may decide the first wrong line."""
    output = text_of(result.answer.output)
    if result.difference is None:
        return part.decisive(case, len(case.steps) - 1, output)
    step = result.difference.step
    before = sum(each.output.count("\n") for each in case.steps[:step])
    return part.decisive(case, step, "".join(output.splitlines(keepends=True)[before:]))
