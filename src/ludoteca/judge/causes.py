"""Causes: the sentence of the document that decides the first wrong line of a program.

A mutant breaks one sentence. A mutant that prints the same as the program in every case (of the same subject) shows which
sentence the program breaks. Without such a mutant, the part of the game lists the branches that may decide each wrong line.
The cause is the sentence that explains most wrong lines and that fewest right lines contradict. Without such a sentence, it
is the sentence of the mutant that is most like the program.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ludoteca.core.judging import Branch, Case, Mutant, Part
from ludoteca.core.spec import GameSpec
from ludoteca.judge.mutants import broken
from ludoteca.judge.shrinking import Shrunk
from ludoteca.judge.verdicts import Result, Verdict, text_of, wrong_line

LEAST_SHARE_ALIKE: Final = 0.5
"""If a mutant and the program print different texts, at least this share of their first wrong lines must be the same."""


class Cause(NamedTuple):
    """The reason for a wrong answer."""

    branch: Branch | None
    """The branch of the sentence that decides, or None if no single sentence does."""
    mutant: Mutant | None
    """The mutant with the same error as the program, or None."""


NO_CAUSE: Final = Cause(None, None)


class Effect(NamedTuple):
    """The output of a mutant in a case."""

    line: int | None
    """The first wrong line, or None if the output is right."""
    output: str


class Effects:
    """The effects of mutants in a set of cases. They are computed when they are first used."""

    def __init__(self, spec: GameSpec, part: Part, cases: Sequence[Case]) -> None:
        self.spec = spec
        self.part = part
        self.cases = cases
        self._known: dict[tuple[str, int], Effect] = {}

    def effect(self, mutant: Mutant, number: int) -> Effect:
        """Return the effect of the mutant in the case with that number, from 0."""
        key = mutant.name, number
        if key not in self._known:
            case = self.cases[number]
            with broken(self.spec, mutant) as variant:
                output = self.part.again(case, variant).output
            self._known[key] = Effect(wrong_line(self.part, case, output), output)
        return self._known[key]

    def wrong_lines(self, mutant: Mutant, among: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield the cases that find the mutant, each with its first wrong line. Likely and short cases come first."""
        cases = [(number, self.cases[number]) for number in among]
        order = sorted((mutant.branch not in case.branches, len(case.output), number) for number, case in cases)
        for _, _, number in order:
            if (line := self.effect(mutant, number).line) is not None:
                yield number, line


def cause(shrunk: Shrunk, effects: Effects, results: Mapping[int, Result]) -> Cause:
    """Return the cause of a shortened failure. `results` has the results of the cases of `effects`, by case number."""
    part, case = effects.part, shrunk.case
    if _proves_nothing(shrunk.result):
        return NO_CAUSE
    found = _most_alike(shrunk, effects, results)
    same = [
        _is_same(effects, found.mutant, *each) for each in results.items() if effects.cases[each[0]].subject == case.subject
    ]
    if shrunk.result.verdict not in (Verdict.WRONG, Verdict.RUNTIME) or all(same):
        return found
    suspects = _decisive(part, case, shrunk.result)
    suspects = suspects & part.removable & case.branches or suspects
    if not suspects:
        return NO_CAUSE
    branch = _explaining(suspects, effects, results)
    return Cause(branch, None) if branch else found


def explains(found: Cause, effects: Effects, number: int, result: Result) -> bool:
    """Return True if the first wrong line of the program in the case with that number has the same cause, or shows none."""
    if _proves_nothing(result):
        return True
    if found.mutant:
        return effects.effect(found.mutant, number).line == line_of(result)
    sentence = found.branch.sentence if found.branch else None
    keys = {branch.key for branch in effects.part.branches if branch.sentence == sentence}
    return not keys.isdisjoint(_decisive(effects.part, effects.cases[number], result))


def _proves_nothing(result: Result) -> bool:
    """Return True if a program was stopped, or crashed, before its first line or after its last one."""
    return result.is_silent or (result.answer.fault is not None and result.difference is None)


