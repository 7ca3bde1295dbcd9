"""Compares the output of a program with the right output, and finds the first difference and its reason."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from ludoteca.core.judging import Step
from ludoteca.core.messages import Message
from ludoteca.core.words import escaped

EXPLAINED_SIGNALS: Final = ("SIGSEGV", "SIGFPE", "SIGABRT")
"""Signals that often end wrong programs. The judge's catalogue of texts explains each of them."""
MOST_LAST_CHARACTERS: Final = 200
"""The most characters of an exception that a reason repeats."""
BYTE_ORDER_MARK: Final = "\ufeff"
"""The byte order mark."""


class Difference(NamedTuple):
    """The first line of an output that is not as expected."""

    line: int
    """Its number in the output, from 1."""
    step: int
    """The number of the step (an input line with its output) to which the expected line belongs, from 0."""
    expected: str | None
    """The right line; None if the right output has no further line."""
    got: str | None
    """The program's line; None if its output has no further line."""

    @property
    def column(self) -> int:
        """The column of the first different character, from 0."""
        expected, got = self.expected or "", self.got or ""
        shorter = min(len(expected), len(got))
        return next((place for place in range(shorter) if expected[place] != got[place]), shorter)


def reason_of_status(status: int, errors: bytes) -> Message:
    """Return a message for an output that ends too early: the exit status and, if the program wrote an exception to stderr
    (`errors`), the exception.

    In most languages, the exception is the last line that is neither indented nor the title of a stack trace.
    """
    every = errors.decode("utf-8", "backslashreplace").splitlines()
    last = next((line for line in reversed(every) if line and line[0] not in " \t." and not line.endswith(":")), "")
    return ("exception", status, escaped(last[:MOST_LAST_CHARACTERS])) if last else ("status", status)


def reason_of_signal(name: str) -> Message:
    """Return the message for a program that a signal ended."""
    return (f"signal.{name}",) if name in EXPLAINED_SIGNALS else ("signal", name)


def first_difference(steps: Sequence[Step], output: str) -> Difference | None:
    """Return the first line of `output` that differs from the output of the steps. Return None if no line differs. The last
    line may lack its line end.
    """
    expected = "".join(step.output for step in steps)
    if _without_last_end(output) == _without_last_end(expected):
        return None
    wanted, got = _lines(expected), _lines(output)
    shorter = min(len(wanted), len(got))
    number = next((line for line in range(shorter) if wanted[line] != got[line]), shorter)
    start = sum(len(line) + 1 for line in wanted[:number])
    ends = accumulate(len(step.output) for step in steps)
    step = next((place for place, end in enumerate(ends) if start < end), len(steps) - 1)
    return Difference(
        number + 1,
        step,
        wanted[number] if number < len(wanted) else None,
        got[number] if number < len(got) else None,
    )


def same_but_for_blanks(expected: str, output: str) -> bool:
    """Return True if the texts differ only in blanks and line ends, or not at all."""
    return "".join(expected.split()) == "".join(output.split())


def peculiarity(expected: str, output: str, *, blank: bool) -> Message:
    """Return a message that describes how `output` differs from the expected text. Of several differences it names the most
    striking one. `blank` is true if only blanks and line ends differ.
    """
    for number, line in enumerate(output.split("\n"), 1):
        for character in line:
            if "\udc80" <= character <= "\udcff":  # a byte, decoded with `surrogateescape`
                return "bytes", f"{ord(character) - 0xDC00:02x}", number
    if output.startswith(BYTE_ORDER_MARK):
        return ("mark",)
    if "\r\n" in output and output.replace("\r\n", "\n") == expected:
        return ("crlf",)
    return ("blanks",) if blank else ("differs",)


def _lines(text: str) -> list[str]:
    return _without_last_end(text).split("\n") if text else []


def _without_last_end(text: str) -> str:
    return text[:-1] if text.endswith("\n") else text
