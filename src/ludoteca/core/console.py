"""The documents' text programs as sessions that take lines and give lines, with no I/O of their own.

A game's `console.session(io, arguments, read_file)` is a generator. It yields whenever it needs a line, and is sent one
(with its line end), or None at the end of the input; what it has printed by then lies in `io`. It returns the exit status.
`run` drives a session with real input and output.
"""

import re
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar, cast

from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message
    from ludoteca.core.spec import GameSpec, Parameter

T = TypeVar("T")
Dialogue: TypeAlias = Generator[None, str | None, T]
Session: TypeAlias = Dialogue[int]
ReadFile: TypeAlias = Callable[[str], str]
"""Reads the text of a file. Raises OSError, and LudotecaError for a file that is too long."""

BLANKS: Final = " \t\n\v\f\r"
"""White space as C's `isspace` has it."""
LEAVE: Final = "q"
"""Typed on a line of its own, it leaves a program that may be left so."""
KEPT: Final = 4096
"""Lines of a long answer that are written at once."""
BYTE_ORDER_MARK: Final = "\ufeff"
CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Go to the first line, clear the screen, and clear what was above it."""
PUSHED: Final = 100
"""More empty lines than any screen has."""
MOST_DIGITS: Final = 4000
"""Digits of a number; Python itself refuses to read numbers that are somewhat longer."""
_SKIPPED: Final = re.compile(f"[{BLANKS}]*")
_WORD: Final = re.compile(f"[^{BLANKS}]*")


class ConsoleError(LudotecaError):
    """The session cannot go on; the message goes to standard error and the exit status is 1."""


class Console:
    """Input taken apart as the documents' programs do (by words, characters or lines), and output by lines.

    Complaints are in the language of the program, one of `messages.LANGUAGES`; the program says in that language what it
    expected. Lines that are printed are kept until `printed` takes them, but those of a long answer that `write` has taken.
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
        """True where the output goes to a terminal, which can be cleared."""
        self.is_whole = is_whole
        """True once nobody can add to the input, so that reading the rest of it does not wait."""
        self.lines_read = 0
        self._line = ""
        self._at = 0
        """How much of the line has been taken."""
        self._out: list[str] = []

    def print(self, *lines: str) -> None:
        """Print lines."""
        self._out += lines

    def clear(self) -> None:
        """Clear the terminal, with the lines that it keeps above the screen; elsewhere push what was printed away."""
        self.print(*[CLEAR] if self.is_terminal else PUSHED * [""])

    def print_many(self, lines: Iterator[str]) -> None:
        """Print lines of which there may be more than memory holds."""
        while True:
            before = len(self._out)
            self._out += islice(lines, KEPT)
            if len(self._out) == before:
                return
            if self.write and len(self._out) >= KEPT:
                self.write(self.printed())

    def printed(self) -> str:
        """The text that was printed since the last call."""
        text = "".join(f"{line}\n" for line in self._out)
        self._out.clear()
        return text

    def word(self, what: str) -> Dialogue[str]:
        """The next run of non-blank characters. Raises ConsoleError, naming what was expected, when there is none."""
        yield from self._skip_blanks(what)
        return self._take(_WORD)

    def character(self, what: str) -> Dialogue[str]:
        """The next non-blank character."""
        yield from self._skip_blanks(what)
        self._at += 1
        return self._line[self._at - 1]

    def number(self, what: str) -> Dialogue[int]:
        """The next word, which must be a whole number. Raises ConsoleError, also for one of more than MOST_DIGITS."""
        word = yield from self.word(what)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self.wrong(word, what)
        return int(word)

    def line(self, what: str) -> Dialogue[str]:
        """The rest of the current line without its end, or the next line if nothing of the current one is left.

        A line ends in a line feed, or in a carriage return and a line feed.
        """
        if self._at == len(self._line):
            yield from self._read_line(what)
        line, self._at = self._line[self._at :], len(self._line)
        return line.removesuffix("\r\n" if line.endswith("\r\n") else "\n")

    def next_line(self) -> Dialogue[str | None]:
        """The next line with its end, whatever is left of the current line; None at the end of the input.

        A byte order mark before the first line is no part of it.
        """
        line = yield
        if line is None:
            return None
        self.lines_read += 1
        return line.removeprefix(BYTE_ORDER_MARK) if self.lines_read == 1 else line

    def chosen(self, parameter: "Parameter", value: str, argument: str) -> Any:
        """A parameter's canonical value. Raises ConsoleError, which names the argument that gives it."""
        try:
            return parameter.canonical(value)
        except ParameterError:
            raise self.wrong_argument(argument, self.say(parameter.expected())) from None

    def nothing_more(self) -> Dialogue[None]:
        """Complain about the first line that is not blank after all that counts; the program goes on all the same.

        Nothing is read while somebody may still write: a program that has answered everything ends.
        """
        while self.is_whole() and (line := (yield from self.next_line())) is not None:
            if surplus := line.strip(BLANKS):
                if self.complain:
                    self.complain(str(self.wrong_line(self.say(("console.surplus", quoted(surplus))))))
                return

    # errors to raise

    def wrong(self, word: str, what: str, number: int = 0) -> ConsoleError:
        """The error for a word that is not what was expected, in the line just read or in the one of that number."""
        return self.wrong_line(self.say(("console.read", quoted(word), what)), number)

    def wrong_line(self, why: str, number: int = 0) -> ConsoleError:
        """The error for a line: the one just read, or the one of that number."""
        return ConsoleError(self.say(("console.line", number or self.lines_read, why)))

    def wrong_argument(self, argument: str, what: str) -> ConsoleError:
        """The error for an argument of the program that is not what was expected."""
        return ConsoleError(self.say(("console.read", quoted(argument), what)))

    def ended(self, what: str) -> ConsoleError:
        """The error for an input that ends where something was expected."""
        from ludoteca.core.messages import counted

        return ConsoleError(self.say(("console.ends", counted("line", self.lines_read), what)))

    def no_arguments(self, arguments: list[str]) -> ConsoleError:
        """The error for arguments of a program that takes none."""
        return ConsoleError(self.say(("console.no_arguments", quoted(" ".join(arguments)))))

    def say(self, message: "Message") -> str:
        """A message that all games share, in the words of the program's language."""
        from ludoteca.core.messages import catalogue, in_words  # read only to complain: the first prompt comes sooner

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
        """Take what a pattern matches, which may be nothing."""
        begin, found = self._at, form.match(self._line, self._at)
        self._at = found.end() if found else begin
        return self._line[begin : self._at]


class ConsoleProgram(Protocol):
    """A game's `console` module."""

    def session(self, io: Console, arguments: list[str], read_file: ReadFile) -> Session:
        """The document's program; `arguments` are the words after the game's name."""


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
    """Run the program of a game's document: write what it prints before each line is read. Return the exit status.

    `read_line` returns a line with its end, or the empty text when there are no more. `is_terminal` says that the output
    goes to a terminal, `is_whole` whether the whole input is there.
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
