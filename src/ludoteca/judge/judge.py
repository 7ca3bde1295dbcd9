"""Judges a program: runs it with a set of cases, and explains its failures."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final, NamedTuple

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Fault, Limits
from ludoteca.core.judging import USUAL as USUAL_OPTIONS
from ludoteca.core.judging import Case, Options, Part, part_of
from ludoteca.core.messages import Message
from ludoteca.core.spec import GameSpec
from ludoteca.judge.causes import Cause, cause, explains, spectrum_of
from ludoteca.judge.making import coverage
from ludoteca.judge.programs import Judged
from ludoteca.judge.rules import Rule, rules_of
from ludoteca.judge.shrinking import USUAL, Effort, Shrunk, shrink
from ludoteca.judge.verdicts import Result, Verdict, bytes_of, text_of, verdict_on

LATE_CASES: Final = 2
"""If this many cases of a subject exceed the time limit, the other cases of this subject are not run."""
MOST_CAUSES: Final = 3
"""The most failing cases of a program that are explained."""
FURTHER_RUNS: Final = 8
"""The most runs of the program to shorten a failing case, for each failing case after the first."""
SHRINKABLE: Final = (Verdict.WRONG, Verdict.PRESENTATION, Verdict.RUNTIME)
"""Verdicts whose cases are shortened. They come so quickly that many runs are possible."""


class Failure(NamedTuple):
    """A case that the program fails."""

    number: int
    """The number of the original case, from 1. `case` may be a shorter one."""
    case: Case
    result: Result
    runs: int
    """The number of runs of the program that were used to shorten the case, or 0 if it is not shorter."""
    cause: Cause


class Report(NamedTuple):
    """The result of a program with all cases."""

    game: str
    part: str
    verdict: Verdict
    cases: tuple[Case, ...]
    results: tuple[Result | None, ...]
    """The result of each case. None if it was not run."""
    coverage: Mapping[str, int]
    failures: tuple[Failure, ...]
    """The first failing case, and later ones whose causes differ from those before."""
    rules: tuple[Rule, ...]
    isolation: Message
    subjects: Mapping[str, tuple[int, int]]
    """For each subject (a kind of cases), the number of accepted cases and the number of all cases."""
    decisions: Mapping[str, bool]
    """For each decision that was tested, by its key: True if the program decides as Ludoteca's does."""

    @property
    def failure(self) -> Failure | None:
        """The first case that fails, or None if all are accepted."""
        return self.failures[0] if self.failures else None

    @property
    def accepted(self) -> int:
        """The number of accepted cases."""
        return sum(result is not None and result.verdict == Verdict.ACCEPTED for result in self.results)


class Tested(NamedTuple):
    """The results of a program with all cases, before its failures are explained."""

    cases: Sequence[Case]
    results: Mapping[int, Result]
    """The results by case number, from 0. Cases that were not run have none."""
    excuses: bool
    """True if faults of other subjects than that of a case are excused in it. It is False if no case would fail then."""


def judge(
    spec: GameSpec,
    name: str,
    cases: Sequence[Case],
    programs: Sequence[Judged],
    limits: Limits,
    effort: Effort = USUAL,
    options: Options = USUAL_OPTIONS,
) -> Report:
    """Run a program with all cases and explain its failures. `name` is the name of the part, and `programs` are copies of
    the program, each of which runs one case at a time. `effort` limits the search for shorter failing cases.
    """
    part = part_of(spec, name, options)
    tested = run_cases(part, cases, programs, limits, lambda _: None)
    return explain(spec.name, name, part, tested, programs[0], limits, effort)


def run_cases(
    part: Part, cases: Sequence[Case], programs: Sequence[Judged], limits: Limits, watch: Callable[[float], None]
) -> Tested:
    """Run a program with all cases, and return the results. `programs` are copies of the program, which run at the same
    time. `watch` is called with the finished share of the cases, from 0 to 1.
    """
    tested = _results(part, cases, _run_all(part, cases, programs, watch, programs[0].together), limits)
    failed = _failed(tested.results)
    if failed and programs[0].together > 1:  # a program may keep facts of a case that spoil the next one
        alone = verdict_on(part, cases[failed[0]], programs[0].run(cases[failed[0]]), limits, excuses=tested.excuses)
        if alone.verdict == Verdict.ACCEPTED:
            tested = _results(part, cases, _run_all(part, cases, programs, watch, 1), limits)
    return tested


def explain(
    game: str,
    name: str,
    part: Part,
    tested: Tested,
    program: Judged,
    limits: Limits,
    effort: Effort = USUAL,
    decided: Mapping[str, Sequence[Case]] = {},
) -> Report:
    """Return the report on a program whose results are in `tested`. To explain its failures, run it with shorter cases,
    within the limits of `effort`. The verdict on the program is that on its first failing case.

    `decided` has the cases that `make_decisions` returned. Their results are added to the report and do not change the
    verdict.
    """
    cases, results, excuses = tested
    shown = {
        number: at_terminal(part, cases[number], result, program, limits, excuses=excuses)
        for number, result in results.items()
    }
    failures = tuple(_failures(part, tested._replace(results=shown), program, limits, effort))
    every = Counter(case.subject for case in cases)
    right = Counter(cases[number].subject for number, result in results.items() if result.verdict == Verdict.ACCEPTED)
    return Report(
        game=game,
        part=name,
        verdict=results[failures[0].number - 1].verdict if failures else Verdict.ACCEPTED,
        cases=tuple(cases),
        results=tuple(results.get(number) for number in range(len(cases))),
        coverage=coverage(part, cases),
        failures=failures,
        rules=rules_of(part, cases, shown, [failure.cause.branch for failure in failures if failure.cause.branch]),
        isolation=program.isolation,
        subjects={subject: (right[subject], every[subject]) for subject in part.subjects if every[subject]},
        decisions={
            key: all(verdict_on(part, case, program.run(case), limits).verdict == Verdict.ACCEPTED for case in asked)
            for key, asked in decided.items()
        },
    )


