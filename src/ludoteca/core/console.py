"""The text programs of the documents as sessions that take and return lines, without real input or output.

A game's `console.session(io, arguments, read_file)` is a generator. It yields whenever it needs a line of input, and then
receives the line with its line end, or None at the end of the input. The output is collected in `io`. The session returns
the exit status. `run` connects a session to real input and output.

A document may also define protocols in which a program is started for every move. A game's `protocols.PROTOCOLS` maps the
name of each to a `MoveProtocol`.
"""

import re
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar, cast

from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message
    from ludoteca.core.position import InformationState
    from ludoteca.core.spec import GameSpec, Parameter

T = TypeVar("T")
Dialogue: TypeAlias = Generator[None, str | None, T]
Session: TypeAlias = Dialogue[int]
ReadFile: TypeAlias = Callable[[str], str]
"""A function that returns the text of a file. It raises OSError, and LudotecaError for a file that is too long."""

BLANKS: Final = " \t\n\v\f\r"
"""The white space of C's `isspace`."""
LEAVE: Final = "q"
"""The line that ends a program, if the program can be left."""
LINES_AT_ONCE: Final = 4096
"""The number of lines of a long answer that are written at once."""
BYTE_ORDER_MARK: Final = "\ufeff"
CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Escape sequences that go to the first line, clear the screen, and clear the lines above it."""
SCREEN_LINES: Final = 100
"""A number of empty lines that is higher than any screen."""
MOST_DIGITS: Final = 4000
"""The most digits of a number. Python itself refuses to read slightly longer numbers."""
_SKIPPED: Final = re.compile(f"[{BLANKS}]*")
_WORD: Final = re.compile(f"[^{BLANKS}]*")


class ConsoleError(LudotecaError):
    """An error that ends the session. The message goes to standard error and the exit status is 1."""


class Console:
    """Input, read as the documents' programs read it (by words, characters or lines), and output by lines.

    Complaints about wrong input are in the language of the program, one of `messages.LANGUAGES`, and so are the words with
    which the program names what it expected. Printed lines are kept until `printed` returns them. Lines of a long answer go
    to `write` at once.
    """

    def __init__(
        self,
        language: str = "en",
        write: Callable[[str], None] | None = None,
        complain: Callable[[str], None] | None = None,
        *,
        is_terminal: bool = False,
        is_whole: Callable[[], bool] = lambda: True,
    ) -> None:
        self.language = language
        self.write = write
        self.complain = complain
        self.is_terminal = is_terminal
        """True if the output goes to a terminal, which can be cleared."""
        self.is_whole = is_whole
        """A function that returns True if the input is complete, so that reading the rest of it does not wait."""
        self.lines_read = 0
        self._line = ""
        self._at = 0
        """The number of characters of the line that have been read."""
        self._out: list[str] = []

    def print(self, *lines: str) -> None:
        """Print lines."""
        self._out += lines

    def clear(self) -> None:
        """Clear the terminal, including the lines above the screen. For any other output, print empty lines."""
        self.print(*[CLEAR] if self.is_terminal else SCREEN_LINES * [""])

    def print_many(self, lines: Iterator[str]) -> None:
        """Print lines that together may not fit into memory."""
        while True:
            before = len(self._out)
            self._out += islice(lines, LINES_AT_ONCE)
            if len(self._out) == before:
                return
            if self.write and len(self._out) >= LINES_AT_ONCE:
                self.write(self.printed())

    def printed(self) -> str:
        """Return the text that was printed since the last call."""
        text = "".join(f"{line}\n" for line in self._out)
        self._out.clear()
        return text

    def word(self, what: str) -> Dialogue[str]:
        """Return the next run of non-blank characters. Raises ConsoleError if the input ends first: `what` was expected."""
        yield from self._skip_blanks(what)
        return self._take(_WORD)

    def character(self, what: str) -> Dialogue[str]:
        """Return the next non-blank character."""
        yield from self._skip_blanks(what)
        self._at += 1
        return self._line[self._at - 1]

    def number(self, what: str) -> Dialogue[int]:
        """Return the next word as a whole number. Raises ConsoleError for other words and for more than MOST_DIGITS."""
        word = yield from self.word(what)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self.wrong(word, what)
        return int(word)

    def line(self, what: str) -> Dialogue[str]:
        """Return the rest of the current line without its end, or the next line if the current line is used up.

        A line ends in a line feed, or in a carriage return and a line feed.
        """
        if self._at == len(self._line):
            yield from self._read_line(what)
        line, self._at = self._line[self._at :], len(self._line)
        return line.removesuffix("\r\n" if line.endswith("\r\n") else "\n")

    def next_line(self) -> Dialogue[str | None]:
        """Return the next line with its end, and skip the rest of the current line. Return None at the end of the input.

        A byte order mark before the first line is removed.
        """
        line = yield
        if line is None:
            return None
        self.lines_read += 1
        return line.removeprefix(BYTE_ORDER_MARK) if self.lines_read == 1 else line

    def chosen(self, parameter: "Parameter", value: str, argument: str) -> Any:
        """Return a parameter's canonical value. Raises ConsoleError, which names the argument, if it is not allowed."""
        try:
            return parameter.canonical(value)
        except ParameterError:
            raise self.wrong_argument(argument, self.say(parameter.expected())) from None

    def nothing_more(self) -> Dialogue[None]:
        """Complain about the first line after the expected input, unless it is blank. The program continues all the same.

        This does not wait for input. So a program that has answered everything ends even if its input stays open.
        """
        while self.is_whole() and (line := (yield from self.next_line())) is not None:
            if surplus := line.strip(BLANKS):
                if self.complain:
                    self.complain(str(self.wrong_line(self.say(("console.surplus", quoted(surplus))))))
                return

    # errors to raise

    def wrong(self, word: str, what: str, number: int = 0) -> ConsoleError:
        """Return the error for an unexpected word, in the line just read or in the line with that number."""
        return self.wrong_line(self.say(("console.read", quoted(word), what)), number)

    def wrong_line(self, why: str, number: int = 0) -> ConsoleError:
        """Return the error for the line just read, or for the line with that number."""
        return ConsoleError(self.say(("console.line", number or self.lines_read, why)))

    def wrong_argument(self, argument: str, what: str) -> ConsoleError:
        """Return the error for an unexpected argument of the program."""
        return ConsoleError(self.say(("console.read", quoted(argument), what)))

    def ended(self, what: str) -> ConsoleError:
        """Return the error for an input that ends too early."""
        from ludoteca.core.messages import counted

        return ConsoleError(self.say(("console.ends", counted("line", self.lines_read), what)))

    def no_arguments(self, arguments: list[str]) -> ConsoleError:
        """Return the error for arguments of a program that takes none."""
        return ConsoleError(self.say(("console.no_arguments", quoted(" ".join(arguments)))))

    def say(self, message: "Message") -> str:
        """Return a message that all games share, in the program's language."""
        from ludoteca.core.messages import catalogue, in_words  # for errors only: the first prompt comes sooner

        return in_words(message, catalogue("ludoteca.core", self.language))

    # reading

    def _skip_blanks(self, what: str) -> Dialogue[None]:
        self._take(_SKIPPED)
        while self._at == len(self._line):
            yield from self._read_line(what)
            self._take(_SKIPPED)

    def _read_line(self, what: str) -> Dialogue[None]:
        line = yield from self.next_line()
        if line is None:
            raise self.ended(what)
        self._line, self._at = line, 0

    def _take(self, form: "re.Pattern[str]") -> str:
        """Take the text that a pattern matches, which may be empty."""
        begin, found = self._at, form.match(self._line, self._at)
        self._at = found.end() if found else begin
        return self._line[begin : self._at]


