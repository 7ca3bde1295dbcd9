"""The limits of programs as an option of several commands: `--limit KEY=VALUE`."""

from collections.abc import Sequence
from typing import Final

from ludoteca.arena.matches.tournament import read_limits
from ludoteca.arena.programs.limits import Limits

KEYS: Final = ", ".join(Limits.__struct_fields__)


def limits_of(texts: Sequence[str], usual: Limits = Limits()) -> Limits:  # noqa: B008  # frozen
    """Return the limits with the changes of the option. Raises ParameterError."""
    given = (text.partition("=") for text in texts)
    return read_limits({name: value for name, _, value in given}, usual)