def at_terminal(part: Part, case: Case, result: Result, program: Judged, limits: Limits, *, excuses: bool) -> Result:
    """If the program crashed in a case, run the case again to see the lines that the program printed before the crash.
    Return the new result, or any other result unchanged.

    In a crash, the lines that the program had not yet written to the pipe are lost. In the second run the output is a
    pseudo-terminal, to which most programs write each line at once. If the second run has another verdict or prints no whole
    line, its output proves nothing, and the first result is returned.
    """
    if not result.is_crash:
        return result
    answer = program.run(case, terminal=True)
    if case.output.startswith(text_of(answer.output)):  # it breaks off, so half a line is not a wrong line
        answer = answer._replace(output=answer.output[: answer.output.rfind(b"\n") + 1])
    again = verdict_on(part, case, answer, limits, excuses=excuses)
    found = again if again.verdict == result.verdict else result
    return found._replace(difference=None) if found.is_silent else found


def _failed(results: Mapping[int, Result]) -> list[int]:
    return [number for number, result in sorted(results.items()) if result.verdict != Verdict.ACCEPTED]


def _failures(part: Part, tested: Tested, program: Judged, limits: Limits, effort: Effort) -> Iterator[Failure]:
    """Yield the first failing case, shortened and with its cause. Then yield further failing cases that the causes found
    before do not explain, in the same form. Leave out a case if its shorter form only repeats the sentence of an
    earlier failure.
    """
    cases, results, excuses = tested
    left, told = _failed(results), set[str | None]()
    known = spectrum_of(part, cases, results if left else {})
    for _ in range(MOST_CAUSES):
        if not left:
            return
        number, *left = left
        shrunk = Shrunk(cases[number], results[number], 0)
        if shrunk.result.verdict in SHRINKABLE:
            shrunk = shrink(part, shrunk, program, limits, effort, excuses=excuses)
            shrunk = shrunk._replace(runs=shrunk.runs if shrunk.case is not cases[number] else 0)
            shrunk = shrunk._replace(result=at_terminal(part, shrunk.case, shrunk.result, program, limits, excuses=excuses))
        found = cause(part, shrunk, known)
        if (sentence := found.branch and found.branch.sentence) not in told:
            yield Failure(number + 1, *shrunk, found)
        told.add(sentence)
        effort = effort._replace(runs=FURTHER_RUNS)
        left = [other for other in left if other in known.wrong and not explains(part, found, known.wrong[other])]


def _results(part: Part, cases: Sequence[Case], answers: Mapping[int, Run], limits: Limits) -> Tested:
    strict = {number: verdict_on(part, cases[number], answer, limits) for number, answer in answers.items()}
    excused = strict | {
        number: verdict_on(part, cases[number], answers[number], limits, excuses=True) for number in _failed(strict)
    }
    fails = bool(_failed(excused))
    return Tested(cases, excused if fails else strict, fails)


def _run_all(
    part: Part, cases: Sequence[Case], programs: Sequence[Judged], watch: Callable[[float], None], together: int
) -> dict[int, Run]:
    """Return the answers by the numbers of the cases. `together` cases are given to one run of the program. After LATE_CASES
    timeouts in a subject, the other cases of this subject are skipped.
    """
    answers: dict[int, Run] = {}
    done = 0
    left, lock, late = iter(range(len(cases))), threading.Lock(), Counter[str]()

    def work(program: Judged) -> None:
        nonlocal done
        while True:
            with lock:
                numbers = list(islice(left, together))
            if not numbers:
                return
            found = dict[int, Run]()
            if len(numbers) > 1:
                answered = _run_together(part, [cases[number] for number in numbers], program)
                found = dict(zip(numbers, answered, strict=False))
            for number in numbers[len(found) :]:
                subject = cases[number].subject
                with lock:
                    patient = late[subject] < LATE_CASES
                if patient:
                    found[number] = program.run(cases[number])
                    with lock:
                        late[subject] += found[number].fault == Fault.TIME
            with lock:
                answers.update(found)
                done += len(numbers)
                watch(done / len(cases))

    with ThreadPoolExecutor(len(programs)) as pool:
        list(pool.map(work, programs))
    return answers


def _run_together(part: Part, cases: Sequence[Case], program: Judged) -> list[Run]:
    """Return the answers to these cases from one run of the program. If the program ends early, the answers end with that to
    the case in which it ended, which is left out.
    """
    answer = program.run(part.joined(cases))
    outputs = part.parted(text_of(answer.output))
    if len(outputs) < len(cases) or answer.fault is not None or answer.status != 0:
        outputs = outputs[:-1]
    return [answer._replace(output=bytes_of(output), status=0, fault=None, detail="") for output in outputs]
