"""Causes: the sentence of the document that decides the first wrong line of a program.

A mutant breaks one sentence. If the mutant prints a line wrong, its sentence decides that line. So the cause of a wrong line
is found among the mutants that print the same as the program, else among those that print the same line wrong.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ludoteca.core.judging import Branch, Case, Mutant, Part
from ludoteca.core.spec import GameSpec
from ludoteca.judge.mutants import broken
from ludoteca.judge.shrinking import Shrunk
from ludoteca.judge.verdicts import Result, Verdict, text_of, wrong_line

LIKENESS: Final = 0.5
"""A mutant that prints something else than the program counts if at least this share of their first wrong lines is the
same."""


class Cause(NamedTuple):
    """The reason for a wrong answer."""

    branch: Branch | None
    """The branch whose sentence decides; None if no single sentence does."""
    mutant: Mutant | None
    """The mutant that errs as the program does; None if there is none."""


class Effect(NamedTuple):
    """What a mutant prints in a case."""

    line: int | None
    """The first wrong line; None if the output is right."""
    output: str


class Effects:
    """The effects of mutants in a set of cases, worked out when they are asked for."""

    def __init__(self, spec: GameSpec, part: Part, cases: Sequence[Case]) -> None:
        self.part = part
        self.cases = cases
        self._spec = spec
        self._known: dict[tuple[str, int], Effect] = {}

    def effect(self, mutant: Mutant, number: int) -> Effect:
        """Return the effect of the mutant in the case with that number, from 0."""
        key = mutant.name, number
        if key not in self._known:
            case = self.cases[number]
            with broken(self._spec, mutant) as variant:
                output = self.part.again(case, variant).output
            self._known[key] = Effect(wrong_line(self.part, case, output), output)
        return self._known[key]

    def wrong_lines(self, mutant: Mutant, among: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Each of these cases that finds the mutant, with its first wrong line. Likely and short cases come first."""
        cases = [(number, self.cases[number]) for number in among]
        order = sorted((mutant.branch not in case.branches, len(case.output), number) for number, case in cases)
        for _, _, number in order:
            if (line := self.effect(mutant, number).line) is not None:
                yield number, line


def cause(spec: GameSpec, shrunk: Shrunk, effects: Effects, results: Mapping[int, Result]) -> Cause:
    """Return the cause of a failure that was made short. `results` are those of the cases of `effects`, by their numbers.

    Of several mutants, the one counts that is most like the program in all cases. Without a mutant, a branch of all wrong
    steps counts if no right step has it, and if all such branches are of one sentence.
    """
    part, output = effects.part, text_of(shrunk.result.answer.output)
    alike = [mutant for mutant in part.mutants if _prints(spec, part, mutant, shrunk.case, output)]
    least = 0.0
    if not alike and shrunk.result.verdict == Verdict.WRONG and (line := wrong_line(part, shrunk.case, output)):
        short, least = Effects(spec, part, [shrunk.case]), LIKENESS
        alike = [mutant for mutant in part.mutants if short.effect(mutant, 0).line == line]
    alike = [mutant for mutant in alike if not _is_excluded(effects, mutant, results)]
    likeness = {mutant: _likeness(effects, mutant, results) for mutant in alike}
    most = max(likeness.values(), default=(0, 0.0))
    if likeness and most[1] >= least:
        by_key = {branch.key: branch for branch in part.branches}
        best = [mutant for mutant in likeness if likeness[mutant] == most]
        best = [mutant for mutant in best if mutant.branch in shrunk.case.branches] or best
        found = {by_key.get(mutant.branch): mutant for mutant in best}
        if len({branch and branch.sentence for branch in found}) == 1:
            return Cause(*next(iter(found.items())))
        return Cause(None, None)
    if shrunk.result.verdict != Verdict.WRONG:
        return Cause(None, None)
    return Cause(_only_branch(shrunk, effects, results), None)


def _prints(spec: GameSpec, part: Part, mutant: Mutant, case: Case, output: str) -> bool:
    with broken(spec, mutant) as variant:
        return part.prints(case, output, variant)


def line_of(result: Result) -> int | None:
    """Return the first wrong line of a program; None if the output is right, 0 if no line of it is known to be right."""
    if result.verdict == Verdict.ACCEPTED:
        return None
    return result.difference.line if result.difference else 0


def _is_excluded(effects: Effects, mutant: Mutant, results: Mapping[int, Result]) -> bool:
    """True if the program prints a line right that the mutant prints wrong."""
    return any(is_right(results[number], line) for number, line in effects.wrong_lines(mutant, begun(results)))


def begun(results: Mapping[int, Result]) -> list[int]:
    """Return the numbers of the cases in which the program prints at least one line right."""
    return [number for number, result in results.items() if is_right(result, 1)]


def is_right(result: Result, line: int) -> bool:
    """Return True if the program printed the line right, and all lines before it."""
    wrong = line_of(result)
    return wrong is None or line < wrong


def _likeness(effects: Effects, mutant: Mutant, results: Mapping[int, Result]) -> tuple[int, float]:
    """The number of cases with the same output, and the share of the wrong cases of both with the same first wrong line."""
    same, wrong, both = 0, 0, 0
    for number, result in results.items():
        line, effect = line_of(result), effects.effect(mutant, number)
        same += effect.output == text_of(result.answer.output)
        wrong += line is not None or effect.line is not None
        both += line is not None and line == effect.line
    return same, both / wrong if wrong else 0.0


def _only_branch(shrunk: Shrunk, effects: Effects, results: Mapping[int, Result]) -> Branch | None:
    """The first branch of all wrong steps that no right step has; None if such branches are of several sentences."""
    part, right = effects.part, Counter[str]()
    suspects = _branches_of(part, shrunk.case, shrunk.result)
    for number, result in results.items():
        case, step = effects.cases[number], _wrong_step(result)
        right.update(key for each in case.steps[:step] for key in each.branches)
        if result.verdict != Verdict.ACCEPTED:
            suspects = (suspects & _branches_of(part, case, result)) or suspects
    least = min((right[key] for key in suspects), default=0)
    found = [branch for branch in part.branches if branch.key in suspects and right[branch.key] == least]
    return found[0] if least == 0 and len({branch.sentence for branch in found}) == 1 else None


def _wrong_step(result: Result) -> int | None:
    """The number of the first wrong step; None if all are right, 0 if none is known to be right."""
    if result.verdict == Verdict.ACCEPTED:
        return None
    return result.difference.step if result.difference else 0


def _branches_of(part: Part, case: Case, result: Result) -> frozenset[str]:
    """The branches that decide the first wrong step."""
    if result.difference is None:
        return part.decisive(case, text_of(result.answer.output))
    return case.steps[result.difference.step].branches
