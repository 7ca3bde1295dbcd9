"""What games cost beside their bots' own time, and how many a second are played by processes and by Ray.

    python benchmarks/arena.py [--games 300] [--processes N] [--program PROGRAM]

Prints the Markdown tables of docs/arena.md. A game costs what the arena's process takes of a processor: the median
over the games. PROGRAM speaks the line protocol; by default it is `examples/bots/random.c`, compiled here.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ludoteca.arena.matches.formats import RoundRobin
from ludoteca.arena.matches.players import Entrant, Player, new_player
from ludoteca.arena.matches.referee import play
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import Memory, Setup, playing, run
from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.clusters import RayPool
from ludoteca.core.formats import Field, Fixture
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.workers import Pool, ProcessPool, cores

RANDOM: Final = (Entrant(name="a", agent="random"), Entrant(name="b", agent="random"))
ANSWER: Final = ("/bin/sh", "-c", "echo PASSO")
SEED: Final = b"benchmark"


class Quick(Player):
    """Plays the legal action in the middle, which takes no time."""

    def begin(self, state: InformationState, seed: int) -> None: ...

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:  # noqa: ARG002  # any will do
        """Return a legal action, which gives up only if there is no other."""
        return legal[(len(legal) - 1) // 2]


def costs(games: int, command: tuple[str, ...]) -> Iterator[str]:
    """Processor time of the arena for a game: the referee alone, and with programs that live through it."""
    yield "| game | moves | the referee alone, ms a game | with two living programs, ms a game | of it a move, us |"
    yield "|---|---:|---:|---:|---:|"
    for spec in registry.games():
        game = Game(spec, next(iter(spec.variants.values())), compiled=True)
        seats = game.num_players()
        alone, moves = _cost(game, [Quick() for _ in range(seats)], games)
        entrant = Entrant(name="a", command=command)
        programs = [new_player(entrant, game, seat) for seat in range(seats)]
        try:
            living, own = _cost(game, programs, games)
        finally:
            for player in programs:
                player.close()
        yield f"| {spec.name} | {moves:.0f}, {own:.0f} | {alone:.2f} | {living:.2f} | {1000 * living / own:.0f} |"


def _cost(game: Game, players: Sequence[Player], games: int) -> tuple[float, float]:
    """The medians of milliseconds of this process, and of moves, a game; the first three are not counted."""
    spent, moves = list[float](), list[int]()
    for number in range(games + 3):
        begin = time.process_time()
        played = play(game, Fixture(f"deal {number}", ("a",) * len(players)), players, SEED)
        spent.append(1000 * (time.process_time() - begin))
        moves.append(len(played.record.actions))
        if faults := {seat.detail for seat in played.seats if seat.fault}:
            sys.exit(f"arena: {faults}")
    return statistics.median(spent[3:]), statistics.median(moves[3:])


def speeds(games: int, processes: int) -> Iterator[str]:
    """Games a second between random players, stored in memory."""
    yield "| game | processes, games a second | Ray, games a second |"
    yield "|---|---:|---:|"
    for spec in registry.games():
        game = Game(spec, next(iter(spec.variants.values())), compiled=True)
        field = Field(("a", "b"), game.num_players(), -(-games // 2 // game.num_players()), SEED, {})
        setup = Setup(game, RANDOM, SEED, ".")
        local = _speed(field, ProcessPool(playing, setup, processes))
        ray = f"{_speed(field, RayPool(playing, setup, 'local')):.0f}" if find_spec("ray") else ""
        yield f"| {spec.name} | {local:.0f} | {ray} |"


def _speed(field: Field, pool: Pool[Fixture, Played]) -> float:
    """Games a second, once everything has started: the first tenth is not counted."""
    times: list[float] = []
    with pool:
        run(partial(RoundRobin().plan, field), Memory(), pool, lambda *_: times.append(time.perf_counter()))
    first = len(times) // 10
    return (len(times) - first - 1) / (times[-1] - times[first])


def moves(runs: int) -> Iterator[str]:
    """What a move costs whose program is run for it: in its box, and by a bare spawn."""
    bare, boxed = list[float](), list[float]()
    with closing(Box(ANSWER, Limits())) as box:
        for _ in range(runs):
            bare.append(_timed(lambda: subprocess.run(ANSWER, input=b"", capture_output=True, check=True)))
            boxed.append(_timed(lambda: box.run(b"", seconds=5.0)))
        isolation = box.isolation
    yield "| one process a move | ms, median |"
    yield "|---|---:|"
    yield f"| a bare spawn of `{' '.join(ANSWER)}` | {1000 * statistics.median(bare):.2f} |"
    yield f"| the same in its box ({isolation}) | {1000 * statistics.median(boxed):.2f} |"


def _timed(action: object) -> float:
    begin = time.perf_counter()
    assert callable(action)
    action()
    return time.perf_counter() - begin


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=300, help="for each figure (300)")
    parser.add_argument("--processes", type=int, default=cores(), help="at once (all cores)")
    parser.add_argument("--program", help="one that speaks the line protocol")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        program = options.program or str(Path(folder, "random"))
        if not options.program:
            source = Path(__file__).parents[1] / "examples" / "bots" / "random.c"
            subprocess.run(["cc", "-O2", "-o", program, str(source)], check=True)
        for table in (costs(options.games, (program,)), speeds(options.games, options.processes), moves(options.games)):
            print("\n".join(table), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
