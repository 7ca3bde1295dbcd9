"""Guards standard input, standard output and standard error of all commands.

If standard input or output is closed, or cannot be read or written, InputError or OutputError is raised, which the user sees
as one line. Characters that the encoding of the output lacks are replaced by similar characters.
"""

import codecs
import errno
import os
import select
import sys
from collections.abc import Mapping
from io import BufferedReader, BufferedWriter, RawIOBase, TextIOWrapper
from typing import Any, Final, TextIO

STAND_IN: Final = "ludoteca.stand_in"
"""The name of the error handler that replaces characters that an encoding lacks."""
ALIKE: Final = {
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—─━", "-"),
    **dict.fromkeys("│┃", "|"),
    **dict.fromkeys("╭╯┏┛⌜⌟", "/"),
    **dict.fromkeys("╮╰┓┗⌝⌞", "\\"),
    **dict.fromkeys("┼┿╂╋", "+"),
    **dict(zip("·…×▲▼◀▶░", "..x^v<>#", strict=True)),
    **dict(zip("←↓→↑", "<v>^", strict=True)),
}
"""Characters and their replacements in ASCII, one column wide. Letters are not here: they only lose their accents."""

_signs: dict[str, str] = {}


class StreamError(Exception):
    """An error of a standard stream. It is not a LudotecaError, so that code that handles errors of games does
    not catch it.
    """


class InputError(StreamError):
    """Standard input is closed or cannot be read."""


class OutputError(StreamError):
    """Standard output is closed or cannot be written."""


class ReaderGoneError(OutputError):
    """The reader of standard output has closed it. The program ends without a message."""


def say(text: str) -> None:
    """Print lines without buffering. Raises OutputError if standard output is closed or cannot be written."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def warn(text: str) -> None:
    """Print a line on standard error that begins with the name of the program."""
    sys.stderr.write(f"ludoteca: {text}\n")


def discard_typed() -> bool:
    """Discard the lines that a person has typed into the terminal and that were not read. Return True if there were any."""
    if not sys.stdin.isatty() or not select.select([0], [], [], 0)[0]:
        return False
    import termios  # not on Windows

    termios.tcflush(0, termios.TCIFLUSH)
    return True


def guard() -> None:
    """Replace the three standard streams by streams that raise the errors of this module. Raises OutputError if standard
    output is closed.
    """
    codecs.register_error(STAND_IN, _stand_in)
    closed = sys.stdout is None
    for descriptor in range(3):  # no file that is opened later may have the descriptor of a closed stream
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # open to the end of the program
    elif isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = _writing(sys.stderr, _Errors(_raw(sys.stderr)), sys.stderr.errors)
    if closed:
        raise OutputError("standard output is closed")
    if isinstance(sys.stdout, TextIOWrapper):
        errors = STAND_IN if sys.stdout.errors == "strict" else sys.stdout.errors
        sys.stdout = _writing(sys.stdout, _Output(_raw(sys.stdout)), errors)
    if sys.stdin is None:
        sys.stdin = TextIOWrapper(BufferedReader(_Input(None)), encoding="utf-8")
    elif sys.stdin is sys.__stdin__ and isinstance(sys.stdin, TextIOWrapper):
        guarded = BufferedReader(_Input(_raw(sys.stdin)))
        errors = "replace" if sys.stdin.errors == "strict" else sys.stdin.errors
        sys.stdin = TextIOWrapper(guarded, encoding=sys.stdin.encoding, errors=errors)


def replace_signs(signs: Mapping[str, str]) -> None:
    """Add replacements in ASCII for characters that the output's encoding lacks. They take precedence over those
    in ALIKE.
    """
    _signs.update(signs)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_alike, error.object[error.start : error.end])), error.end


def _alike(sign: str) -> str:
    import unicodedata  # rarely needed

    plain = _signs.get(sign) or ALIKE.get(sign) or unicodedata.normalize("NFKD", sign)
    return plain.encode("ascii", "ignore").decode() or "?"


def _raw(stream: TextIO) -> Any:
    """Return the raw stream below a stream's buffer, if it has one."""
    return getattr(stream.buffer, "raw", stream.buffer)


def _writing(stream: TextIOWrapper, raw: "_Output", errors: str | None) -> TextIOWrapper:
    """Return a stream like the given one that writes to `raw`."""
    return TextIOWrapper(
        BufferedWriter(raw),
        encoding=stream.encoding,
        errors=errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


class _Guarded(RawIOBase):
    """A raw stream that uses another raw stream. Closing it does not close the other stream."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def fileno(self) -> int:
        if self._raw is None:
            return super().fileno()
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return self._raw is not None and bool(self._raw.isatty())


class _Output(_Guarded):
    """Standard output. After an error, further text is ignored, so that the end of the program does not raise
    another error.
    """

    _raises = True
    _broken = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            while not self._broken:
                written = self._raw.write(data)
                if written is not None:
                    return int(written)
                select.select([], [self._raw], [])  # another program made the terminal non-blocking
        except OSError as error:
            self._broken = True
            if self._raises and error.errno == errno.EPIPE:
                raise ReaderGoneError("the reader of standard output has closed it") from None
            if self._raises:
                raise OutputError(f"standard output cannot be written: {error.strerror}") from None
        return len(data)


class _Errors(_Output):
    """Standard error. If it cannot be written, the text is lost without an error."""

    _raises = False


class _Input(_Guarded):
    """Standard input. `raw` is None if standard input is closed."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._raw is None:
            raise InputError("standard input is closed")
        try:
            read: int | None = self._raw.readinto(buffer)
        except OSError as error:
            raise InputError(f"standard input cannot be read: {error.strerror}") from None
        return read
