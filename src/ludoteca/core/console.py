"""Runs the text programs that the published documents of the games define, as a session that takes and returns lines. The
command line, the judge and web pages all use the same session.

A game's `console.session(io, arguments, read_file)` is a generator. It yields when it needs a line of input, and then
receives the line with its line end, or None at the end of the input. It writes its output to `io`, and returns the exit
status. `run` connects a session to real input and output.

A document may also define protocols in which a student's program is started for every move. A game's `protocols.PROTOCOLS`
maps the name of each protocol to a `MoveProtocol`.
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
"""A function that returns the text of a file. It raises OSError, or LudotecaError if the file is too long."""

BLANKS: Final = " \t\n\v\f\r"
"""The white space of C's `isspace`."""
LEAVE: Final = "q"
"""The line by which a user ends a program that asks again and again."""
LINES_AT_ONCE: Final = 4096
"""The number of lines of a long answer that are passed to `write` in one call."""
BYTE_ORDER_MARK: Final = "\ufeff"
CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Escape sequences that go to the first line, clear the screen, and clear the lines that have scrolled out of it."""
SCREEN_LINES: Final = 100
"""The number of empty lines that replace clearing the screen. No screen has as many lines."""
MOST_DIGITS: Final = 4000
"""The most digits of a number in the input. Python itself refuses numbers of more than 4,300 digits."""
_SKIPPED: Final = re.compile(f"[{BLANKS}]*")
_WORD: Final = re.compile(f"[^{BLANKS}]*")


class ConsoleError(LudotecaError):
    """An error that ends the session. The message goes to standard error and the exit status is 1."""


class Console:
    """The input and output of one session. It reads input as the documents' programs do: by words, by characters or by
    lines. It writes output by lines.

    `language` is the language of error messages, one of `messages.LANGUAGES`. Printed lines are kept until `printed` returns
    them. `write`, if given, receives the lines of a long answer at once. `complain`, if given, receives warnings.
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
        """True if the output goes to a terminal, so that escape sequences can clear it."""
        self.is_whole = is_whole
        """A function that returns True if the whole input has arrived, so that reading the rest of it does not wait."""
        self.lines_read = 0
        self._line = ""
        self._at = 0
        """The number of characters of the current line that have been read already."""
        self._out: list[str] = []

    def print(self, *lines: str) -> None:
        """Print lines."""
        self._out += lines

    def clear(self) -> None:
        """Clear the terminal, including the lines that have scrolled out of the screen. If the output is no terminal, print
        SCREEN_LINES empty lines.
        """
        self.print(*[CLEAR] if self.is_terminal else SCREEN_LINES * [""])

    def print_many(self, lines: Iterator[str]) -> None:
        """Print lines from an iterator, and pass them on in groups of LINES_AT_ONCE, because all of them together may not
        fit into memory.
        """
        while True:
            before = len(self._out)
            self._out += islice(lines, LINES_AT_ONCE)
            if len(self._out) == before:
                return
            if self.write and len(self._out) >= LINES_AT_ONCE:
                self.write(self.printed())

    def printed(self) -> str:
        """Return the text that was printed since the last call of this method, with a line feed after each line."""
        text = "".join(f"{line}\n" for line in self._out)
        self._out.clear()
        return text

    def word(self, what: str) -> Dialogue[str]:
        """Return the next word of the input: characters up to the next blank or line end.

        `what` says in an error which input was expected. Raises ConsoleError if the input ends before a word.
        """
        yield from self._skip_blanks(what)
        return self._take(_WORD)

    def character(self, what: str) -> Dialogue[str]:
        """Return the next character of the input that is not blank. `what` says in an error which input was expected. Raises
        ConsoleError if the input ends first.
        """
        yield from self._skip_blanks(what)
        self._at += 1
        return self._line[self._at - 1]

    def number(self, what: str) -> Dialogue[int]:
        """Return the next word of the input as a whole number. `what` says in an error which input was expected.

        Raises ConsoleError if the word is not a whole number, if it has more than MOST_DIGITS digits, or if the input ends
        first.
        """
        word = yield from self.word(what)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self.wrong(word, what)
        return int(word)

    def line(self, what: str) -> Dialogue[str]:
        """Return the rest of the current line without its line end, or the next line if the current one has been read
        completely.

        A line ends in a line feed, or in a carriage return and a line feed. `what` says in an error which input was
        expected. Raises ConsoleError if the input ends first.
        """
        if self._at == len(self._line):
            yield from self._read_line(what)
        line, self._at = self._line[self._at :], len(self._line)
        return line.removesuffix("\r\n" if line.endswith("\r\n") else "\n")

    def next_line(self) -> Dialogue[str | None]:
        """Return the next line with its line end, or None at the end of the input. The rest of the current line is skipped.

        If the first line begins with a byte order mark, the mark is removed.
        """
        line = yield
        if line is None:
            return None
        self.lines_read += 1
        return line.removeprefix(BYTE_ORDER_MARK) if self.lines_read == 1 else line

    def chosen(self, parameter: "Parameter", value: str, argument: str) -> Any:
        """Return the canonical value of a game's parameter from the text `value` (`Parameter.canonical`).

        `argument` is the text that the error quotes. Raises ConsoleError if the value is not allowed.
        """
        try:
            return parameter.canonical(value)
        except ParameterError:
            raise self.wrong_argument(argument, self.say(parameter.expected())) from None

    def nothing_more(self) -> Dialogue[None]:
        """Check that the input ends after the part that the program has read. If a line that is not blank follows, pass a
        warning to `complain`. The program continues in either case.

        This never waits for input, so a program that has answered everything ends even if its input stays open.
        """
        while self.is_whole() and (line := (yield from self.next_line())) is not None:
            if surplus := line.strip(BLANKS):
                if self.complain:
                    self.complain(str(self.wrong_line(self.say(("console.surplus", quoted(surplus))))))
                return

    # errors to raise

    def wrong(self, word: str, what: str, number: int = 0) -> ConsoleError:
        """Return the error for the word `word`, if `what` was expected there. `number` is the number of its line. With 0 it
        is the line that was read last.
        """
        return self.wrong_line(self.say(("console.read", quoted(word), what)), number)

    def wrong_line(self, why: str, number: int = 0) -> ConsoleError:
        """Return an error with the reason `why` for the line with that number, or for the line that was read last if
        `number` is 0.
        """
        return ConsoleError(self.say(("console.line", number or self.lines_read, why)))

    def wrong_argument(self, argument: str, what: str) -> ConsoleError:
        """Return the error for an argument of the program, if `what` was expected in its place."""
        return ConsoleError(self.say(("console.read", quoted(argument), what)))

    def ended(self, what: str) -> ConsoleError:
        """Return the error for an input that ends before `what`, which was expected next."""
        from ludoteca.core.messages import counted

        return ConsoleError(self.say(("console.ends", counted("line", self.lines_read), what)))

    def no_arguments(self, arguments: list[str]) -> ConsoleError:
        """Return the error for arguments of a program that takes none."""
        return ConsoleError(self.say(("console.no_arguments", quoted(" ".join(arguments)))))

    def say(self, message: "Message") -> str:
        """Return the text of a message in the program's language, for a message of `core.messages` that all games share."""
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
        """Return the text that a pattern matches at the current place of the line, which may be empty, and move the place
        after it.
        """
        begin, found = self._at, form.match(self._line, self._at)
        self._at = found.end() if found else begin
        return self._line[begin : self._at]


