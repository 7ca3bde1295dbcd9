"""How long datasets take to make and to read, and how large they are: positions of self-play, searched, for every game.

    python benchmarks/dataset.py [--positions 100000] [--others 5000] [--search 200] [--processes N] [GAME ...]

Prints the table of docs/dataset.md: first Okupació 8 x 8 with --positions, then the usual parameters of every game with
--others. Compiling is not timed.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import ludoteca
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.workers import cores
from ludoteca.envs import dataset

HEADER: Final = (
    "game",
    "positions",
    "games",
    "seconds",
    "positions a second",
    "of processors, ms a position",
    "MB",
    "bytes a position",
    "as an array",
    "read, positions a second",
)


def measure(game: Game, what: str, positions: int, search: int, processes: int) -> tuple[str, ...]:
    """A row of the table."""
    plan = dataset.Plan(game, search=search, seed=1)
    plan.prepare()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "data.parquet")
        begin, before = time.perf_counter(), worked()
        made = dataset.make(plan, file, positions=positions, processes=processes)
        seconds, spent = time.perf_counter() - begin, worked() - before
        size = file.stat().st_size
        data = dataset.open_dataset(file)
        begin = time.perf_counter()
        read = sum(len(batch["view"]) for batch in data.batches(1024, ["view", "legal", "visits", "returns"]))
        reading = time.perf_counter() - begin
    assert read == made.positions
    return (
        what,
        f"{made.positions:,}",
        f"{made.games:,}",
        f"{seconds:.0f}",
        f"{made.positions / seconds:,.0f}",
        f"{1000 * spent / made.positions:.1f}",
        f"{size / 1e6:.1f}",
        f"{size / made.positions:.0f}",
        f"{game.dtype.itemsize:,}",
        f"{made.positions / reading:,.0f}",
    )


def worked() -> float:
    """Seconds of processors that this process and those it has waited for have used."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", help="which (all)")
    parser.add_argument("--positions", type=int, default=100_000, help="of the first line (100000)")
    parser.add_argument("--others", type=int, default=5_000, help="of the other lines (5000)")
    parser.add_argument("--search", type=int, default=200, help="simulations a position (200)")
    parser.add_argument("--processes", type=int, default=cores(), help="as many as cores")
    asked = parser.parse_args(arguments)
    print(f"{asked.search} simulations a position, {asked.processes} processes, Parquet\n")
    print(f"| {' | '.join(HEADER)} |\n|---|{'---:|' * (len(HEADER) - 1)}")
    usual = [Game(spec, next(iter(spec.variants.values())), compiled=True) for spec in registry.games()]
    board = ludoteca.load("okupacio", board="8x8", compiled=True)
    lines = [(board, "okupacio 8 x 8", asked.positions), *((game, game.name, asked.others) for game in usual)]
    for game, what, positions in lines:
        if not asked.games or game.name in asked.games:
            print(f"| {' | '.join(measure(game, what, positions, asked.search, asked.processes))} |", flush=True)


if __name__ == "__main__":
    main()
