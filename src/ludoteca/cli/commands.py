"""The group of all subcommands, and how one is run."""

import sys
from importlib import import_module
from typing import Final, NoReturn

import click

import ludoteca
from ludoteca.cli import streams
from ludoteca.cli.signals import INTERRUPTED
from ludoteca.core.errors import LudotecaError, warn_in_one_line

COMMANDS: Final = {
    "games": "list the games and what can be chosen for each",
    "console": "a document's own text program",
    "play": "play in the terminal, against the computer or each other",
    "serve": "play in the browser, against people and programs",
    "admin": "look after a running server: its rooms, what addresses and seats left",
    "analyse": "what the moves of a game were worth, with the better ones and a graph",
    "solve": "who wins with best play from the beginning, by how much, and how",
    "match": "programs and agents against each other, every deal from every seat",
    "judge": "a program against the document that it implements: verdicts, and why",
    "tournament": "many programs and agents, in a format; it goes on wherever it was broken off",
    "bot": "check a program that plays, and seat it in a room of a server",
    "warm": "compile everything now, so that nobody waits for it later",
    "bench": "time random games",
    "record": "show, verify or draw the record of a game",
    "train": "what searches look at, learned from games: a value or a policy",
    "dataset": "games and their positions as tables for those who train agents",
}
"""Every subcommand with its line of help: `--help` imports none of them."""


class _Lazy(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ludoteca.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ludoteca.__version__, prog_name="ludoteca")
def command() -> None:
    """Five tabletop games, exact to their documents."""


def _aborted(abort: click.Abort) -> int:
    """Report why click gave up, and return the exit status. Raises EOFError if it was not raised by a question.

    Click raises the same error for Ctrl-C, for an input that ends before a question is answered, and for the answer "no".
    """
    if isinstance(abort.__cause__ or abort.__context__, KeyboardInterrupt):
        return INTERRUPTED
    if abort.__cause__:
        raise abort.__cause__ from None
    why = "standard input has ended: expected an answer" if isinstance(abort.__context__, EOFError) else "not confirmed"
    sys.stderr.write(f"ludoteca: {why}; nothing was done\n")
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
        error.show()
        status = error.exit_code
    except click.Abort as abort:
        status = _aborted(abort)
    except streams.ReaderGoneError:
        status = 1
    except (LudotecaError, streams.StreamError) as error:
        sys.stderr.write(f"ludoteca: {error}\n")
        status = 1
    sys.exit(status)
