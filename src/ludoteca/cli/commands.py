"""The command `ludoteca`, which is the group of all subcommands, and the handling of errors."""

import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Final, NoReturn

import click

import ludoteca
from ludoteca.cli import streams
from ludoteca.cli.signals import INTERRUPTED
from ludoteca.core.errors import LudotecaError, ParameterError, SearchError, UnknownGameError, warn_in_one_line

WRONG_VALUE: Final = 2
"""The exit status if a value on the command line is wrong. Click uses the same status."""
SECTIONS: Final = {
    "Play": {
        "play": "play in the terminal, against the computer or each other",
        "serve": "run a server to play in the browser, against people and programs",
        "games": "list the games and their parameters",
    },
    "Write programs": {
        "console": "run the program that a game's assignment asks for",
        "judge": "mark a student's program, or those of a whole class",
        "bot": "check a program that plays, and seat it in a room of a server",
        "match": "play agents and programs against each other, every deal from every seat",
        "tournament": "play a tournament of agents and programs, and continue it after any end",
    },
    "Study games": {
        "record": "show, verify or draw the record of a game",
        "analyse": "show the worth of a game's moves, better moves and a graph",
    },
    "Train agents": {
        "train": "train the evaluation function or the policy that agents use",
        "dataset": "write games and their positions as tables for machine learning",
    },
    "Maintain": {
        "admin": "manage a running server: its rooms, addresses and players",
        "warm": "compile everything now, so that no user waits later",
        "bench": "measure the speed of random games",
        "web": "write what a page needs to play without a server",
    },
}
"""The subcommands by sections of the help, with one line each. `--help` prints them without importing their modules."""
COMMANDS: Final = {name: line for section in SECTIONS.values() for name, line in section.items()}

RENAMED: Final = {
    "--seconds": "--time", "--secs": "--time", "--compile-seconds": "--compile-time", "--cards": "--form",
    "--contest": "--form",
}  # fmt: skip
"""The old names of options, or other usual ones, and the names that a command has instead."""


class _Lazy(click.Group):
    """A group of commands that knows their names, and imports a command's module only when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            command: click.Command = import_module(f"ludoteca.cli.{cmd_name}").command
            return command
        if near := get_close_matches(cmd_name, COMMANDS, n=1):
            ctx.fail(f"No such command {cmd_name!r}. (Did you mean {near[0]!r}?)")
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(section.items()), col_max=12)


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ludoteca.__version__, prog_name="ludoteca")
def command() -> None:
    """Play, judge and study five tabletop games from university assignments."""


def _aborted(abort: click.Abort) -> int:
    """Print the reason why click ended the command, and return the exit status.

    Click raises the same error, `abort`, after Ctrl-C, after the answer "no", and if the input ends before a question is
    answered. Raises EOFError if the input ended in another place.
    """
    if isinstance(abort.__cause__ or abort.__context__, KeyboardInterrupt):
        return INTERRUPTED
    if abort.__cause__:
        raise abort.__cause__ from None
    why = "standard input has ended: expected an answer" if isinstance(abort.__context__, EOFError) else "not confirmed"
    streams.warn(f"{why}; nothing was done")
    return 1


def run() -> NoReturn:
    """Run the command that the arguments name, and leave with its exit status."""
    warn_in_one_line()
    try:
        streams.guard()
        try:
            status = command.main(prog_name="ludoteca", standalone_mode=False)
        finally:
            sys.stdout.flush()
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption) and error.ctx:
            new = RENAMED.get(error.option_name, "")
            if any(new in each.opts for each in error.ctx.command.params):
                told = f"No such option {error.option_name!r}. Did you mean {new!r}?"
                error = click.NoSuchOption(error.option_name, told, ctx=error.ctx)
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            error.show()
        else:
            where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "ludoteca"
            streams.warn(f"{error.format_message().removeprefix('Invalid value for ')} Try '{where} --help' for help.")
        status = error.exit_code
    except click.Abort as abort:
        status = _aborted(abort)
    except streams.ReaderGoneError:
        status = 1
    except (LudotecaError, streams.StreamError) as error:
        streams.warn(str(error))
        status = WRONG_VALUE if isinstance(error, (ParameterError, UnknownGameError, SearchError)) else 1
    sys.exit(status)
