"""A game's parameters as options of a command: `ludoteca play NAME`, `ludoteca match NAME`."""

from collections.abc import Mapping
from typing import Any

import click

from ludoteca.cli.files import read_text
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.spec import GameSpec, Parameter, Text, possible


def options_for(spec: GameSpec) -> list[click.Option]:
    """An option for each parameter."""
    return [click.Option([f"--{kind.name}"], help=f"{kind.help} ({possible(kind)})") for kind in spec.parameters]


def read_chosen(spec: GameSpec, given: Mapping[str, str | None]) -> dict[str, Any]:
    """The values of those options that were given. Raises ParameterError."""
    kinds = {kind.name: kind for kind in spec.parameters}
    return {name: _read_value(kinds[name], value) for name, value in given.items() if value is not None}


def _read_value(kind: Parameter, value: str) -> str:
    """The value of a parameter; one that is written in a notation of its own may be the name of a file that holds it."""
    if not isinstance(kind, Text) or not value:
        return value
    try:
        text = read_text(value)
        said = value
    except OSError:
        text, said = value, f"no file {value[:40]!r}, and read as a value"
    try:
        return kind.canonical(text)
    except LudotecaError as error:
        raise ParameterError(f"{kind.name}: {said}: {error}") from None
