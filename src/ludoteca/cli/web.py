"""`ludoteca web DIR [GAME]...`: write what a page needs to play games without a server."""

import shutil
from pathlib import Path

import click

from ludoteca.cli.options import GameName
from ludoteca.cli.progress import progress
from ludoteca.cli.streams import say
from ludoteca.core import registry


@click.command(name="web")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.argument("games", type=GameName(), nargs=-1, metavar="[GAME]...")
@click.option("--tools", type=click.Path(file_okay=False, path_type=Path), default="web", show_default=True)
def command(directory: Path, games: tuple[str, ...], tools: Path) -> None:
    """Write a folder that plays these games, or all, without a server.

    DIR can be put on any web space, also below a path. Its page index.html is the lobby. In the folder --tools are
    node_modules/pyodide and wheels, with the versions of Pyodide and msgspec that the error names if they are missing.
    Compiling takes up to two minutes a game, and needs wasm-ld and Node.
    """
    from ludoteca.web import libraries, package, pages, pyodide

    libraries.check_linker()
    pyodide.find(tools)
    specs = [registry.find(name) for name in games or registry.names()]
    python = directory / pages.PYTHON
    python.mkdir(parents=True, exist_ok=True)
    pyodide.copy(tools, python)
    package.write_package(python / "ludoteca.zip")
    shutil.copyfile(pages.OWN / pages.WORKER, python / pages.WORKER)
    with progress("Compiling Python's modules", measured=False):
        pyodide.compile_modules(tools, python)
    say(f"{pages.PYTHON}: {sum(file.stat().st_size for file in python.iterdir()) / 1000:,.0f} kB")
    for spec in specs:
        with progress(f"Compiling {spec.title}", measured=False):
            size = libraries.write_library(spec, python)
        say(f"{spec.name}.wasm: {size.plain / 1000:,.0f} kB, {size.compressed / 1000:,.0f} kB compressed")
    pages.write_pages(directory, specs)
    say(f"{directory / 'index.html'}: {', '.join(spec.title for spec in specs)}")
