"""The parameters of games as options of commands, as in `ludoteca play NAME` and `ludoteca match NAME`."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from ludoteca.cli.files import read_text
from ludoteca.cli.settings import SettingsCommand
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.spec import GameSpec, Integer, Parameter, Text, possible

Run = Callable[[GameSpec, dict[str, Any], Any], None]
"""The function of a game's command. It gets the game, the parameters that the user gave, and the settings."""


class GamesGroup(click.Group):
    """A group with a command for each game. `new_command` makes a game's command when it is called."""

    def __init__(self, new_command: Callable[[GameSpec], click.Command], **options: Any) -> None:
        super().__init__(no_args_is_help=True, subcommand_metavar="GAME ...", **options)
        self._new_command = new_command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return registry.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002
        return self._new_command(registry.find(cmd_name))


def game_command(spec: GameSpec, settings: type, run: Run) -> SettingsCommand:
    """Return the command for a game. Its options are the game's parameters and the fields of the dataclass `settings`. `run`
    is called with their values.
    """

    def callback(settings: Any, **given: str | None) -> None:
        run(spec, read_chosen(spec, given), settings)

    about = f"{spec.title}: {spec.summary}."
    return SettingsCommand(name=spec.name, params=options_for(spec), settings=settings, callback=callback, help=about)


def options_for(spec: GameSpec, *, multiple: bool = False) -> list[click.Parameter]:
    """Return an option for each parameter of the game. With `multiple`, an option may be given several times."""
    more = "; with several values, games take turns" if multiple else ""
    return [
        click.Option(
            [f"--{kind.name}"],
            multiple=multiple,
            metavar="INTEGER RANGE" if isinstance(kind, Integer) else None,
            help=f"{kind.help} ({possible(kind)}){more}",
        )
        for kind in spec.parameters
    ]


def read_chosen(spec: GameSpec, given: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the values of the parameters that were given as options. Raises ParameterError for a value that the game never
    allows. Whether several values can be combined is checked later.
    """
    kinds = {kind.name: kind for kind in spec.parameters}
    return {name: _read_value(kinds[name], value) for name, value in given.items() if value is not None}


def _read_value(kind: Parameter, value: str) -> str:
    """Return the value of a parameter. If the value is a text in a game's notation, such as a board, the user may also give
    the name of a file that contains it.
    """
    if not isinstance(kind, Text) or not value:
        kind.canonical(value)
        return value
    try:
        text, before, after = read_text(value), f"{value}: ", ""
    except OSError:
        text, before, after = value, "", f" (read {value[:40]!r}, which is no file)"
    try:
        return kind.canonical(text)
    except LudotecaError as error:
        raise ParameterError(f"{kind.name}: {before}{error}{after}") from None