def _most_alike(shrunk: Shrunk, effects: Effects, results: Mapping[int, Result]) -> Cause:
    """Return the cause by the mutant that is most like the program."""
    spec, part, output = effects.spec, effects.part, text_of(shrunk.result.answer.output)
    alike = [mutant for mutant in part.mutants if _prints(spec, part, mutant, shrunk.case, output)]
    least = 0.0
    if not alike and shrunk.result.verdict == Verdict.WRONG and (line := wrong_line(part, shrunk.case, output)):
        short, least = Effects(spec, part, [shrunk.case]), LEAST_SHARE_ALIKE
        alike = [mutant for mutant in part.mutants if short.effect(mutant, 0).line == line]
    alike = [mutant for mutant in alike if not _is_excluded(effects, mutant, results)]
    likeness = {mutant: _likeness(effects, mutant, results) for mutant in alike}
    most = max(likeness.values(), default=(0, 0.0))
    if not likeness or most[1] < least:
        return NO_CAUSE
    by_key = {branch.key: branch for branch in part.branches}
    best = [mutant for mutant in likeness if likeness[mutant] == most]
    best = [mutant for mutant in best if mutant.branch in shrunk.case.branches] or best
    found = {by_key.get(mutant.branch): mutant for mutant in best}
    if len({branch and branch.sentence for branch in found}) > 1:
        return NO_CAUSE
    return Cause(*next(iter(found.items())))


def _prints(spec: GameSpec, part: Part, mutant: Mutant, case: Case, output: str) -> bool:
    with broken(spec, mutant) as variant:
        return part.prints(case, output, variant)


def line_of(result: Result) -> int | None:
    """Return the first wrong line of a program, None if the output is right, or 0 if no line of it is known to be right."""
    if result.verdict == Verdict.ACCEPTED:
        return None
    return result.difference.line if result.difference else 0


def _is_excluded(effects: Effects, mutant: Mutant, results: Mapping[int, Result]) -> bool:
    """Return True if the program prints a line right that the mutant prints wrong."""
    begun = [number for number, result in results.items() if _is_right(result, 1)]
    return any(line and _is_right(results[number], line) for number, line in effects.wrong_lines(mutant, begun))


def _is_right(result: Result, line: int) -> bool:
    """Return True if the program printed the line right, and all lines before it."""
    wrong = line_of(result)
    return wrong is None or line < wrong


def _likeness(effects: Effects, mutant: Mutant, results: Mapping[int, Result]) -> tuple[int, float]:
    """Return the number of cases with the same output, and the share of wrong cases with the same first wrong line."""
    same, wrong, both = 0, 0, 0
    for number, result in results.items():
        line, effect = line_of(result), effects.effect(mutant, number)
        same += _is_same(effects, mutant, number, result)
        wrong += line is not None or effect.line is not None
        both += line is not None and line == effect.line
    return same, both / wrong if wrong else 0.0


def _is_same(effects: Effects, mutant: Mutant | None, number: int, result: Result) -> bool:
    """Return True if the mutant prints the same as the program in the case with that number.

    It is enough if both are right, or if both are wrong and the case has several right answers.
    """
    line, effect = line_of(result), effects.effect(mutant, number) if mutant else None
    return effect is not None and line == effect.line and (not line or effect.output == text_of(result.answer.output))


def _explaining(suspects: frozenset[str], effects: Effects, results: Mapping[int, Result]) -> Branch | None:
    """Return the suspect that explains most wrong lines and that fewest right lines contradict, or None if several do.

    If no line is right, one sentence has to explain all of them.
    """
    part, right, wrong = effects.part, list[frozenset[str]](), list[frozenset[str]]()
    for number, result in results.items():
        right += _of_right_steps(part, effects.cases[number], result)
        if result.verdict != Verdict.ACCEPTED and not _proves_nothing(result):
            wrong.append(_decisive(part, effects.cases[number], result))
    weights = dict[Branch, tuple[float, int]]()
    for branch in part.branches:
        keys = {each.key for each in part.branches if each.sentence == branch.sentence}
        explained = sum(not keys.isdisjoint(each) for each in wrong)
        if branch.key in suspects and (right or explained == len(wrong)):
            own, against = (sum(branch.key in each for each in lines) for lines in (wrong, right))
            weights[branch] = explained * own / max(own + against, 1), own
    best = [branch for branch in weights if weights[branch] == max(weights.values())]
    return best[0] if len({branch.sentence for branch in best}) == 1 else None


def _of_right_steps(part: Part, case: Case, result: Result) -> Iterator[frozenset[str]]:
    """Yield the branches of each step that the program prints right, up to its first wrong line."""
    end = None if result.verdict == Verdict.ACCEPTED else result.difference.step if result.difference else 0
    output = text_of(result.answer.output)
    has_choice = part.problem(case, output) is not None
    for number, step in enumerate(case.steps[:end]):
        if step.output:
            yield part.decisive(case, number, output if has_choice else step.output)


def _decisive(part: Part, case: Case, result: Result) -> frozenset[str]:
    """Return the branches that may decide the first wrong line."""
    output = text_of(result.answer.output)
    if result.difference is None:
        return part.decisive(case, len(case.steps) - 1, output)
    step = result.difference.step
    before = sum(each.output.count("\n") for each in case.steps[:step])
    return part.decisive(case, step, "".join(output.splitlines(keepends=True)[before:]))
