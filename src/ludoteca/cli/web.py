"""`ludoteca web DIR [GAME]...`: write what a page needs to play games without a server."""

from pathlib import Path

import click

from ludoteca.cli.options import GameName
from ludoteca.cli.progress import progress
from ludoteca.cli.streams import say
from ludoteca.core import registry


@click.command(name="web")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.argument("games", type=GameName(), nargs=-1, metavar="[GAME]...")
def command(directory: Path, games: tuple[str, ...]) -> None:
    """Write what a page needs to play these games, or all, without a server.

    DIR/ludoteca.zip is Ludoteca itself. DIR/GAME.wasm has the compiled rules and searches of a game, and DIR/GAME.json
    describes them. DIR/GAME.zip has its weights, if they are not in ludoteca.zip. Compiling takes up to two minutes a game,
    and needs wasm-ld.
    """
    from ludoteca.web import libraries, package

    libraries.check_linker()
    directory.mkdir(parents=True, exist_ok=True)
    say(f"ludoteca.zip: {package.write_package(directory / 'ludoteca.zip') / 1000:,.0f} kB")
    for spec in [registry.find(name) for name in games or registry.names()]:
        with progress(f"Compiling {spec.title}", measured=False):
            size = libraries.write_library(spec, directory)
        say(f"{spec.name}.wasm: {size.plain / 1000:,.0f} kB, {size.compressed / 1000:,.0f} kB compressed")
        if weights := package.write_weights(spec, directory / f"{spec.name}.zip"):
            say(f"{spec.name}.zip: {weights / 1000:,.0f} kB")
