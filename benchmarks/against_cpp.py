"""Compare Ludoteca's compiled rules with programs written by hand in C++, on one core.

Both play whole random games of each variant of `ludoteca bench`. They take turns in many short rounds, and a ratio compares
the two turns of a round. So the varying speed of a shared machine changes the ratio little. The programs are
`benchmarks/GAME.cpp`. This needs g++.

Figures: docs/speed.md#random-games-a-second-one-core
"""

import json
import platform
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.measuring import middle, print_header, print_row, variants
from ludoteca.core import playouts
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng

ARGUMENTS: Final[dict[str, tuple[str, ...]]] = {
    "okupacio": ("board", "players"),
    "conclave": ("players",),
    "cartas": (),
    "metro": ("players",),
    "qinto": ("variant", "players"),
}
"""The parameters that each C++ program takes before the seconds, in this order."""
COMPILE: Final = ("g++", "-std=c++17", "-O3", "-march=native", "-fno-tree-vectorize")
LENGTH_TOLERANCE: Final = 0.02
"""The largest relative difference of the mean lengths of games. A larger one shows that two different games are played."""
BATCH_SECONDS: Final = 0.01
"""The least time of a batch of our games, so that reading the clock costs nothing."""


class Speed(NamedTuple):
    """The speed of a program in one turn."""

    games_per_s: float
    moves_per_game: float


Play = Callable[[float], Speed]
"""Plays games for this many seconds."""


def cpp_player(program: Path, game: Game) -> Play:
    """Return a function that runs the C++ program with the parameters of a game."""
    values = (str(game.parameters[name]) for name in ARGUMENTS[game.name])
    command = [str(program), *(word for value in values for word in value.split())]

    def play(seconds: float) -> Speed:
        done = subprocess.run([*command, str(seconds)], check=True, capture_output=True, text=True)
        figures = json.loads(done.stdout)
        return Speed(figures["games_per_s"], figures["moves"] / figures["games"])

    return play


def our_player(game: Game) -> Play:
    """Return a function that plays a game by our compiled rules."""
    binding, states, rng = game.bind(playouts), game.new_array(), new_rng(1)

    def timed(games: int) -> tuple[int, float]:
        start = time.perf_counter()
        moves = int(binding.play_games(game.prepared.array, states, rng, games))
        return moves, time.perf_counter() - start

    timed(1)  # the first call is slow
    batch = 2
    while timed(batch)[1] < BATCH_SECONDS:
        batch *= 2

    def play(seconds: float) -> Speed:
        games, moves, spent = 0, 0, 0.0
        while spent < seconds:
            played, took = timed(batch)
            games, moves, spent = games + batch, moves + played, spent + took
        return Speed(games / spent, moves / games)

    return play


def compile_cpp(name: str, folder: str) -> Path:
    """Compile `NAME.cpp` into the folder, and return the program."""
    program = Path(folder, name)
    subprocess.run([*COMPILE, "-o", str(program), str(Path(__file__).with_name(f"{name}.cpp"))], check=True)
    return program


def print_comparison(title: str, cpp: Play, ours: Play, seconds: float, rounds: int) -> None:
    """Let both play in turns, and print their speeds. A short round at the start fills the caches and does not count."""
    cpp(seconds / 4)
    ours(seconds / 4)
    theirs, own = zip(*((cpp(seconds), ours(seconds)) for _ in range(rounds)), strict=True)
    lengths = [median(one.moves_per_game for one in side) for side in (theirs, own)]
    if abs(lengths[0] / lengths[1] - 1) > LENGTH_TOLERANCE:
        sys.exit(f"these are two different games: {lengths[0]:.2f} moves a game in C++, {lengths[1]:.2f} in ours")
    ratios = [our.games_per_s / their.games_per_s for their, our in zip(theirs, own, strict=True)]
    speeds = [middle((one.games_per_s for one in side), 0) for side in (theirs, own)]
    print_row(title, *speeds, middle(ratios))


def machine() -> str:
    """Return the processor and the versions of the programs."""
    compiler = subprocess.run(["g++", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    packages = ", ".join(f"{name} {version(name)}" for name in ("ludoteca", "numba", "llvmlite", "numpy"))
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    processor = next(models, platform.machine())
    return f"{processor}; {compiler} with {' '.join(COMPILE[1:])}; Python {platform.python_version()}, {packages}."


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(ARGUMENTS), help="(all)")
    parser.add_argument("--seconds", type=float, default=0.2, help="time of each turn (0.2)")
    parser.add_argument("--rounds", type=int, default=31, help="rounds for each variant (31)")
    options = parser.parse_args(arguments)
    print_header("game, variant", "C++, games/s", "Ludoteca, games/s", f"ratio, median of {options.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.games:
            program = compile_cpp(name, folder)
            for title, game in variants([name]):
                print_comparison(title, cpp_player(program, game), our_player(game), options.seconds, options.rounds)
    print(f"\n{options.rounds} rounds of {options.seconds:g} s each, in turns. {machine()}")
