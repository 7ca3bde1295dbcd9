"""What the documents' text programs are made of: sessions that take lines and give lines, with no I/O of their own.

A game's `console.session(io, arguments, read_file)` is a generator. It yields whenever it needs a line, and is sent one
(with its line end) or None at the end of the input; what it has printed by then lies in `io`. It returns the exit status.
`run` is the one driver that has real input and output.
"""

from collections.abc import Callable, Generator
from typing import Final, Protocol, TypeAlias, TypeVar

from ludoteca.core.errors import LudotecaError
from ludoteca.core.words import excerpt

T = TypeVar("T")
Dialogue: TypeAlias = Generator[None, str | None, T]
Session: TypeAlias = Dialogue[int]
ReadFile: TypeAlias = Callable[[str], str]
"""Gives the text of a file; raises OSError."""

BLANKS: Final = " \t\n\v\f\r"
"""White space as C's `isspace` has it."""
MOST_DIGITS: Final = 4000
"""Of a number; Python itself refuses to read somewhat longer ones."""


class ConsoleError(LudotecaError):
    """The session cannot go on; the message goes to standard error and the exit status is 1."""


class Console:
    """Input taken apart as the documents' programs do (by words, characters or lines), and output by lines."""

    def __init__(self) -> None:
        self._rest = ""
        self._out: list[str] = []
        self._lines_read = 0

    def print(self, *lines: str) -> None:
        """Print lines."""
        self._out += lines

    def printed(self) -> str:
        """What has been printed since the last call."""
        text = "".join(f"{line}\n" for line in self._out)
        self._out.clear()
        return text

    def word(self, what: str) -> Dialogue[str]:
        """The next run of non-blank characters. Raises ConsoleError, naming what was expected, when there is none."""
        yield from self._skip_blanks(what)
        end = next((i for i, character in enumerate(self._rest) if character in BLANKS), len(self._rest))
        return self._take(end)

    def character(self, what: str) -> Dialogue[str]:
        """The next non-blank character."""
        yield from self._skip_blanks(what)
        return self._take(1)

    def number(self, what: str) -> Dialogue[int]:
        """The next word, which must be a whole number. Raises ConsoleError, also for one of more than MOST_DIGITS."""
        word = yield from self.word(what)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self.wrong(word, what)
        return int(word)

    def line(self, what: str) -> Dialogue[str]:
        """What is left of the current line, without its end; the next line, if nothing is, not even an end."""
        if not self._rest:
            yield from self._read_line(what)
        return self._take(len(self._rest)).removesuffix("\n")

    def wrong(self, word: str, what: str) -> ConsoleError:
        """An error to raise: the word just read is not what was expected."""
        return ConsoleError(f"line {self._lines_read}: read {excerpt(word)!r}, expected {what}")

    def _skip_blanks(self, what: str) -> Dialogue[None]:
        while not (rest := self._rest.lstrip(BLANKS)):
            yield from self._read_line(what)
        self._rest = rest

    def _read_line(self, what: str) -> Dialogue[None]:
        line = yield
        if line is None:
            raise ConsoleError(f"the input ends after {self._lines_read} lines: expected {what}")
        self._lines_read += 1
        self._rest = line

    def _take(self, length: int) -> str:
        taken, self._rest = self._rest[:length], self._rest[length:]
        return taken


class ConsoleProgram(Protocol):
    """A game's `console` module."""

    def session(self, io: Console, arguments: list[str], read_file: ReadFile) -> Session:
        """The document's program; `arguments` are the words after the game's name."""


def run(
    program: ConsoleProgram,
    arguments: list[str],
    read_file: ReadFile,
    read_line: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Drive a session: write what it prints before each line is read. Gives the exit status.

    `read_line` gives a line with its end, and the empty text when there are no more.
    """
    io = Console()
    session = program.session(io, arguments, read_file)
    try:
        next(session)
        while True:
            write(io.printed())
            session.send(read_line() or None)
    except StopIteration as end:
        write(io.printed())
        return int(end.value)
    except LudotecaError as error:
        write(io.printed())
        complain(str(error))
        return 1
