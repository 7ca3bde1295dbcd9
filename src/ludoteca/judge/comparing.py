"""The comparison of an output with the right one: for the judge, and for the checker that students get.

The checker contains the source of this module. So it imports what the checker contains too, and runs with Python 3.9.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ludoteca.core.words import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

ACCEPTED = "Accepted"
WRONG = "Wrong Answer"
PRESENTATION = "Presentation Error"
RUNTIME = "Runtime Error"

EXPLAINED_SIGNALS = ("SIGSEGV", "SIGFPE", "SIGABRT")
"""The usual signals of wrong programs. The judge's catalogue has words for them."""
MOST_LAST_CHARACTERS = 200
"""The largest number of characters of an exception in a reason."""
BYTE_ORDER_MARK = "\ufeff"
"""The byte order mark."""


class Exchange(Protocol):
    """One line of an input, and the output of the program after it."""

    @property
    def input(self) -> str:
        """The line with its end. It is empty for the output before the program reads anything."""

    @property
    def output(self) -> str:
        """The text with its line ends."""


class Difference(NamedTuple):
    """The first line that is not as expected."""

    line: int
    """Its number in the output, from 1."""
    step: int
    """The step of the case to which the expected line belongs."""
    expected: str | None
    """None if nothing more is expected."""
    got: str | None
    """None if the output ends."""

    @property
    def column(self) -> int:
        """The column of the first different character, from 0."""
        expected, got = self.expected or "", self.got or ""
        shorter = min(len(expected), len(got))
        return next((place for place in range(shorter) if expected[place] != got[place]), shorter)


class Outcome(NamedTuple):
    """The verdict on a program that ended by itself."""

    verdict: str
    why: tuple[str | int, ...]
    """The key and the arguments of a text in the judge's catalogue. Empty if the verdict is ACCEPTED."""
    difference: Difference | None


def compare(
    steps: Sequence[Exchange], usual: int, output: str, status: int, errors: bytes, *, ignores_blanks: bool
) -> Outcome:
    """Return the verdict on an output. `usual` is the exit status of the right program, and `errors` the standard error.

    If the output is right, any exit status is right. The last line may lack its end. If the output breaks off and the
    program ended with an error, the verdict is RUNTIME. A wrong line before that counts more.
    """
    expected = "".join(step.output for step in steps)
    difference = first_difference(steps, output)
    if difference is None:
        return Outcome(ACCEPTED, (), None)
    if status not in (0, usual) and expected.startswith(output):
        return Outcome(RUNTIME, reason_of_status(status, errors), difference)
    blank = same_but_for_blanks(expected, output)
    if blank and ignores_blanks:
        return Outcome(ACCEPTED, (), None)
    return Outcome(PRESENTATION if blank else WRONG, _peculiarity(expected, output, blank=blank), difference)


def reason_of_status(status: int, errors: bytes) -> tuple[str | int, ...]:
    """Return the message for an output that breaks off: the exit status, and the exception if standard error names one.

    In most languages, the exception is the last line that is not indented and does not announce a list of calls.
    """
    every = errors.decode("utf-8", "backslashreplace").splitlines()
    last = next((line for line in reversed(every) if line and line[0] not in " \t." and not line.endswith(":")), "")
    return ("exception", status, escaped(last[:MOST_LAST_CHARACTERS])) if last else ("status", status)


def reason_of_signal(name: str) -> tuple[str | int, ...]:
    """Return the message for a program that a signal ended."""
    return (f"signal.{name}",) if name in EXPLAINED_SIGNALS else ("signal", name)


def first_difference(steps: Sequence[Exchange], output: str) -> Difference | None:
    """Return the first line that differs, or None. The last line may lack its end."""
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
    """Return True if the texts differ in nothing but blanks and line ends."""
    return "".join(expected.split()) == "".join(output.split())


def _peculiarity(expected: str, output: str, *, blank: bool) -> tuple[str | int, ...]:
    """Return the message for a different output: the most striking difference."""
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
