"""The verdict on one run: what the program printed against what the document wants."""

from enum import StrEnum
from signal import Signals
from typing import Final, NamedTuple

from ludoteca.arena.programs.limits import Fault, Limits
from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import Message
from ludoteca.judge import comparing
from ludoteca.judge.comparing import Difference, compare, first_difference, same_but_for_blanks
from ludoteca.judge.programs import Answer

SIGNAL_NAMES: Final = {number.value: number.name for number in Signals}
"""Without the signals between SIGRTMIN and SIGRTMAX, which have no names."""


class Verdict(StrEnum):
    """As judges of contests name them."""

    ACCEPTED = comparing.ACCEPTED
    WRONG = comparing.WRONG
    PRESENTATION = comparing.PRESENTATION
    """Nothing but blanks and line ends differs."""
    TIME = "Time Limit Exceeded"
    MEMORY = "Memory Limit Exceeded"
    OUTPUT = "Output Limit Exceeded"
    RUNTIME = comparing.RUNTIME
    COMPILE = "Compile Error"
    MISSING = "No Program"
    """There is nothing that could be run."""
    UNJUDGED = "Not Judged"
    """No sandbox could be made, or the judge itself failed."""


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
        return Result(*stopped(answer, limits), answer, difference)
    problem = part.problem(case, output)
    if problem is None:
        if excuses and difference is not None and part.excused(case, output):
            return Result(Verdict.ACCEPTED, "", answer)
        blanks = part.options.ignores_blanks
        verdict, why, found = compare(case.steps, case.status, output, answer.status, ignores_blanks=blanks)
        return Result(Verdict(verdict), why or "", answer, found)
    if not problem:
        return Result(Verdict.ACCEPTED, "", answer)
    if answer.status not in (0, case.status):
        return Result(Verdict.RUNTIME, ("status", answer.status), answer)
    return Result(Verdict.WRONG, ("problem", problem), answer)


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
    if part.options.ignores_blanks and same_but_for_blanks(case.output, output):
        return None
    return difference.line


def stopped(answer: Answer, limits: Limits) -> tuple[Verdict, Message]:
    """Return the verdict on a program that has a fault, and why it was stopped."""
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
        return Verdict.RUNTIME, ("signal", SIGNAL_NAMES.get(-answer.status, -answer.status))
    return Verdict.RUNTIME, ("fault", answer.detail)


def _difference(part: Part, case: Case, output: str) -> Difference | None:
    return first_difference(case.steps, output) if part.problem(case, output) is None else None
