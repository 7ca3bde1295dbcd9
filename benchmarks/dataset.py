"""Measure the time to make and to read datasets of self-play with a search, and their size.

The first row is Okupació 8 x 8. The other rows are all games with their usual parameters. The time for compiling is not
included.

Figures: docs/dataset.md#speed
"""

import os
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import ludoteca
from benchmarks.measuring import print_header, print_row
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.workers import cores
from ludoteca.envs import dataset

HEADER: Final = (
    "game",
    "positions",
    "games",
    "processor time of a position, ms",
    "MB",
    "bytes of a position",
    "as an array",
    "positions read in a second of processor time",
)


def measure(game: Game, what: str, positions: int, search: int, processes: int) -> tuple[str, ...]:
    """Return a row of the table."""
    recipe = dataset.Recipe(game, search=search, seed=1)
    recipe.prepare()
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder, "data")
        before = processor_seconds()
        made = dataset.make(recipe, to, positions=positions, processes=processes)
        spent = processor_seconds() - before
        size = sum(file.stat().st_size for file in (to / "positions").iterdir())
        data, read = dataset.open_dataset(to), 0
        begin = time.process_time()
        for batch in data.to_batches(columns=["view", "legal", "visits", "returns"], batch_size=1024):
            read += len(dataset.to_numpy(batch, game)["view"])
            for name in ("legal", "visits"):
                batch[name].flatten().to_numpy()
        reading = time.process_time() - begin
    assert read == made.positions
    return (
        what,
        f"{made.positions:,}",
        f"{made.games:,}",
        f"{1000 * spent / made.positions:.1f}",
        f"{size / 1e6:.1f}",
        f"{size / made.positions:.0f}",
        f"{game.dtype.itemsize:,}",
        f"{made.positions / reading:,.0f}",
    )


def processor_seconds() -> float:
    """Return the processor time of this process and of the ended processes that it started."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="(all)")
    parser.add_argument("--positions", type=int, default=20_000, help="positions in the first row (20000)")
    parser.add_argument("--others", type=int, default=5_000, help="positions in the other rows (5000)")
    parser.add_argument("--search", type=int, default=200, help="simulations for each position (200)")
    parser.add_argument("--processes", type=int, default=cores(), help="processes that play (one per core)")
    asked = parser.parse_args(arguments)
    print(f"{asked.search} simulations a position, {asked.processes} processes, Parquet\n")
    print_header(*HEADER)
    usual = [Game(spec, next(iter(spec.variants.values())), compiled=True) for spec in registry.registered_games()]
    board = ludoteca.load("okupacio", board="8x8", compiled=True)
    lines = [(board, "okupacio 8 x 8", asked.positions), *((game, game.name, asked.others) for game in usual)]
    for game, what, positions in lines:
        if not asked.games or game.name in asked.games:
            print_row(*measure(game, what, positions, asked.search, asked.processes))
