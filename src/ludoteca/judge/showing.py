"""A failing case in lines of text: for the judge's report, and for the checker that students get.

The checker contains the source of this module. So it imports what the checker contains too, and runs with Python 3.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoteca.core.words import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ludoteca.judge.comparing import Difference, Exchange

CONTEXT_LINES = 24
"""The largest number of lines to show before the first different line of the output."""
MOST_LINES = 40
"""The largest number of lines to show of a file or of the input."""


def no_gloss(line: str) -> str:  # noqa: ARG001  # as `Part.gloss`
    """Return no remark about a line."""
    return ""


def indented(text: str, marked: int | None = None, gloss: Callable[[str], str] = no_gloss) -> Iterator[str]:
    """Yield the lines of a text. An arrow is before the line with the number `marked`, from 1."""
    every = text.splitlines()
    for number, line in enumerate(every[:MOST_LINES], 1):
        yield f"{'>' if number == marked else ' '} {escaped(line)}{_in_brackets(gloss(line))}"
    if len(every) > MOST_LINES:
        yield "  ..."


def compared(
    steps: Sequence[Exchange],
    difference: Difference,
    labels: tuple[str, str],
    absent: tuple[str, str],
    gloss: Callable[[str], str] = no_gloss,
) -> Iterator[str]:
    """Yield the lines before a difference, the expected line and the line that was read, and a caret.

    `labels` name these two lines. `absent` are the words for an empty line and for the end of an output.
    """
    yield from (f"  | {line}" for line in before(steps, difference))
    width = max(map(len, labels))
    for label, line in zip(labels, (difference.expected, difference.got)):  # Python 3.9 has no `strict`
        shown = _visible(line) + _in_brackets(gloss(line)) if line else absent[line is None]
        yield f"{label:>{width}} | {shown}"
    if difference.expected and difference.got:
        yield f"{'':>{width}}   {'':>{len(_visible(difference.got[: difference.column]))}}^"


def read_until(steps: Sequence[Exchange], difference: Difference) -> str:
    """Return the input up to the line after which the program prints the line that differs."""
    return "".join(step.input for step in steps[: difference.step + 1])


def before(steps: Sequence[Exchange], difference: Difference) -> list[str]:
    """Return the expected output before the line that differs, from the last long output on."""
    done = sum(step.output.count("\n") for step in steps[: difference.step])
    first = done
    for step in reversed(steps[: difference.step]):
        first -= step.output.count("\n")
        if done - first > 3:
            break
    expected = "".join(step.output for step in steps).split("\n")
    return expected[max(first, difference.line - 1 - CONTEXT_LINES, 0) : difference.line - 1]


def _in_brackets(gloss: str) -> str:
    """Return a remark for the end of a line. Empty for an empty remark."""
    return f"   ({gloss})" if gloss else ""


def _visible(line: str) -> str:
    """Return a line with visible blanks at its end and escaped unprintable characters."""
    plain = line.rstrip(" ")
    return escaped(plain) + "·" * (len(line) - len(plain))
