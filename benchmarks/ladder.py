"""Print the tables of levels from the folders of tournaments, finished or not.

The tournaments have the format `pairs`, as those of `benchmarks/strength` have. In a game for one player, the share has the
mean points of both levels, too.

Figures: docs/strength.md#the-ladder, docs/strength-checks.md#levels-on-other-boards-and-at-other-tables
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from benchmarks.measuring import print_header, print_row
from ludoteca.arena.figures.ratings import Duel, duels
from ludoteca.arena.figures.tables import share_bounds
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.store import Store


def share_of(duel: Duel, games: list[Played]) -> str:
    """Return the share of a level in per cent, or an empty text before its first deal."""
    if not duel.line:
        return ""
    share = f"{100 * duel.line.share:.1f}"
    if len(games[0].seats) == 1:
        means = [np.mean([game.seats[0].score for game in games if game.seats[0].bot == bot]) for bot in duel[:2]]
        share += f" ({means[0]:.0f} points for {means[1]:.0f})"
    return share


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="of a tournament")
    for folder in parser.parse_args(arguments).folders:
        with ExitStack() as stack:
            store = Store.reading(folder, stack)
            about, games = store.about(), list(store.games())
        if about is None or not games:
            continue
        seats = len(games[0].seats)
        print(f"\n{folder.name} (even: {50 if seats == 1 else 100 / seats:.0f} %)\n")
        print_header("level", "against", "share, %", "interval", "deals")
        for duel in duels(about[0].options["pairs"], games):
            bounds = share_bounds(duel.line) if duel.line else ""
            print_row(duel.name, duel.other, share_of(duel, games), bounds, duel.deals)
