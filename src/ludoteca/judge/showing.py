"""Writes a failing case as lines of text, for reports."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ludoteca.core.judging import Step
from ludoteca.core.words import escaped
from ludoteca.judge.comparing import Difference

CONTEXT_LINES: Final = 24
"""The largest number of lines to show before the first different line of the output."""
MOST_LINES: Final = 40
"""The largest number of lines to show of a file or of the input."""


def failing_case(
    say: Callable[..., str],
    arguments: Sequence[str],
    files: Mapping[str, str],
    steps: Sequence[Step],
    difference: Difference | None,
    printed: str | None,
    errors: bytes,
    gloss: Callable[[str], str],
) -> Iterator[str]:
    """Yield the lines of a report about a failing case: its arguments, files and input, and the first wrong line
    (`difference`). If there is no wrong line, yield the program's output `printed` instead, unless it is None. `errors` is
    the program's stderr.

    `say` returns a text of the judge by its key and arguments. `gloss` returns an explanation of a line that is hard to
    read, or an empty text if the line needs none.
    """
    if arguments:
        yield say("arguments", " ".join(arguments))
    for name, content in files.items():
        yield say("file", name)
        yield from _indented(content)
    yield say("input")
    marked = sum(bool(step.input) for step in steps[: difference.step + 1]) if difference else None
    yield from _indented("".join(step.input for step in steps), gloss, marked)
    if difference:
        yield say("line", difference.line)
        yield from (f"  | {line}" for line in _before(steps, difference))
        lines = {say("expected"): difference.expected, say("got"): difference.got}
        width = max(map(len, lines))
        for label, line in lines.items():
            absent = say("nothing" if line is None else "empty_line")
            yield f"{label:>{width}} | {_visible(line) + _in_brackets(gloss(line)) if line else absent}"
        if difference.expected and difference.got:
            yield f"{'':>{width}}   {'':>{len(_visible(difference.got[: difference.column]))}}^"
    elif printed is not None:
        yield say("printed")
        yield from _indented(printed, gloss)
    if errors:
        yield say("errors")
        yield from _indented(errors.decode("utf-8", "backslashreplace"))


def _indented(text: str, gloss: Callable[[str], str] = lambda _: "", marked: int | None = None) -> Iterator[str]:
    """Yield the lines of a text. An arrow is before the line with the number `marked`, from 1."""
    every = text.splitlines()
    for number, line in enumerate(every[:MOST_LINES], 1):
        yield f"{'>' if number == marked else ' '} {escaped(line)}{_in_brackets(gloss(line))}"
    if len(every) > MOST_LINES:
        yield "  ..."


def _before(steps: Sequence[Step], difference: Difference) -> list[str]:
    """Return the last lines of the expected output before the line that differs, beginning at the last step with a long
    output.
    """
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
