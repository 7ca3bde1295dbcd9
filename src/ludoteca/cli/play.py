"""`ludoteca play GAME`: play in the terminal, against the computer or each other."""

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn, cast

import click
from click.core import ParameterSource

from ludoteca.cli.files import RecordFile, replay_record
from ludoteca.cli.options import EXISTING_FILE, FILE
from ludoteca.cli.parameters import GamesGroup, game_command
from ludoteca.cli.sandbox import warn_of_sandbox
from ludoteca.cli.settings import Language, Seed, Setting, drawn, options_of, usual_language
from ludoteca.cli.streams import replace_signs
from ludoteca.core.errors import ParameterError, explained
from ludoteca.core.levels import POSSIBLE, check_name
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted

if TYPE_CHECKING:  # NumPy and the agents, which wrong options do not need
    from ludoteca.core.game import State

PERSON: Final = "person"
OPPONENT: Final = "4"
DRAWS: Final = 100
"""The most random deals to try until one allows a first move."""
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

    Options of a new game come after its name: `ludoteca play metro --seat 2`. `ludoteca play metro --help` lists
    them. Options before the name work only with --resume.
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
    record, state = replay_record(resume)
    if state.is_terminal():
        raise ParameterError(f"resume: {resume}: the game is finished after {counted(len(record.actions), 'move')}")
    _play(state, settings, None, resume)


def _begin(spec: GameSpec, chosen: dict[str, Any], settings: NewGameSettings) -> None:
    """Play a new game, and leave with the exit status.

    Raises ParameterError if options contradict each other, if the parameters cannot be combined, or if the file of `--save`
    exists already. Raises LudotecaError if there is no such seat or opponent, or if the record cannot be written.
    """
    _check(settings)
    if settings.save and settings.save.exists():
        raise ParameterError(f"save: {settings.save} exists already. Name another file, or continue that game with --resume")
    from ludoteca.core.game import Game

    game = Game(spec, chosen)
    if settings.opponent and game.num_players() == 1:
        raise ParameterError(f"opponent: {spec.title} has one player with these parameters. Leave the option out")
    for _ in range(DRAWS if settings.seed is None else 1):
        state = game.new_initial_state(settings.seed)
        if not state.is_terminal():
            break
    _play(state, settings, settings.seed, settings.save)


def _play(state: "State", settings: PlaySettings, seed: int | None, save: Path | None) -> NoReturn:
    """Play a game from this state, and leave with the exit status. `seed` is for the random numbers of the opponents, and
    `save` the file for the record.

    Raises LudotecaError if the game has no such seat, if there is no such opponent, or if the record cannot be written.
    """
    from ludoteca.agents.agent import new_agent
    from ludoteca.cli.terminal import TerminalGame

    game, seat, bot = state.game, settings.seat, settings.opponent_bot
    opponent = OPPONENT if settings.opponent is None else settings.opponent
    players = game.num_players()
    if seat not in range(1, players + 1):
        raise ParameterError(f"seat: read {seat}, expected 1 to {players}")
    people = set(range(players)) if opponent == PERSON and not bot else {seat - 1}
    language = settings.language or usual_language()
    bots = None
    if bot:
        from ludoteca.cli.opponents import BotOpponents  # other games do not need the arena

        warn_of_sandbox(language)
        bots = BotOpponents(bot, state, set(range(players)) - people)
    elif opponent != PERSON:
        new_agent(opponent, game)  # only to check the name
    file = RecordFile(save) if save else None
    if file:
        with explained(f"the record {file.path} cannot be written"):
            file.write(state)
    cast(TextIOWrapper, sys.stdin).reconfigure(errors="replace")
    replace_signs(getattr(game.notation, "PLAIN", {}))
    table = TerminalGame(state, people, bots or opponent, drawn(seed), file=file, language=language)
    with bots or nullcontext():
        sys.exit(table.play())


def _check(settings: PlaySettings) -> None:
    """Raise ParameterError if two kinds of opponents are given, or an opponent that no game has."""
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
