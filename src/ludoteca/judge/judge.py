"""A program judged with a set of cases."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from ludoteca.arena.limits import Limits
from ludoteca.core.judging import USUAL as USUAL_OPTIONS
from ludoteca.core.judging import Case, Options, Part, part_of
from ludoteca.core.spec import GameSpec
from ludoteca.judge.making import coverage
from ludoteca.judge.programs import Judged
from ludoteca.judge.shrinking import USUAL, Cause, Effort, Shrunk, cause, shrink
from ludoteca.judge.verdicts import Result, Verdict, verdict_on

PATIENCE: Final = 2
"""Cases that may run out of time; the rest is not run then."""
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
    failure: Failure | None
    isolation: str

    @property
    def accepted(self) -> int:
        """How many cases are."""
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
) -> Report:
    """Run all cases, on each copy of the program one at a time, and explain the first failure.

    The verdict is that of the first case that fails, in the order of the cases. That case is made shorter.
    """
    part = part_of(spec, name, options)
    results = _run_all(part, cases, programs, limits, watch)
    failed = [i for i, result in enumerate(results) if result is not None and result.verdict != Verdict.ACCEPTED]
    failure, verdict = None, Verdict.ACCEPTED
    if failed:
        first = results[failed[0]]
        assert first is not None
        verdict = first.verdict
        shrunk = Shrunk(cases[failed[0]], first, 0)
        if verdict in SHRINKABLE:
            shrunk = shrink(part, shrunk.case, first, programs[0], limits, effort)
        ran = [(case, result) for case, result in zip(cases, results, strict=True) if result]
        failure = Failure(failed[0] + 1, *shrunk, cause(spec, part, shrunk, ran))
    isolation = programs[0].isolation
    return Report(spec.name, name, verdict, tuple(cases), tuple(results), coverage(part, cases), failure, isolation)


def _run_all(
    part: Part, cases: Sequence[Case], programs: Sequence[Judged], limits: Limits, watch: Callable[[float], None]
) -> list[Result | None]:
    """The result of each case; None for those that were left out once too many had run out of time."""
    results: list[Result | None] = [None] * len(cases)
    left, lock = iter(range(len(cases))), threading.Lock()

    def work(program: Judged) -> None:
        while True:
            with lock:
                late = sum(result is not None and result.verdict == Verdict.TIME for result in results)
                number = next(left, None) if late < PATIENCE else None
            if number is None:
                return
            results[number] = verdict_on(part, cases[number], program.run(cases[number]), limits)
            watch(sum(result is not None for result in results) / len(cases))

    if len(programs) == 1:  # in this thread: what is replaced in this process is replaced for it alone
        work(programs[0])
    else:
        with ThreadPoolExecutor(len(programs)) as pool:
            list(pool.map(work, programs))
    return results
