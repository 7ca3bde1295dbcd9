"""The exceptions of Ludoteca. A message says what was read and expected, and where."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class LudotecaError(Exception):
    """The base class: `except LudotecaError` catches all errors that a user can correct.

    `message` is a text, or a tuple of a key and arguments (`core.messages`) that can be shown in five languages. `package`
    is the import path of the package whose `messages` folder has the templates for these keys. `str(error)` is always
    English. `text` returns another language.

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
        """Return the message in one of the languages in `messages.LANGUAGES`, or in English if the package has no file for
        that language.
        """
        if not isinstance(self.message, tuple):
            return str(self.message)
        from ludoteca.core.messages import catalogue, in_words  # imported for errors only

        return in_words(self.message, catalogue(self.package, language))


class UnknownGameError(LudotecaError):
    """There is no game of that name. The message lists the names of all games."""


class ParameterError(LudotecaError):
    """The name of a parameter is unknown, or its value is not allowed. The message lists the names or the values that are
    possible.
    """


class NotationError(LudotecaError):
    """A text is not an action, a position or a file of the game that reads it. The message says which part is
    wrong and why.
    """


class IllegalActionError(LudotecaError):
    """An action that the rules do not allow in this state. The message says why."""


class SearchError(LudotecaError):
    """A search cannot begin: the player has no choice or is not to move, the budget is empty, or no deal of the hidden cards
    fits the player's view.
    """


class RecordError(LudotecaError):
    """A record of a game cannot be read, because it is truncated, was edited, is of a newer version, or is another kind of
    file.
    """


class ReplayError(RecordError):
    """The rules do not allow an action of a record, or lead to another result than the recorded one. The message says which
    one and why.
    """


class ContractError(LudotecaError):
    """A game's modules lack a function or constant that `core.contract` requires, or use it wrongly. The game's author must
    correct this, not a player.
    """


class CompilerError(LudotecaError):
    """The rules cannot be compiled, because the system or a setting forbids machine code. The same rules still run as
    interpreted Python.
    """


class MissingExtraError(LudotecaError, ImportError):
    """An optional library is not installed.

    `library` is its name for the message, and `extra` is the name of the extra of Ludoteca that includes it. The message has
    the command that installs the extra.
    """

    def __init__(self, library: str, extra: str) -> None:
        from ludoteca.core.extras import install_command  # imported for this error only

        super().__init__(f"this needs {library}. To install it, run: {install_command(extra)}")


class ArrayError(LudotecaError):
    """An array from a caller has a wrong type, shape or kind of memory. The message says which one it has and which one was
    expected.
    """


class NativeCacheWarning(UserWarning):
    """Compiled code cannot be read from its file, written to its file, or made at all. The program takes longer, but its
    results are the same.
    """


class UnkeptCodeWarning(NativeCacheWarning):
    """Compiled code cannot be written to its file, so every program has to compile it again."""


@contextmanager
def explained(what: str, kind: type[LudotecaError] = ParameterError, advice: str = "") -> Iterator[None]:
    """Turn an OSError inside the `with` block into a LudotecaError that a user understands.

    The new error has the class `kind`. Its message is `what` (the file or the action that failed), a colon, the system's
    reason, and `advice`.
    """
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {error.strerror}{advice}") from None


def warn_in_one_line() -> None:
    """From now on, print each warning about compiled code as one line without its place in the source. Other warnings do not
    change.
    """
    usual = warnings.formatwarning

    def written(message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
        if issubclass(category, NativeCacheWarning):
            return f"ludoteca: {message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = written
