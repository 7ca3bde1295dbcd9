"""Simulations a second of our searches beside OpenSpiel's, which are C++, on games of like size, in one run, one core.

    pip install open_spiel
    python benchmarks/against_openspiel.py [--seconds 0.4] [--rounds 15]

OpenSpiel's MCTS plays hex 8 x 8 beside our Okupació 8 x 8 with two players; its IS-MCTS plays hearts beside our cartas.
All start from the first decision with empty trees, and play random games to their end. They take turns, and a ratio is taken
within a round: on a shared machine the speed of both goes up and down together. The last column has ours with two threads.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from statistics import median
from typing import Any, Final, NamedTuple

import ludoteca
from ludoteca.agents.agent import new_searcher
from ludoteca.core.game import State
from ludoteca.search.findings import Budget
from ludoteca.search.searcher import Searcher, Settings

UCT_C: Final = 1.4
MEGABYTES: Final = 4000
TRIAL: Final = 2000
"""Simulations of OpenSpiel from which it is told how many fill a round."""

Rate = Callable[[float], float]
"""Simulations a second, found by searching for about so many seconds."""


class Pair(NamedTuple):
    """Two searches to compare, and ours with two threads."""

    title: str
    ours: Rate
    both_cores: Rate
    theirs: Rate


class Round(NamedTuple):
    """What one round found, in simulations a second."""

    ours: float
    both_cores: float
    theirs: float


def ours(state: State, *, uniform: bool, threads: int) -> Rate:
    """Our search from a state; with uniform playouts as OpenSpiel has them, or as our agents search."""
    settings = Settings(threads=threads, exact=0.0)
    known = state.information_state(state.current_player())

    def rate(seconds: float) -> float:
        searcher = Searcher(state.game, None, settings) if uniform else new_searcher(state.game, settings)
        found = searcher.search(known, Budget(seconds=seconds))
        return found.simulations / found.seconds

    return rate


def theirs(state: Any, new_bot: Callable[[Any, int], Any], spiel: Any) -> Rate:
    """OpenSpiel's from a state; the number of simulations for a round is found by a short one."""

    def timed(simulations: int) -> float:
        bot = new_bot(spiel.RandomRolloutEvaluator(1, 1), simulations)
        start = time.perf_counter()
        bot.step(state)
        return time.perf_counter() - start

    def rate(seconds: float) -> float:
        simulations = max(1, int(TRIAL * seconds / timed(TRIAL)))
        return simulations / timed(simulations)

    return rate


def hex_search(spiel: Any) -> Rate:
    """OpenSpiel's MCTS at hex 8 x 8, its first move."""
    game = spiel.load_game("hex(board_size=8)")
    return theirs(
        game.new_initial_state(),
        lambda evaluator, n: spiel.MCTSBot(game, evaluator, UCT_C, n, MEGABYTES, True, 1, False),
        spiel,
    )


def hearts_search(spiel: Any) -> Rate:
    """OpenSpiel's IS-MCTS at hearts, the first card that is chosen."""
    state = spiel.load_game("hearts(pass_cards=false)").new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        actions = state.legal_actions()
        state.apply_action(actions[len(actions) // 2])
    return theirs(state, lambda evaluator, n: spiel.ISMCTSBot(1, evaluator, UCT_C, n), spiel)


def pairs(spiel: Any) -> Iterator[Pair]:
    """What is compared."""
    board = ludoteca.load("okupacio", compiled=True, board="8x8").new_initial_state(1)
    cards = ludoteca.load("cartas", compiled=True).new_initial_state(1)
    for uniform, how in ((True, "uniform playouts"), (False, "as our agents search")):
        for state, other, theirs_rate in (
            (board, "hex 8 x 8, MCTS", hex_search(spiel)),
            (cards, "hearts, IS-MCTS", hearts_search(spiel)),
        ):
            one, two = (ours(state, uniform=uniform, threads=threads) for threads in (1, 2))
            yield Pair(f"{state.game.name}, {how} | {other}", one, two, theirs_rate)


def compare(pair: Pair, seconds: float, rounds: int) -> str:
    """A line of the table."""
    for rate in pair[1:]:
        rate(seconds)  # compiles, loads, warms
    found = [Round(pair.ours(seconds), pair.both_cores(seconds), pair.theirs(seconds)) for _ in range(rounds)]
    figures = [median(column) for column in zip(*found, strict=True)]
    times = median(one.ours / one.theirs for one in found)
    gain = median(one.both_cores / one.ours for one in found)
    return f"| {pair.title} | {figures[0]:,.0f} | {figures[2]:,.0f} | {times:.1f} | {gain:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.4, help="of each search (0.4)")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    import pyspiel

    print(f"OpenSpiel {version('open_spiel')}, medians of {options.rounds} rounds of {options.seconds} s")
    print("| ours | OpenSpiel's | our simulations/s | theirs | times | two threads: times one |")
    print("|---|---|---:|---:|---:|---:|")
    for pair in pairs(pyspiel):
        print(compare(pair, options.seconds, options.rounds), flush=True)


if __name__ == "__main__":
    main()
