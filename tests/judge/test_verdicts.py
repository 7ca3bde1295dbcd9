"""Verdicts on answers, of a program that says one line for each line it reads."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Fault, Limits
from ludoteca.core import registry
from ludoteca.core.judging import Branch, Case, Options, Part, Step
from ludoteca.core.messages import catalogue, in_words
from ludoteca.judge.comparing import Difference
from ludoteca.judge.judge import at_terminal, run_cases
from ludoteca.judge.reports import Words
from ludoteca.judge.showing import failing_case
from ludoteca.judge.verdicts import Result, Verdict, verdict_on

CASE = Case((), (Step("", "HOLA\n"), Step("1\n", "a  b\nç\n"), Step("2\n", "fi\n")))
RIGHT = "HOLA\na  b\nç\nfi\n".encode()
FAILS = Case((), CASE.steps, status=1)
LIMITS = Limits(move=2, cpu=1, memory=64 << 20, output=1 << 20)


class Echo(Part):
    branches: Sequence[Branch] = ()

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        return CASE

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        return iter(())


class AnyNumber(Echo):
    """A program with many right answers."""

    def problem(self, case: Case, output: str) -> str | None:
        return "" if output.strip().isdigit() else "it is no number"


def judged(answer: Run, case: Case = CASE, part: Part | None = None) -> Result:
    return verdict_on(part or Echo(), case, answer, LIMITS)


def told(result: Result) -> str:
    return in_words(result.why, catalogue("ludoteca.judge", "en"))


@pytest.mark.parametrize(
    ("output", "verdict", "why"),
    [
        (RIGHT, Verdict.ACCEPTED, ""),
        (RIGHT.replace(b"fi", b"FI"), Verdict.WRONG, "the output is not as expected"),
        (b"", Verdict.WRONG, "the output is not as expected"),
        (RIGHT + b"fi\n", Verdict.WRONG, "the output is not as expected"),
        (RIGHT.replace(b"  ", b" "), Verdict.PRESENTATION, "only blanks differ"),
        (RIGHT.replace(b"fi", b"\nfi"), Verdict.PRESENTATION, "only blanks differ"),
        (RIGHT.replace(b"\n", b"\r\n"), Verdict.PRESENTATION, "lines end in CR LF, as on Windows"),
        (b"\xef\xbb\xbf" + RIGHT, Verdict.WRONG, "the output begins with a byte order mark"),
        (RIGHT.decode().encode("latin-1"), Verdict.WRONG, "byte e7 in line 3 of the output is not UTF-8"),
    ],
)
def test_an_output_is_compared_byte_for_byte(output: bytes, verdict: Verdict, why: str) -> None:
    result = judged(Run(output, 0))
    assert (result.verdict, told(result)) == (verdict, why)


@pytest.mark.parametrize(
    ("answer", "verdict", "why"),
    [
        (Run(b"", -11, fault=Fault.SIGNAL), Verdict.RUNTIME, "signal SIGSEGV (segmentation fault) ended it"),
        (Run(b"", -35, fault=Fault.SIGNAL), Verdict.RUNTIME, "signal 35 ended it"),
        (Run(RIGHT, -9, fault=Fault.TIME), Verdict.TIME, "it did not end within 2 seconds on the clock"),
        (Run(RIGHT, -9, fault=Fault.MEMORY), Verdict.MEMORY, "it used more than 64 MiB of memory"),
        (Run(RIGHT, -9, fault=Fault.OUTPUT), Verdict.OUTPUT, "it wrote more than 1 MiB"),
        (Run(RIGHT, -9, fault=Fault.PROCESSES), Verdict.RUNTIME, "it started more than 64 processes"),
        (Run(RIGHT, -9, fault=Fault.DISK), Verdict.RUNTIME, "its files took more than 64 MiB"),
        (Run(RIGHT, -9, fault=Fault.TIME, cpu=2.5), Verdict.TIME, "it used more than 1 seconds of processor time"),
        (Run(b"HOLA\n", 3), Verdict.RUNTIME, "the output is incomplete, and the exit status is 3"),
        (Run(b"HELLO\n", 3), Verdict.WRONG, "the output is not as expected"),
    ],
)
def test_what_ends_a_program_is_told(answer: Run, verdict: Verdict, why: str) -> None:
    result = judged(answer)
    assert (result.verdict, told(result)) == (verdict, why)


@pytest.mark.parametrize(
    ("errors", "exception"),
    [
        (b'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 3\n', "KeyError: 3"),
        (
            b'Exception in thread "main" java.lang.Error: no\n\tat A.main(A.java:1)\n',
            'Exception in thread "main" java.lang.Error: no',
        ),
        (b"...ain(A.java:5)\n\tat A.main(A.java:5)\n", ""),
        (b"lua: a.lua:1: no\nstack traceback:\n\t[C]: in ?\n", "lua: a.lua:1: no"),
        (b"\x1b[1mno\xff\n\n", r"\x1b[1mno\xff"),
    ],
)
def test_an_exception_is_told(errors: bytes, exception: str) -> None:
    words = ": ".join(filter(None, ("the output is incomplete, and the exit status is 1", exception)))
    assert told(judged(Run(b"HOLA\n", 1, errors))) == words


@pytest.mark.parametrize(
    ("output", "status", "verdict", "is_silent"),
    [
        (b"HOL", 1, Verdict.RUNTIME, True),
        (b"HOLA\n", 1, Verdict.RUNTIME, False),
        (b"adeu", 1, Verdict.WRONG, False),
        (b"", 0, Verdict.WRONG, False),
    ],
)
def test_half_a_line_of_a_crash_proves_nothing(output: bytes, status: int, verdict: Verdict, is_silent: bool) -> None:
    result = verdict_on(Echo(), CASE, Run(output, status), LIMITS)
    assert (result.verdict, result.is_silent) == (verdict, is_silent)


@pytest.mark.parametrize("output", [RIGHT, RIGHT.removesuffix(b"\n")], ids=["whole", "no last line end"])
def test_any_status_is_right_after_a_right_output(output: bytes) -> None:
    for case in (CASE, FAILS):
        assert {judged(Run(output, status), case).verdict for status in (0, 1, 7)} == {Verdict.ACCEPTED}


def test_the_status_of_our_own_program_is_no_runtime_error() -> None:
    assert judged(Run(b"", 1), FAILS).verdict == Verdict.WRONG
    assert judged(Run(b"?\n", 0), FAILS).verdict == Verdict.WRONG


def test_blanks_can_be_ignored() -> None:
    part = Echo().with_options(Options(ignores_blanks=True))
    for output in (RIGHT.replace(b"\n", b" \n"), RIGHT.replace(b"\n", b"\n\n"), RIGHT.replace(b" ", b"  ")):
        assert judged(Run(output, 0)).verdict == Verdict.PRESENTATION
        assert verdict_on(part, CASE, Run(output, 0), LIMITS).verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("output", "line"),
    [(b"HOLA\n\n", "(an empty line)"), (b"\nHOLA\n", "(an empty line)"), (b"HOLA\nHOLA\n", "HOLA")],
)
def test_an_empty_line_too_many_is_shown(output: bytes, line: str) -> None:
    case = Case((), (Step("", "HOLA\n"),))
    say, found = Words(registry.find("okupacio"), "en").say, judged(Run(output, 0), case)
    assert f"     got | {line}" in failing_case(say, (), {}, case.steps, found.difference, None, b"", lambda _: "")


def test_a_program_may_have_many_right_answers() -> None:
    assert judged(Run(b"12\n", 0), part=AnyNumber()).verdict == Verdict.ACCEPTED
    wrong = judged(Run(b"x\n", 0), part=AnyNumber())
    assert (wrong.verdict, told(wrong), wrong.difference) == (Verdict.WRONG, "it is no number", None)
    assert judged(Run(b"x\n", 4), part=AnyNumber()).verdict == Verdict.RUNTIME


@pytest.mark.parametrize(
    ("output", "difference", "column"),
    [
        ("HOLA\na  c\n", Difference(2, 1, "a  b", "a  c"), 3),
        ("HOLA\n", Difference(2, 1, "a  b", None), 0),
        ("HOLA\na  b\nç\nfi\nfi\n", Difference(5, 2, None, "fi"), 0),
        ("", Difference(1, 0, "HOLA", None), 0),
        ("HOLA\na  b\nç\nfix\n", Difference(4, 2, "fi", "fix"), 2),
    ],
)
def test_the_first_difference_is_found_with_its_step(output: str, difference: Difference, column: int) -> None:
    found = judged(Run(output.encode(), 0)).difference
    assert found == difference
    assert found.column == column


class OneLine(Echo):
    """Each case has one line of output, and one run of a program answers several cases."""

    together = 3

    def joined(self, cases: Sequence[Case]) -> Case:
        return Case((), tuple(step for case in cases for step in case.steps))

    def parted(self, output: str) -> list[str]:
        return output.splitlines(keepends=True)


class Spoiled:
    """A program that answers only the first case of a run right."""

    isolation = ""
    together = OneLine.together

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        first, *others = case.output.splitlines(keepends=True)
        return Run("".join([first, *("?\n" for _ in others)]).encode(), 0)

    def close(self) -> None:
        pass


def test_cases_that_fail_only_after_others_are_accepted_one_by_one() -> None:
    cases = [Case((), (Step("", f"{number}\n"),)) for number in range(OneLine.together)]
    tested = run_cases(OneLine(), cases, [Spoiled()], LIMITS, lambda _: None)
    assert [result.verdict for result in tested.results.values()] == [Verdict.ACCEPTED] * len(cases)


class Crashing(Spoiled):
    """A program with this answer if its output is a terminal."""

    def __init__(self, answer: Run) -> None:
        self._answer = answer

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        return self._answer if terminal else Run(b"", 1)


@pytest.mark.parametrize(
    ("answer", "difference"),
    [
        (Run(b"HOLA\na  b\n", 1), Difference(3, 1, "ç", None)),
        (Run(b"HOLA\na ", 1), Difference(2, 1, "a  b", None)),
        (Run(b"HOLA\nA", -11, fault=Fault.SIGNAL), Difference(2, 1, "a  b", "A")),
        (Run(b"", -11, fault=Fault.SIGNAL), None),
        (Run(b"HOLA\nA", 1), None),
        (Run(RIGHT, 0), None),
    ],
    ids=["a missing line", "half a line", "a wrong line", "no line", "no crash", "no fault"],
)
def test_a_crash_is_explained_by_what_a_terminal_shows(answer: Run, difference: Difference | None) -> None:
    program = Crashing(answer)
    found = at_terminal(Echo(), CASE, judged(program.run(CASE)), program, LIMITS, excuses=False)
    assert (found.verdict, found.difference) == (Verdict.RUNTIME, difference)
