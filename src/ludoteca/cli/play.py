"""`ludoteca play GAME`: play in the terminal, against the computer or each other."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import click
from click.core import ParameterSource

from ludoteca.agents.naming import POSSIBLE, check_name
from ludoteca.cli.options import EXISTING_FILE, FILE
from ludoteca.cli.parameters import GamesGroup, game_command
from ludoteca.cli.settings import Language, Seed, Setting, options_of
from ludoteca.core.errors import ParameterError
from ludoteca.core.spec import GameSpec

PERSON: Final = "person"
OPPONENT: Final = "4"
BOT_HELP: Final = "command line of your bot for the other seats (docs/bots.md)"
RESUME_HELP: Final = "continue an unfinished game, and save it there"
OPPONENT_HELP: Final = f"player of the other seats: {PERSON}, {POSSIBLE}  [default: {OPPONENT}]"


@dataclass(frozen=True)
class PlaySettings:
    """The options of every game in the terminal."""

    opponent: Annotated[str | None, Setting(OPPONENT_HELP)] = None
    opponent_bot: Annotated[str | None, Setting(BOT_HELP, metavar="COMMAND")] = None
    seat: Annotated[int, Setting("your seat; 1 moves first")] = 1
    language: Language = None


@dataclass(frozen=True)
class NewGameSettings(PlaySettings):
    """The options of `ludoteca play GAME`, in addition to the game's parameters."""

    seed: Seed = None
    save: Annotated[Path | None, Setting("write the record to this file, after every move", FILE)] = None


@click.pass_context
def _group(ctx: click.Context, /, resume: Path | None, **values: Any) -> None:
    """Play a game in the terminal, against the computer or each other.

    Put a new game's options after GAME. Before it, they apply to --resume only.
    """
    given = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if ctx.invoked_subcommand:
        if resume:
            raise click.UsageError("--resume takes the game from its record. Leave GAME out.", ctx)
        if given:
            raise click.UsageError(f"Put --{given[0]} after the game.", ctx)
        return
    if not resume:
        raise click.UsageError("Name a game, or a record with --resume.", ctx)
    settings = PlaySettings(**values)
    _check(settings)
    from ludoteca.cli.playing import go_on  # NumPy and the agents, which wrong options do not need

    go_on(resume, settings)


def _begin(spec: GameSpec, chosen: dict[str, Any], settings: NewGameSettings) -> None:
    _check(settings)
    if settings.save and settings.save.exists():
        raise ParameterError(f"save: {settings.save} exists already. Name another file, or continue that game with --resume")
    from ludoteca.cli.playing import begin

    begin(spec, chosen, settings)


def _check(settings: PlaySettings) -> None:
    """Raise ParameterError for an opponent that no game has."""
    if settings.opponent and settings.opponent_bot:
        raise ParameterError("opponent-bot: the other seats have one opponent. Leave out --opponent or --opponent-bot")
    if settings.opponent not in (None, PERSON):
        check_name(settings.opponent)


command = GamesGroup(
    lambda spec: game_command(spec, NewGameSettings, _begin),
    name="play",
    params=[
        click.Option(["--resume"], type=EXISTING_FILE, metavar="RECORD", help=RESUME_HELP),
        *options_of(PlaySettings),
    ],
    callback=_group,
    help=_group.__doc__,
    invoke_without_command=True,
)
