"""A failing case made short, and the sentence of the document that decides it."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from ludoteca.arena.limits import Limits
from ludoteca.core.judging import Branch, Case, Mutant, Part
from ludoteca.core.spec import GameSpec
from ludoteca.judge.mutants import broken
from ludoteca.judge.programs import Judged
from ludoteca.judge.verdicts import Result, Verdict, text_of, verdict_on

WITNESSES: Final = 24
"""Cases of each kind on which mutants are told apart that answer the short case alike."""
SENTENCES: Final = 3
"""That are shown where no mutant explains the answer."""


class Shrunk(NamedTuple):
    """A short case and the same verdict on it."""

    case: Case
    result: Result
    runs: int


class Cause(NamedTuple):
    """Why an answer is wrong."""

    branches: tuple[Branch, ...]
    mutant: Mutant | None
    """The one that answers as the program does; None where there is none."""


class Effort(NamedTuple):
    """How long the search for a shorter case is. It counts runs, not seconds, so that its result does not depend on load."""

    runs: int = 120
    """Of the program."""
    turns: int = 0
    """A case of this many turns is short enough, in addition to one of the part's `shortest`."""


USUAL: Final = Effort()


def shrink(part: Part, case: Case, result: Result, program: Judged, limits: Limits, effort: Effort = USUAL) -> Shrunk:
    """A case with as few turns as are found on which the verdict is the same."""
    random = Random(0)
    tried, best = 0, Shrunk(case, result, 0)
    shorter = True
    while shorter and best.case.turns > max(effort.turns, part.shortest):
        shorter = False
        for candidate in part.shorter(best.case, random):
            if tried == effort.runs:
                return best._replace(runs=tried)
            if not part.takes(candidate):
                continue
            tried += 1
            found = verdict_on(part, candidate, program.run(candidate), limits)
            if found.verdict == result.verdict:
                best, shorter = Shrunk(candidate, found, tried), True
                break
    return best._replace(runs=tried)


def cause(spec: GameSpec, part: Part, shrunk: Shrunk, ran: Sequence[tuple[Case, Result]]) -> Cause:
    """The sentence that decides: of the mutant that answers the case as the program did, else of what the step covers.

    Of several such mutants, the one that answers most of the other cases as the program did: first of those that fail too,
    then of those that are accepted. Without one, the branches of the differing step (those that the part names, where many
    answers are right) come in the order of how few accepted cases cover them.
    """
    failed = [(case, result) for case, result in ran if result.verdict == shrunk.result.verdict]
    passed = [(case, result) for case, result in ran if result.verdict == Verdict.ACCEPTED]
    alike = [mutant for mutant in part.mutants if _answers_alike(spec, part, mutant, shrunk.case, shrunk.result)]
    for case, result in (*failed[:WITNESSES], *passed[-WITNESSES:]):
        if len(alike) < 2:
            break
        still = [mutant for mutant in alike if _answers_alike(spec, part, mutant, case, result)]
        alike = still or alike
    by_key = {branch.key: branch for branch in part.branches}
    if alike and alike[0].branch in by_key:
        return Cause((by_key[alike[0].branch],), alike[0])
    if shrunk.result.verdict != Verdict.WRONG:
        return Cause((), None)
    counts = Counter(key for case, _ in passed for key in case.branches)
    if (difference := shrunk.result.difference) is not None:
        covered = shrunk.case.steps[difference.step].branches
    else:
        covered = part.decisive(shrunk.case, text_of(shrunk.result.answer.output))
    decided = [branch for branch in part.branches if branch.key in covered]
    decided.sort(key=lambda branch: counts[branch.key])
    sentences = {branch.sentence: branch for branch in reversed(decided)}
    return Cause(tuple(reversed(sentences.values()))[:SENTENCES], None)


def _answers_alike(spec: GameSpec, part: Part, mutant: Mutant, case: Case, result: Result) -> bool:
    with broken(spec, mutant) as variant:
        return part.prints(case, text_of(result.answer.output), variant)
