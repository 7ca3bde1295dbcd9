"""The warning of commands that run programs on a machine that does not isolate them."""

from ludoteca.cli.streams import warn
from ludoteca.core.messages import ENGLISH


def warn_of_sandbox(language: str = ENGLISH, *, allowed: bool = True) -> None:
    """Warn once before programs run without isolation. Raises BoxError if that is not `allowed`."""
    from ludoteca.arena.programs.isolation import check_isolation

    if warning := check_isolation(language, allowed=allowed):
        warn(warning)
