"""Measure what a game costs the arena, and the games a second of processes and of Ray.

The cost is the processor time of the arena's own process, the median over the games. The program of the second table lives
through a game. It is `examples/bots/random.c`, or any program that speaks the line protocol. This needs a C compiler.

Figures: docs/arena.md#what-games-cost
"""

import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks.measuring import print_header, print_row
from ludoteca.arena.matches.formats import RoundRobin
from ludoteca.arena.matches.players import Entrant, Player, new_player
from ludoteca.arena.matches.referee import play
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import Memory, Setup, playing, run
from ludoteca.core import registry
from ludoteca.core.clusters import RayPool
from ludoteca.core.formats import Field, Fixture
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.workers import Pool, ProcessPool, cores

RANDOM: Final = (Entrant(name="a", agent="random"), Entrant(name="b", agent="random"))
SEED: Final = b"benchmark"
WARMING_GAMES: Final = 3
"""The first games, which do not count."""


class Quick(Player):
    """Plays the legal action in the middle, which takes no time."""

    def begin(self, state: InformationState, seed: int) -> None: ...

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:  # noqa: ARG002  # any will do
        """Return a legal action, which gives up only if there is no other."""
        return legal[(len(legal) - 1) // 2]


def print_costs(games: Sequence[Game], number: int, command: tuple[str, ...]) -> None:
    """Print the arena's processor time for a game, for players without programs and for living programs."""
    print_header("game", "moves", "the referee alone, ms a game", "with living programs, ms a game", "of it a move, us")
    for game in games:
        seats = game.num_players()
        alone, moves = cost(game, [Quick() for _ in range(seats)], number)
        programs = [new_player(Entrant(name="a", command=command), game, seat) for seat in range(seats)]
        try:
            living, own = cost(game, programs, number)
        finally:
            for player in programs:
                player.close()
        print_row(game.name, f"{moves:.0f}, {own:.0f}", f"{alone:.2f}", f"{living:.2f}", f"{1000 * living / own:.0f}")


def cost(game: Game, players: Sequence[Player], number: int) -> tuple[float, float]:
    """Play games, and return the medians of milliseconds of this process and of moves."""
    spent, moves = list[float](), list[int]()
    for deal in range(number + WARMING_GAMES):
        begin = time.process_time()
        played = play(game, Fixture(f"deal {deal}", ("a",) * len(players)), players, SEED)
        spent.append(1000 * (time.process_time() - begin))
        moves.append(len(played.record.actions))
        if faults := {seat.detail for seat in played.seats if seat.fault}:
            sys.exit(f"arena: {faults}")
    return statistics.median(spent[WARMING_GAMES:]), statistics.median(moves[WARMING_GAMES:])


def print_speeds(games: Sequence[Game], number: int, processes: int) -> None:
    """Print the games a second between random players, by processes and by Ray if it is installed."""
    print_header("game", f"{processes} processes", "Ray")
    for game in games:
        field = Field(("a", "b"), game.num_players(), -(-number // 2 // game.num_players()), SEED, {})
        setup = Setup(game, RANDOM, SEED, ".")
        local = games_per_s(field, ProcessPool(playing, setup, processes))
        ray = f"{games_per_s(field, RayPool(playing, setup, 'local')):.0f}" if find_spec("ray") else ""
        print_row(game.name, f"{local:.0f}", ray)


def games_per_s(field: Field, pool: Pool[Fixture, Played]) -> float:
    """Play a round robin, and return the games a second. The first tenth does not count, because processes start then."""
    times: list[float] = []
    with pool:
        run(partial(RoundRobin().plan, field), Memory(), pool, lambda *_: times.append(time.perf_counter()))
    first = len(times) // 10
    return (len(times) - first - 1) / (times[-1] - times[first])


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--games", type=int, default=300, help="games for each figure (300)")
    parser.add_argument("--processes", type=int, default=cores(), help="processes that play (one per core)")
    parser.add_argument("--program", help="a program that speaks the line protocol (the random bot)")
    options = parser.parse_args(arguments)
    games = [Game(spec, next(iter(spec.variants.values())), compiled=True) for spec in registry.registered_games()]
    with tempfile.TemporaryDirectory() as folder:
        program = options.program or str(Path(folder, "random"))
        if not options.program:
            source = Path(__file__).parents[1] / "examples" / "bots" / "random.c"
            subprocess.run(["cc", "-O2", "-o", program, str(source)], check=True)
        print_costs(games, options.games, (program,))
        print()
        print_speeds(games, options.games, options.processes)
