"""`ludoteca console GAME [PROGRAM]`: a document's own text program."""

import os
import sys
from io import TextIOWrapper
from typing import cast

import click

from ludoteca.cli.files import read_text
from ludoteca.core import console, registry


@click.command(name="console", context_settings={"ignore_unknown_options": True})
@click.argument("game")
@click.argument("arguments", nargs=-1, metavar="[PROGRAM] [ARGUMENTS]...")
def command(game: str, arguments: tuple[str, ...]) -> None:
    """Run a document's own text program, byte for byte as the document has it.

    Files that it asks for are looked for in the current folder. Options that are not listed here are the program's own.
    """
    module = registry.find(game).module("console")
    for stream in (sys.stdin, sys.stdout):
        cast(TextIOWrapper, stream).reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    status = console.run(
        module,
        list(arguments),
        read_text,
        sys.stdin.readline,
        _write,
        _complain,
        is_terminal=is_terminal,
        by_hand=sys.stdin.isatty(),
    )
    sys.exit(status)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _complain(text: str) -> None:
    sys.stderr.write(f"ludoteca: {text}\n")
