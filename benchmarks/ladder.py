"""The tables of `docs/strength.md` on levels, from the folders of tournaments, while they are played too.

python benchmarks/ladder.py ladder/* highest/*
"""

import argparse
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from ludoteca.arena.figures.ratings import Duel, duels
from ludoteca.arena.figures.tables import share_bounds
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.store import Store


def row(duel: Duel, games: list[Played]) -> str:
    """A row of a table; with the mean points of both in a game for one player."""
    if not duel.line:
        return f"| {duel.name} | {duel.other} | | | 0 |"
    share, interval = f"{100 * duel.line.share:.1f}", share_bounds(duel.line)
    if len(games[0].seats) == 1:
        means = [np.mean([game.seats[0].score for game in games if game.seats[0].bot == bot]) for bot in duel[:2]]
        share += f" ({means[0]:.0f} points for {means[1]:.0f})"
    return f"| {duel.name} | {duel.other} | {share} | {interval} | {duel.deals} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, help="of tournaments of the format pairs")
    for folder in parser.parse_args().folders:
        with ExitStack() as stack:
            store = Store.reading(folder, stack)
            about, games = store.about(), list(store.games())
        if about is None or not games:
            continue
        seats = len(games[0].seats)
        print(f"\n{folder.name} (even: {50 if seats == 1 else 100 / seats:.0f} %)\n")
        print("| level | against | share, % | interval | deals |\n|---|---|---:|---|---:|")
        for duel in duels(about[0].options["pairs"], games):
            print(row(duel, games))


if __name__ == "__main__":
    main()
