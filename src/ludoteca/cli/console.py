"""`ludoteca console GAME [PROGRAM]`: the text program that a game's assignment asks for."""

import os
import select
import stat
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import cast

import click

from ludoteca.cli.files import read_text
from ludoteca.cli.options import GameName
from ludoteca.cli.streams import warn
from ludoteca.core import console, registry
from ludoteca.core.errors import ContractError
from ludoteca.core.spec import GameSpec


class _Programs(click.Command):
    """A command whose help lists the games with their programs."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        specs = [spec for spec in registry.registered_games() if spec.has("console")]
        programs = [(f"{spec.name} {'|'.join(spec.programs)}".rstrip(), spec.title) for spec in specs]
        with formatter.section("Games and programs"):
            formatter.write_dl(programs)
        formatter.write_paragraph()
        formatter.write_text("ludoteca console GAME [PROGRAM] --help describes the input of a program, with an example.")


@click.command(name="console", cls=_Programs, context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("game", type=GameName(), required=False, metavar="GAME")
@click.argument("arguments", nargs=-1, metavar="[PROGRAM] [ARGUMENTS]...")
@click.option("-h", "--help", "helps", is_flag=True, help="Show this message, or the input of a game's program.")
@click.pass_context
def command(context: click.Context, game: str | None, arguments: tuple[str, ...], helps: bool) -> None:
    """Run the program that a game's assignment asks for, correct to the byte.

    It reads files from the current folder. It receives all options that are not listed here.
    """
    if helps:
        click.echo(help_of(registry.find(game), arguments).rstrip() if game else context.get_help().rstrip())
        return
    if not game:
        raise click.MissingParameter(ctx=context, param=command.params[0])
    spec = registry.find(game)
    for stream in (sys.stdin, sys.stdout):
        cast(TextIOWrapper, stream).reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    streams = read_text, sys.stdin.readline, write, warn
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    sys.exit(console.run(spec, list(arguments), *streams, is_terminal=is_terminal, is_whole=_is_whole))


def _is_whole() -> bool:
    """Return True if no more input can arrive: standard input is a file, or a pipe or terminal to which no program can write
    any more.
    """
    if stat.S_ISREG(os.fstat(0).st_mode):
        return True
    poll = select.poll()
    poll.register(0, select.POLLIN)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def help_of(spec: GameSpec, arguments: Sequence[str]) -> str:
    """Return a help text of a game: the file `help/ARGUMENT.txt` for the first argument if it exists, or else
    `help/console.txt`.

    Raises ContractError if the game has neither file.
    """
    folder = spec.file("help")
    for name in [*(word for word in arguments[:1] if word.isalnum()), "console"]:
        file = folder / f"{name}.txt"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise ContractError(f"{spec.name} has no help/console.txt in {spec.package}")
