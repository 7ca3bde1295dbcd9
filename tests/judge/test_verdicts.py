"""Verdicts on single answers, of a program that says one line for each line it reads."""

from collections.abc import Iterator
from random import Random

import pytest

from ludoteca.arena.faults import Fault
from ludoteca.arena.limits import Limits
from ludoteca.core.judging import Case, Part, Step
from ludoteca.core.messages import catalogue, in_words
from ludoteca.judge.programs import Answer
from ludoteca.judge.verdicts import Difference, Result, Verdict, verdict_on

CASE = Case((), (Step("", "HOLA\n"), Step("1\n", "a  b\nç\n"), Step("2\n", "fi\n")))
RIGHT = "HOLA\na  b\nç\nfi\n".encode()
FAILS = Case((), CASE.steps, status=1)
LIMITS = Limits(move=2, memory=64 << 20, output=1 << 20)


class Echo(Part):
    branches = ()
    mutants = ()

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        return CASE

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        return iter(())

    def again(self, case: Case) -> Case:
        return case


class AnyNumber(Echo):
    """A program with many right answers."""

    def problem(self, case: Case, output: str) -> str | None:
        return "" if output.strip().isdigit() else "it is no number"


def judged(answer: Answer, case: Case = CASE, part: Part | None = None) -> Result:
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
        (RIGHT[:-1], Verdict.PRESENTATION, "the last line has no line end"),
        (RIGHT.replace(b"\n", b"\r\n"), Verdict.PRESENTATION, "lines end in CR LF, as on Windows"),
        (b"\xef\xbb\xbf" + RIGHT, Verdict.WRONG, "the output begins with a byte order mark"),
        (RIGHT.decode().encode("latin-1"), Verdict.WRONG, "byte e7 in line 3 of the output is no UTF-8"),
    ],
)
def test_an_output_is_compared_byte_for_byte(output: bytes, verdict: Verdict, why: str) -> None:
    result = judged(Answer(output, 0))
    assert (result.verdict, told(result)) == (verdict, why)


@pytest.mark.parametrize(
    ("answer", "verdict", "why"),
    [
        (Answer(b"", -11, fault=Fault.SIGNAL), Verdict.RUNTIME, "it was ended by the signal SIGSEGV"),
        (Answer(RIGHT, -9, fault=Fault.TIME), Verdict.TIME, "it did not end within 2 seconds"),
        (Answer(RIGHT, -9, fault=Fault.MEMORY), Verdict.MEMORY, "it used more than 64 MiB of memory"),
        (Answer(RIGHT, -9, fault=Fault.OUTPUT), Verdict.OUTPUT, "it wrote more than 1 MiB"),
        (Answer(RIGHT, -9, fault=Fault.PROCESSES), Verdict.RUNTIME, "it started more than 64 processes"),
        (Answer(RIGHT, -9, fault=Fault.DISK), Verdict.RUNTIME, "its files took more than 64 MiB"),
        (Answer(RIGHT, 3), Verdict.RUNTIME, "the output is right, but the exit status is 3, expected 0"),
        (Answer(b"HOLA\n", 3), Verdict.RUNTIME, "it ended with exit status 3, expected 0"),
        (Answer(b"HELLO\n", 3), Verdict.WRONG, "the output is not as expected"),
    ],
)
def test_what_ends_a_program_is_told(answer: Answer, verdict: Verdict, why: str) -> None:
    result = judged(answer)
    assert (result.verdict, told(result)) == (verdict, why)


def test_a_case_may_ask_for_a_status_or_leave_it_open() -> None:
    assert judged(Answer(RIGHT, 1), FAILS).verdict == Verdict.ACCEPTED
    wrong = judged(Answer(RIGHT, 0), FAILS)
    assert (wrong.verdict, told(wrong)) == (
        Verdict.RUNTIME,
        "the output is right, but the exit status is 0, expected 1",
    )
    assert judged(Answer(b"?\n", 0), FAILS).verdict == Verdict.WRONG
    assert judged(Answer(RIGHT, 7), Case((), CASE.steps, status=None)).verdict == Verdict.ACCEPTED


def test_a_program_may_have_many_right_answers() -> None:
    assert judged(Answer(b"12\n", 0), part=AnyNumber()).verdict == Verdict.ACCEPTED
    wrong = judged(Answer(b"x\n", 0), part=AnyNumber())
    assert (wrong.verdict, told(wrong), wrong.difference) == (Verdict.WRONG, "it is no number", None)
    assert judged(Answer(b"x\n", 4), part=AnyNumber()).verdict == Verdict.RUNTIME


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
    found = judged(Answer(output.encode(), 0)).difference
    assert found == difference
    assert found.column == column
