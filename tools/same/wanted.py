"""Wanted differences: each rule normalises one, on both sides, and hides nothing else."""

from typing import Final, NamedTuple


class Wanted(NamedTuple):
    """A difference that a commit meant to make."""

    kind: str
    """`rooms`, `scenes`, `commands`, `engine` or `judging`."""
    cases: str
    """A regular expression that matches the whole name of each case in which the difference is expected."""
    pattern: str
    """A regular expression that is searched in the result of such a case, written as JSON. A missing case is `null`."""
    replacement: str
    """The text in place of each match. The result is JSON again."""
    reason: str
    commit: str


# for example:
# Wanted("commands", r"help/serve", r"open the browser[^\"]*?screen", "OPEN", "the option says when it applies", "1a2b3c4")
WANTED: Final[tuple[Wanted, ...]] = ()
"""Delete a rule when no issue compares with a version before its commit."""
