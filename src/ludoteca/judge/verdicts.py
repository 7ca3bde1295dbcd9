"""The verdict on one run: what the program printed against what the document wants."""

from enum import StrEnum
from itertools import accumulate
from signal import Signals
from typing import Final, NamedTuple

from ludoteca.arena.limits import Fault, Limits
from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import Message
from ludoteca.judge.programs import Answer

MARK: Final = "\ufeff"


class Verdict(StrEnum):
    """As judges of contests name them."""

    ACCEPTED = "Accepted"
    WRONG = "Wrong Answer"
    PRESENTATION = "Presentation Error"
    """Nothing but blanks and line ends differs."""
    TIME = "Time Limit Exceeded"
    MEMORY = "Memory Limit Exceeded"
    OUTPUT = "Output Limit Exceeded"
    RUNTIME = "Runtime Error"
    COMPILE = "Compile Error"
    MISSING = "No Program"
    """There is nothing that could be run."""
    UNJUDGED = "Not Judged"
    """No sandbox could be made, or the judge itself failed."""


class Difference(NamedTuple):
    """The first line that is not as expected."""

    line: int
    """Its number in the output, from 1."""
    step: int
    """The step of the case to which the expected line belongs."""
    expected: str | None
    """None where nothing more is expected."""
    got: str | None
    """None where the output ends."""

    @property
    def column(self) -> int:
        """The first place that differs, from 0."""
        pairs = zip(self.expected or "", self.got or "", strict=False)
        shorter = min(len(self.expected or ""), len(self.got or ""))
        return next((i for i, (a, b) in enumerate(pairs) if a != b), shorter)


class Result(NamedTuple):
    """The verdict on one case."""

    verdict: Verdict
    why: Message
    """In the judge's catalogue; empty when accepted."""
    answer: Answer
    difference: Difference | None = None
    """None also for a program that has more than one right answer."""


def text_of(output: bytes) -> str:
    """An output as text; bytes that are no UTF-8 are kept as surrogates."""
    return output.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """An output of which `text_of` made this text."""
    return text.encode("utf-8", "surrogateescape")


def verdict_on(part: Part, case: Case, answer: Answer, limits: Limits, *, excuses: bool = False) -> Result:
    """Return the verdict on what a program did with a case. A limit that was passed counts first, then a signal.

    With `excuses`, an output is right if only other subjects than the case's own are wrong in it.

    If the output is right, any exit status is right. The last line may lack its end. If the output breaks off and the
    program ended with an error, the verdict is RUNTIME. A wrong line before that counts more.
    """
    output = text_of(answer.output)
    difference = _difference(part, case, output)
    if answer.fault is not None:
        return Result(*_broken_off(answer, limits), answer, difference)
    failed = answer.status not in (0, case.status)
    problem = part.problem(case, output)
    if excuses and difference is not None and part.excused(case, output):
        return Result(Verdict.ACCEPTED, "", answer)
    if problem is None and difference is not None and not (failed and case.output.startswith(output)):
        blank = "".join(output.split()) == "".join(case.output.split())
        if blank and part.options.ignores_blanks:
            return Result(Verdict.ACCEPTED, "", answer)
        verdict = Verdict.PRESENTATION if blank else Verdict.WRONG
        return Result(verdict, _why(case.output, output, blank), answer, difference)
    if problem and not failed:
        return Result(Verdict.WRONG, ("problem", problem), answer)
    if problem or difference is not None:
        return Result(Verdict.RUNTIME, ("status", answer.status), answer, difference)
    return Result(Verdict.ACCEPTED, "", answer)


def wrong_line(part: Part, case: Case, output: str) -> int | None:
    """Return the number of the first wrong line, from 1; None if the output is right for the case's subject.

    It is 0 if no line of a wrong output is known to be right, because the program has several right answers.
    """
    problem = part.problem(case, output)
    if problem is not None:
        return 0 if problem else None
    difference = _difference(part, case, output)
    if difference is None or part.excused(case, output):
        return None
    if part.options.ignores_blanks and "".join(output.split()) == "".join(case.output.split()):
        return None
    return difference.line


def _broken_off(answer: Answer, limits: Limits) -> tuple[Verdict, Message]:
    if answer.fault == Fault.TIME:
        return Verdict.TIME, ("limit.cpu", f"{limits.cpu:g}") if 0 < limits.cpu < answer.cpu else (
            "limit.time",
            f"{limits.move:g}",
        )
    if answer.fault == Fault.MEMORY:
        return Verdict.MEMORY, ("limit.memory", f"{limits.memory / (1 << 20):g}")
    if answer.fault == Fault.OUTPUT:
        return Verdict.OUTPUT, ("limit.output", f"{limits.output / (1 << 20):g}")
    if answer.fault == Fault.PROCESSES:
        return Verdict.RUNTIME, ("limit.processes", limits.processes)
    if answer.fault == Fault.DISK:
        return Verdict.RUNTIME, ("limit.disk", f"{limits.disk / (1 << 20):g}")
    if answer.fault == Fault.SIGNAL and answer.status < 0:
        return Verdict.RUNTIME, ("signal", Signals(-answer.status).name)
    return Verdict.RUNTIME, ("fault", answer.detail)


def _why(expected: str, output: str, blank: bool) -> Message:
    """What is peculiar about an output that differs."""
    for number, line in enumerate(output.split("\n"), 1):
        for character in line:
            if "\udc80" <= character <= "\udcff":
                return "bytes", f"{ord(character) - 0xDC00:02x}", number
    if output.startswith(MARK):
        return ("mark",)
    if "\r\n" in output and output.replace("\r\n", "\n") == expected:
        return ("crlf",)
    if blank:
        return ("blanks",)
    return ("differs",)


def _difference(part: Part, case: Case, output: str) -> Difference | None:
    expected = case.output
    if output.removesuffix("\n") == expected.removesuffix("\n") or part.problem(case, output) is not None:
        return None
    wanted, got = (text.removesuffix("\n").split("\n") if text else [] for text in (expected, output))
    number = next((i for i, (a, b) in enumerate(zip(wanted, got, strict=False)) if a != b), min(len(wanted), len(got)))
    start = sum(len(line) + 1 for line in wanted[:number])
    ends = accumulate(len(each.output) for each in case.steps)
    step = next((i for i, end in enumerate(ends) if start < end), len(case.steps) - 1)
    return Difference(number + 1, step, *(dict(enumerate(lines)).get(number) for lines in (wanted, got)))
