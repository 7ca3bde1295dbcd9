"""The exceptions of Ludoteca. A message says what was read and expected, and where."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class LudotecaError(Exception):
    """The base class: `except LudotecaError` catches all errors that a user can correct.

    `message` is a text, or a message of `core.messages` from the catalogue of `package`. Messages are translated into the
    reader's language when they are shown. `str()` returns English.

    >>> from ludoteca import load
    >>> try:
    ...     load("chess")
    ... except LudotecaError as error:
    ...     print(error)
    no game 'chess': there are cartas, conclave, metro, okupacio, qinto
    """

    def __init__(self, message: "Message" = "", package: str = "ludoteca.core") -> None:
        self.message = message
        self.package = package
        super().__init__(self.text("en"))

    def text(self, language: str) -> str:
        """Return the message in one of the `messages.LANGUAGES`, or in English if there is no translation."""
        if not isinstance(self.message, tuple):
            return str(self.message)
        from ludoteca.core.messages import catalogue, in_words  # imported for errors only

        return in_words(self.message, catalogue(self.package, language))


class UnknownGameError(LudotecaError):
    """An unknown name of a game. The message lists the games."""


class ParameterError(LudotecaError):
    """An unknown parameter, or a value that is not allowed. The message lists the possible ones."""


class NotationError(LudotecaError):
    """A text that is not an action, position or file of its game. The message says which part is wrong and why."""


class IllegalActionError(LudotecaError):
    """An action that the rules do not allow in this state. The message says why."""


class SearchError(LudotecaError):
    """A search that cannot begin: no choice, another player's turn, no budget, or a view that no deal fits."""


class RecordError(LudotecaError):
    """A record that cannot be read: truncated, edited, of a newer version, or another kind of file."""


class ReplayError(RecordError):
    """A record whose actions or result do not follow from its start. The message says which one and why."""


class ContractError(LudotecaError):
    """A game that breaks the contract of `core.contract`. This is a mistake of the game's author, not of a player."""


class CompilerError(LudotecaError):
    """Rules cannot be compiled, because the system or a setting forbids machine code. Interpreted rules still run."""


class MissingExtraError(LudotecaError, ImportError):
    """An optional library that is not installed. The message has the command that installs its extra."""

    def __init__(self, library: str, extra: str) -> None:
        from ludoteca.core.extras import install_command  # imported for this error only

        super().__init__(f"this needs {library}. To install it, run: {install_command(extra)}")


class ArrayError(LudotecaError):
    """An array of a wrong type, shape or kind of memory. The message says what was read and expected."""


class NativeCacheWarning(UserWarning):
    """Compiled code that cannot be read, kept or made. This takes time and changes no result."""


class UnkeptCodeWarning(NativeCacheWarning):
    """Compiled code that cannot be kept, so that every program compiles it again."""


@contextmanager
def explained(what: str, kind: type[LudotecaError] = ParameterError, advice: str = "") -> Iterator[None]:
    """Raise an OSError of the block as an error of this kind: `what`, the reason of the system, and the advice."""
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {error.strerror}{advice}") from None


def warn_in_one_line() -> None:
    """Print warnings about compiled code as one line from now on."""
    usual = warnings.formatwarning

    def written(message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
        if issubclass(category, NativeCacheWarning):
            return f"ludoteca: {message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = written
