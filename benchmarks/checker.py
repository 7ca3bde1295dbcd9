"""Measure the time of five whole games through `T3.pl`, as the assignment's hardest tests play them.

The processor time is that of Prolog and of its engine, with their start. The first run may compile. This needs SWI-Prolog.

Figures: docs/prolog.md#the-engine
"""

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from time import perf_counter

from ludoteca.games import metro

T3 = metro.GAME.file("prolog/T3.pl")
GOALS = """
    assertz((next_tile(_, Id) :- random_between(2, 10, Number), atom_concat('#', Number, Id))),
    set_random(seed(1)), get_time(Begin),
    findall(N, ( between(1, 5, _), play_game(End), get_game_tiles(End, Tiles), length(Tiles, N) ), Ns),
    get_time(Done), sum_list(Ns, Moves), Seconds is Done - Begin, format("~w moves in ~2f s; ", [Moves, Seconds])
"""
"""Tile #1 is left out, because it ends a game if it comes first."""


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--runs", type=int, default=3, help="(3)")
    options = parser.parse_args(arguments)
    for _ in range(options.runs):
        before, start = os.times(), perf_counter()
        environment = {**os.environ, "LUDOTECA_PYTHON": sys.executable}
        subprocess.run(["swipl", "-g", GOALS, "-t", "halt", str(T3)], check=True, env=environment)
        after, wall = os.times(), perf_counter() - start
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        print(f"{wall:.1f} s with the start, {cpu:.1f} s of processor time", flush=True)
