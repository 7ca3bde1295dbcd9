"""Compare Ludoteca's compiled rules with C++ written by hand, `GAME.cpp` beside this file: random games a second, one core.

    python benchmarks/against_cpp.py [GAME ...] [--seconds 0.2] [--rounds 31]

The two take turns, in many short rounds for each variant of `ludoteca bench`, and a ratio is taken within a round: on
a shared machine the speed of both goes up and down together. Prints a Markdown table and the versions it holds for.
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from ludoteca.core import playouts, registry
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng

ARGUMENTS: Final[dict[str, tuple[str, ...]]] = {
    "okupacio": ("board", "players"),
    "conclave": ("players",),
    "cartas": (),
    "metro": ("players",),
    "qinto": ("variant", "players"),
}
"""The parameters that each C++ program takes, in this order, before the seconds."""
COMPILE: Final = ("g++", "-std=c++17", "-O3", "-march=native", "-fno-tree-vectorize")
SAME: Final = 0.02
"""How far the mean length of a game may differ between the two, for they have to play the same game."""


class Figures(NamedTuple):
    """What one of the two did in one round."""

    games_per_s: float
    moves_per_game: float


class Round(NamedTuple):
    """One turn of each."""

    cpp: Figures
    ours: Figures


class Cpp:
    """The program written by hand, with a variant's parameters."""

    def __init__(self, program: Path, game: Game) -> None:
        values = (str(game.parameters[name]) for name in ARGUMENTS[game.name])
        self.command = [str(program), *(word for value in values for word in value.split())]

    def play(self, seconds: float) -> Figures:
        done = subprocess.run([*self.command, str(seconds)], check=True, capture_output=True, text=True)
        figures = json.loads(done.stdout)
        return Figures(figures["games_per_s"], figures["moves"] / figures["games"])


class Ours:
    """Our compiled rules, with a variant's parameters."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.binding = self.game.bind(playouts)
        self.states = self.game.new_array()
        self.rng = new_rng(1)
        self.batch = self._batch()

    def _batch(self, seconds: float = 0.01) -> int:
        """So many games that looking at the clock costs nothing. The very first call is slow, and is not timed."""
        self._games(1)
        games, taken = 1, 0.0
        while taken < seconds:
            games *= 2
            start = time.perf_counter()
            self._games(games)
            taken = time.perf_counter() - start
        return games

    def _games(self, games: int) -> int:
        return int(self.binding.play_games(self.game.prepared.array, self.states, self.rng, games))

    def play(self, seconds: float) -> Figures:
        games, moves, start, taken = 0, 0, time.perf_counter(), 0.0
        while taken < seconds:
            moves += self._games(self.batch)
            games += self.batch
            taken = time.perf_counter() - start
        return Figures(games / taken, moves / games)


def main(arguments: Sequence[str] | None = None) -> None:
    """Compile, compare, print."""
    options = _options(arguments)
    print("| variant | C++, games/s | Ludoteca, games/s | ratio, median | lowest | highest |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for spec in [registry.find(name) for name in options.games or ARGUMENTS]:
            program = compile_cpp(spec.name, Path(folder))
            for variant, parameters in spec.variants.items():
                played = compare(program, Game(spec, parameters, compiled=True), options.seconds, options.rounds)
                print(row(f"{spec.name} `{variant}`", played), flush=True)
    print(f"\n{options.rounds} rounds of {options.seconds:g} s each, by turns. {machine()}")


def compile_cpp(name: str, folder: Path) -> Path:
    """The program of `NAME.cpp`, compiled into the folder."""
    program = folder / name
    subprocess.run([*COMPILE, "-o", str(program), str(Path(__file__).with_name(f"{name}.cpp"))], check=True)
    return program


def compare(program: Path, game: Game, seconds: float, rounds: int) -> list[Round]:
    """Let the two take turns; a first short round, for caches and clock rate, is thrown away."""
    ours, cpp = Ours(game), Cpp(program, game)
    cpp.play(seconds / 4)
    ours.play(seconds / 4)
    played = [Round(cpp.play(seconds), ours.play(seconds)) for _ in range(rounds)]
    _check_same_game(played)
    return played


def _check_same_game(played: Sequence[Round]) -> None:
    cpp = median(one.cpp.moves_per_game for one in played)
    ours = median(one.ours.moves_per_game for one in played)
    if abs(cpp / ours - 1) > SAME:
        sys.exit(f"these are two different games: {cpp:.2f} moves a game in C++, {ours:.2f} in ours")


def row(variant: str, played: Sequence[Round]) -> str:
    """One line of the table."""
    ratios = [one.ours.games_per_s / one.cpp.games_per_s for one in played]
    cpp = median(one.cpp.games_per_s for one in played)
    ours = median(one.ours.games_per_s for one in played)
    return f"| {variant} | {cpp:,.0f} | {ours:,.0f} | {median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |"


def machine() -> str:
    """What the figures hold for."""
    compiler = subprocess.run(["g++", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    packages = ", ".join(f"{name} {version(name)}" for name in ("ludoteca", "numba", "llvmlite", "numpy"))
    flags = " ".join(COMPILE[1:])
    return f"{_processor()}; {compiler} with {flags}; Python {platform.python_version()}, {packages}."


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="all of them by default")
    parser.add_argument("--seconds", type=float, default=0.2, help="time for each of the two in a round (0.2)")
    parser.add_argument("--rounds", type=int, default=31, help="rounds for each variant (31)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
