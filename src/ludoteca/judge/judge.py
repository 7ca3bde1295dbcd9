"""A program judged with a set of cases."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from ludoteca.arena.limits import Limits
from ludoteca.core.judging import USUAL as USUAL_OPTIONS
from ludoteca.core.judging import Case, Options, Part, part_of
from ludoteca.core.spec import GameSpec
from ludoteca.judge.causes import Cause, Effects, cause, line_of
from ludoteca.judge.making import coverage
from ludoteca.judge.programs import Judged
from ludoteca.judge.rules import Rule, rules_of
from ludoteca.judge.shrinking import USUAL, Effort, Shrunk, shrink
from ludoteca.judge.verdicts import Result, Verdict, verdict_on

PATIENCE: Final = 2
"""Cases that may run out of time; the rest is not run then."""
MOST_CAUSES: Final = 3
"""Failing cases that are explained."""
FURTHER: Final = 8
"""Runs of the program that make a further failing case short."""
SHRINKABLE: Final = (Verdict.WRONG, Verdict.PRESENTATION, Verdict.RUNTIME)
"""Verdicts that come quickly enough to be looked for again and again."""


class Failure(NamedTuple):
    """A case that is shown, because the program fails there."""

    number: int
    """Of the case from which this one was made shorter, from 1."""
    case: Case
    result: Result
    runs: int
    """Of the program, until the case was so short."""
    cause: Cause


class Report(NamedTuple):
    """What became of a program."""

    game: str
    part: str
    verdict: Verdict
    cases: tuple[Case, ...]
    results: tuple[Result | None, ...]
    """One for each case; None for those that were not run."""
    coverage: Mapping[str, int]
    failures: tuple[Failure, ...]
    """The first case that fails, and others that fail for another reason."""
    rules: tuple[Rule, ...]
    isolation: str

    @property
    def failure(self) -> Failure | None:
        """The first case that fails; None if all are accepted."""
        return self.failures[0] if self.failures else None

    @property
    def accepted(self) -> int:
        """The number of accepted cases."""
        return sum(result is not None and result.verdict == Verdict.ACCEPTED for result in self.results)


def judge(
    spec: GameSpec,
    name: str,
    cases: Sequence[Case],
    programs: Sequence[Judged],
    limits: Limits,
    watch: Callable[[float], None] = lambda _: None,
    effort: Effort = USUAL,
    options: Options = USUAL_OPTIONS,
    effects: Effects | None = None,
) -> Report:
    """Run all cases, on each copy of the program one at a time, and explain the failures.

    The verdict is that of the first case that fails, in the order of the cases. `effects` are those of these cases, from
    the report on another program.
    """
    part = part_of(spec, name, options)
    results = _run_all(part, cases, programs, limits, watch)
    known = effects or Effects(spec, part, cases)
    failures = tuple(_failures(spec, known, results, programs[0], limits, effort))
    verdict = Verdict(results[failures[0].number - 1].verdict) if failures else Verdict.ACCEPTED
    rules = rules_of(known, results, [failure.cause.branch for failure in failures if failure.cause.branch])
    every = tuple(results.get(number) for number in range(len(cases)))
    covered, isolation = coverage(part, cases), programs[0].isolation
    return Report(spec.name, name, verdict, tuple(cases), every, covered, failures, rules, isolation)


def _failures(
    spec: GameSpec, effects: Effects, results: Mapping[int, Result], program: Judged, limits: Limits, effort: Effort
) -> Iterator[Failure]:
    """The first failing case, made short, with its cause; and failing cases that the mutants found so far do not explain."""
    left = [number for number, result in sorted(results.items()) if result.verdict != Verdict.ACCEPTED]
    for _ in range(MOST_CAUSES):
        if not left:
            return
        number, *left = left
        shrunk = Shrunk(effects.cases[number], results[number], 0)
        if shrunk.result.verdict in SHRINKABLE:
            shrunk = shrink(effects.part, *shrunk[:2], program, limits, effort)
        found = cause(spec, shrunk, effects, results)
        yield Failure(number + 1, *shrunk, found)
        effort = effort._replace(runs=FURTHER)
        if mutant := found.mutant:
            left = [other for other in left if effects.effect(mutant, other).line != line_of(results[other])]


def _run_all(
    part: Part, cases: Sequence[Case], programs: Sequence[Judged], limits: Limits, watch: Callable[[float], None]
) -> dict[int, Result]:
    """The results of the cases, by their numbers. Cases are left out once too many have run out of time."""
    results: dict[int, Result] = {}
    left, lock = iter(range(len(cases))), threading.Lock()

    def work(program: Judged) -> None:
        while True:
            with lock:
                late = sum(result.verdict == Verdict.TIME for result in results.values())
                number = next(left, None) if late < PATIENCE else None
            if number is None:
                return
            found = verdict_on(part, cases[number], program.run(cases[number]), limits)
            with lock:
                results[number] = found
                watch(len(results) / len(cases))

    if len(programs) == 1:  # in this thread: what is replaced in this process is replaced for it alone
        work(programs[0])
    else:
        with ThreadPoolExecutor(len(programs)) as pool:
            list(pool.map(work, programs))
    return results
