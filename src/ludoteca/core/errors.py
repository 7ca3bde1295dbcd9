"""Everything that Ludoteca raises on purpose, as one small tree.

Each message says what was read, what was expected and where.
"""

import warnings


class LudotecaError(Exception):
    """The root: `except LudotecaError` catches what a user can put right."""


class UnknownGameError(LudotecaError):
    """No game of that name; the message lists the games there are."""


class ParameterError(LudotecaError):
    """An unknown parameter, or a value outside what is possible; the message lists what is."""


class NotationError(LudotecaError):
    """A text that is no action, position or file of its game; says which part and why."""


class IllegalActionError(LudotecaError):
    """An action that the rules do not allow in this state; says why."""


class SearchError(LudotecaError):
    """A search that cannot begin: nothing to choose, not the player's turn, no budget; or a view that no deal fits."""


class RecordError(LudotecaError):
    """A record that cannot be read: cut off, edited, of a newer version, or no record at all."""


class ReplayError(RecordError):
    """A record whose actions or result do not follow from its start; says which one and why."""


class ContractError(LudotecaError):
    """A game that does not keep the contract of `core.contract`: its author's mistake, not its player's."""


class NativeCacheWarning(UserWarning):
    """Compiled code cannot be read or kept: it is compiled again, which takes time and changes no result."""


def warn_in_one_line() -> None:
    """From now on warnings about compiled code are one line on standard error, as programs tell things."""
    usual = warnings.formatwarning

    def written(message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
        if issubclass(category, NativeCacheWarning):
            return f"ludoteca: {message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = written
