"""`ludoteca warm [GAME]...`: compile everything now, so that no user waits later."""

import time
import warnings

import click

from ludoteca.agents.warming import preparations
from ludoteca.cli.options import GameName
from ludoteca.cli.progress import progress
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, UnkeptCodeWarning


@click.command(name="warm")
@click.argument("games", type=GameName(), nargs=-1, metavar="[GAME]...")
def command(games: tuple[str, ...]) -> None:
    """Compile everything that playing, analysing and the documents' programs use, for these games or for all.

    This is done once on a machine. A second call only checks the compiled code.
    """
    warnings.simplefilter("error", UnkeptCodeWarning)
    specs = [registry.find(name) for name in games or registry.names()]
    work = [(f"{spec.title}: {part.what}", part) for spec in specs for part in preparations(spec)]
    for number, (what, part) in enumerate(work, 1):
        step, begin = f"{number} of {len(work)}, {what}", time.perf_counter()
        with progress(f"Compiling {step}, only this time", measured=False):
            try:
                part.compile()
            except UnkeptCodeWarning as warning:  # the next program would compile it again
                raise LudotecaError(str(warning)) from None
        say(f"{step}: ready after {time.perf_counter() - begin:.1f} s")