class ConsoleProgram(Protocol):
    """The interface of a game's `console` module."""

    def session(self, io: Console, arguments: list[str], read_file: ReadFile) -> Session:
        """Run the document's program. `arguments` are the words after the game's name."""


def run(
    spec: "GameSpec",
    arguments: list[str],
    read_file: ReadFile,
    read_line: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    is_terminal: bool = False,
    is_whole: Callable[[], bool] = lambda: True,
) -> int:
    """Run the program of a game's document, and write its output before each line is read. Return the exit status.

    `read_line` returns a line with its end, or the empty text at the end of the input. `is_terminal` is True if the output
    goes to a terminal. `is_whole` returns True if the input is complete.
    """
    io = Console(spec.language, write, complain, is_terminal=is_terminal, is_whole=is_whole)
    program: ConsoleProgram = cast(ConsoleProgram, spec.module("console"))
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
        complain(error.text(spec.language))
        return 1


class MoveProtocol(Protocol):
    """A protocol in which a program is started for every move: the question that it gets, and the meaning of its answer.

    If the program fails, or its answer is missing, late or invalid, the game does not end. The action `invalid` is played
    instead.
    """

    def question(self, state: "InformationState") -> str:
        """Return the complete standard input of the program."""

    def action(self, state: "InformationState", answer: str) -> int | None:
        """Return the action that the program's output names, legal or not, or None if it names none."""

    def invalid(self, state: "InformationState") -> int:
        """Return the legal action that replaces an invalid answer."""
