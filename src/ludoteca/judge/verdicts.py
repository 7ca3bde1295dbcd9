"""Finds the verdict on one run of a program with a case."""

from enum import StrEnum
from typing import NamedTuple

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import SIGNAL_NAMES, Fault, Limits
from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import Message
from ludoteca.judge.comparing import (
    Difference,
    first_difference,
    peculiarity,
    reason_of_signal,
    reason_of_status,
    same_but_for_blanks,
)


class Verdict(StrEnum):
    """The names of verdicts in programming contests."""

    ACCEPTED = "Accepted"
    WRONG = "Wrong Answer"
    PRESENTATION = "Presentation Error"
    """The output differs from the right one only in blanks and line ends."""
    TIME = "Time Limit Exceeded"
    MEMORY = "Memory Limit Exceeded"
    OUTPUT = "Output Limit Exceeded"
    RUNTIME = "Runtime Error"
    COMPILE = "Compile Error"
    MISSING = "No Program"
    """The submission contains no program that can run."""
    UNJUDGED = "Not Judged"
    """No sandbox could be made, or the judge itself failed."""


class Result(NamedTuple):
    """The verdict on one case."""

    verdict: Verdict
    why: Message
    """The reason, as a message of the judge's catalogue. Empty if the verdict is ACCEPTED."""
    answer: Run
    difference: Difference | None = None
    """The first wrong line; None if there is none, or if the case has several right outputs."""

    @property
    def is_crash(self) -> bool:
        """True if a signal or an error, such as an exception, ended the program."""
        return self.verdict == Verdict.RUNTIME and self.answer.fault in (None, Fault.SIGNAL)

    @property
    def is_silent(self) -> bool:
        """True if the program ended with an error, or was stopped, before it printed a whole line. Such an output proves
        nothing.

        If the verdict is WRONG, the last line counts as whole even without a line end.
        """
        output = self.answer.output
        whole = output if self.verdict == Verdict.WRONG else output.rpartition(b"\n")[0]
        return self.answer.status != 0 and not whole.strip()


def text_of(output: bytes) -> str:
    """Return an output as text. Bytes that are not UTF-8 become surrogates, which `bytes_of` turns back into the
    same bytes.
    """
    return output.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """Return the output for which `text_of` returns this text."""
    return text.encode("utf-8", "surrogateescape")


def verdict_on(part: Part, case: Case, answer: Run, limits: Limits, *, excuses: bool = False) -> Result:
    """Return the verdict on a program's answer to a case, and the reason. If a limit was exceeded or a signal ended the
    program, that decides the verdict. `limits` are named in the reason.

    With `excuses`, an output is right if its wrong lines belong only to other subjects than that of the case. If the output
    is right, every exit status is accepted, and the last line may lack its line end. If the output ends too early because
    the program ended with an error, the verdict is RUNTIME, unless an earlier line is wrong.
    """
    output = text_of(answer.output)
    problem = part.problem(case, output)
    difference = first_difference(case.steps, output) if problem is None else None
    if answer.fault is not None:
        return Result(*stopped(answer, limits), answer, difference)
    if problem is None:
        if excuses and difference is not None and part.excused(case, output):
            return Result(Verdict.ACCEPTED, "", answer)
        if difference is None:
            return Result(Verdict.ACCEPTED, "", answer)
        if answer.status not in (0, case.status) and case.output.startswith(output):
            return Result(Verdict.RUNTIME, reason_of_status(answer.status, answer.errors), answer, difference)
        blank = same_but_for_blanks(case.output, output)
        if blank and part.options.ignores_blanks:
            return Result(Verdict.ACCEPTED, "", answer)
        verdict = Verdict.PRESENTATION if blank else Verdict.WRONG
        return Result(verdict, peculiarity(case.output, output, blank=blank), answer, difference)
    if not problem:
        return Result(Verdict.ACCEPTED, "", answer)
    if answer.status not in (0, case.status):
        return Result(Verdict.RUNTIME, reason_of_status(answer.status, answer.errors), answer)
    return Result(Verdict.WRONG, ("problem", problem), answer)


def wrong_line(part: Part, case: Case, output: str) -> int | None:
    """Return the number of the first wrong line, from 1. Return None if the output is right in all lines that belong to the
    case's subject.

    Return 0 if the output is wrong, but no line can be named as the first wrong one, because the case has several right
    outputs.
    """
    problem = part.problem(case, output)
    if problem is not None:
        return 0 if problem else None
    difference = first_difference(case.steps, output)
    if difference is None or part.excused(case, output):
        return None
    if part.options.ignores_blanks and same_but_for_blanks(case.output, output):
        return None
    return difference.line


def stopped(answer: Run, limits: Limits) -> tuple[Verdict, Message]:
    """Return the verdict on a program that exceeded a limit or was ended by a signal, and the reason in words."""
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
        return Verdict.RUNTIME, reason_of_signal(SIGNAL_NAMES.get(-answer.status, str(-answer.status)))
    return Verdict.RUNTIME, ("fault", answer.detail)