class ConsoleProgram(Protocol):
    """The interface of a game's `console` module."""

    def session(self, io: Console, arguments: list[str], read_file: ReadFile) -> Session:
        """Return a session of the document's program. `io` is its input and output. `arguments` are the words of the command
        line after the game's name. `read_file` returns the text of a file that the program reads.
        """


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
    """Run the text program that a game's document defines, and return its exit status. All output so far is written before
    each line is read.

    `arguments` are the words of the command line after the game's name. `read_file` returns the text of a file. `read_line`
    returns the next line with its line end, or an empty text at the end of the input. `write` receives output, and
    `complain` receives errors and warnings. `is_terminal` is True if the output goes to a terminal. `is_whole` returns True
    if the input has been received up to its end.
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
    """A protocol in which a student's program is started for every move. It defines the input of the program, and the
    meaning of its output.

    If the program fails, or if its output is missing, late or invalid, the game goes on: the action of `invalid` is played.
    """

    def question(self, state: "InformationState") -> str:
        """Return the complete text that the program receives on its standard input for one move."""

    def action(self, state: "InformationState", answer: str) -> int | None:
        """Return the action that the program's output names, even if it is not legal, or None if the output
        names no action.
        """

    def invalid(self, state: "InformationState") -> int:
        """Return the legal action that replaces an invalid answer."""
