"""The warning of commands that run programs of others, if this machine does not isolate such programs."""

from ludoteca.cli.streams import warn
from ludoteca.core.messages import ENGLISH


def warn_of_sandbox(language: str = ENGLISH, *, allowed: bool = True) -> None:
    """Print a warning if this machine does not isolate programs. Raises BoxError with the warning if `allowed` is false."""
    from ludoteca.arena.programs.isolation import check_isolation

    if warning := check_isolation(language, allowed=allowed):
        warn(warning)
