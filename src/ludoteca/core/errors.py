"""Everything that Ludoteca raises on purpose, as one small tree. A message says what was read, expected, and where."""

import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class LudotecaError(Exception):
    """The root: `except LudotecaError` catches what a user can put right.

    `message` is what it says: a text, or a message of `core.messages` from the catalogue of `package`, which is put into the
    reader's language where it is shown; `str()` gives it in English.
    """

    def __init__(self, message: "Message" = "", package: str = "ludoteca.core") -> None:
        self.message = message
        self.package = package
        super().__init__(self.text("en"))

    def text(self, language: str) -> str:
        """What it says, in one of the `messages.LANGUAGES` as far as there is a text for it."""
        if not isinstance(self.message, tuple):
            return str(self.message)
        from ludoteca.core.messages import catalogue, in_words  # read for what is wrong alone

        return in_words(self.message, catalogue(self.package, language))


class UnknownGameError(LudotecaError):
    """No game of that name; the message lists the games there are."""


class ParameterError(LudotecaError):
    """An unknown parameter, or a value outside what is possible; the message lists what is."""


class NotationError(LudotecaError):
    """A text that is no action, position or file of its game; the message says which part and why."""


class IllegalActionError(LudotecaError):
    """An action that the rules do not allow in this state; the message says why."""


class SearchError(LudotecaError):
    """A search that cannot begin: nothing to choose, not the player's turn, no budget; or a view that no deal fits."""


class RecordError(LudotecaError):
    """A record that cannot be read: cut off, edited, of a newer version, or no record at all."""


class ReplayError(RecordError):
    """A record whose actions or result do not follow from its start; the message says which one and why."""


class ContractError(LudotecaError):
    """A game that does not keep the contract of `core.contract`: a mistake of its author, not of a player."""


class MissingExtraError(LudotecaError, ImportError):
    """An optional library that is not installed. The message has the command that installs its extra."""

    def __init__(self, library: str, extra: str) -> None:
        from ludoteca.core.extras import install_command  # read for this error alone

        super().__init__(f"this needs {library}. To install it, run: {install_command(extra)}")


class ArrayError(LudotecaError):
    """An array of another type, shape or kind of memory than is taken; the message says what was read and expected."""


class NativeCacheWarning(UserWarning):
    """Compiled code cannot be read or kept: it is compiled again, which takes time and changes no result."""


def warn_in_one_line() -> None:
    """Write warnings about compiled code as one line from now on, as programs do."""
    usual = warnings.formatwarning

    def written(message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
        if issubclass(category, NativeCacheWarning):
            return f"ludoteca: {message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = written
