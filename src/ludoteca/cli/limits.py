"""The limits of programs as an option that several commands have: `--limit KEY=VALUE`."""

from collections.abc import Sequence
from typing import Final

from ludoteca.arena.entrants import read_limit
from ludoteca.arena.limits import Limits
from ludoteca.core.errors import ParameterError

KEYS: Final = ", ".join(Limits.__struct_fields__)


def read_limits(texts: Sequence[str], limits: Limits) -> Limits:
    """The limits with those changed that the option gives. Raises ParameterError."""
    for text in texts:
        name, _, value = text.partition("=")
        try:
            limits = read_limit(limits, name, value)
        except ParameterError as error:
            raise ParameterError(f"limit {name}: {error}") from None
    return limits
