"""`ludoteca analyse RECORD`: the worth of the moves of a game."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click

from ludoteca.cli.options import COUNT, EXISTING_FILE, FILE, Duration
from ludoteca.cli.settings import FixedSeed, Json, Setting, SettingsCommand
from ludoteca.core.errors import ParameterError

DEFAULT_SIMULATIONS: Final = 4000
SIMULATIONS_HELP: Final = f"the simulations of each search  [default: {DEFAULT_SIMULATIONS}]"


@dataclass(frozen=True)
class AnalyseSettings:
    """The options of `ludoteca analyse`."""

    simulations: Annotated[int | None, Setting(SIMULATIONS_HELP, COUNT)] = None
    time: Annotated[float | None, Setting("the time of each search, also with --simulations", Duration())] = None
    seed: FixedSeed = 0
    graph: Annotated[Path | None, Setting("write a graph to this .svg file", FILE)] = None
    json: Json = False


@click.command(name="analyse", cls=SettingsCommand, settings=AnalyseSettings)
@click.argument("file", type=EXISTING_FILE, metavar="RECORD")
def command(file: Path, settings: AnalyseSettings) -> None:
    """Show the worth of every move to every player, the moves that cost most, and better moves.

    A search of a position has only the knowledge of the player to move. After Ctrl-C the finished moves are printed.
    """
    graph = settings.graph
    if graph:
        if graph.suffix != ".svg":
            raise ParameterError(f"graph: read {graph}, expected a name that ends in .svg")
        if not (graph.parent.is_dir() and os.access(graph if graph.exists() else graph.parent, os.W_OK)):
            raise ParameterError(f"graph: {graph} cannot be written")
    from ludoteca.cli.analysing import run  # NumPy and the search, which wrong options do not need

    run(file, settings)
