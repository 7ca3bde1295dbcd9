"""How strong the document's player of cartas is, and how long a move takes: `ludoteca console cartas jogador`.

    python benchmarks/jogador.py [BOT ...] [--deals 40] [--seed 1000000] [--seconds 0.2] [--processes 2] [--starts 100]

In every deal it sits once in each seat, with three of the same bot in the others: five-line players such as students write,
or `greedy`, the library's own. Printed are its share of all points, with the 95 % interval by bootstrap over the deals, and
the time that the whole program takes for one move.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import Final

import numpy as np

import ludoteca
from ludoteca.agents.agent import GreedyAgent
from ludoteca.core.bits import size
from ludoteca.core.game import Game, State
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.text import jogador as jogador_program

RESAMPLES: Final = 4000
PLAYERS: Final = 4

Player = Callable[[State], int]
Taste = Callable[[int], tuple[int, ...]]

LOWEST: Final[Taste] = lambda play: (-cards.highest(play), size(play))  # noqa: E731  # a table of tastes
TASTES: Final[dict[str, tuple[Taste, Taste]]] = {
    "long": (lambda play: (size(play), -cards.highest(play)), LOWEST),
    "low": (LOWEST, LOWEST),
    "high": (lambda play: (size(play), cards.highest(play)), LOWEST),
}
"""What a bot likes best when it leads, and when it answers, which it does whenever it can."""


@cache
def game() -> Game:
    return ludoteca.load("cartas", compiled=True)


def jogador(seconds: float, state: State) -> int:
    """The document's player: it is told its hand and the plays so far."""
    hand = int(state.view(state.current_player()).raw["hands"][state.current_player()])
    return jogador_program.choose(hand, state.history(), seconds)


def student(name: str, state: State) -> int:
    """One of the five-line players."""
    leads, answers = TASTES[name]
    plays = [play for play in state.legal_actions() if play]
    return max(plays, key=answers if int(state.position.array[0]["play"]) else leads, default=0)


def bot(name: str) -> Player:
    if name != "greedy":
        return partial(student, name)
    agent = GreedyAgent(game(), 0)
    return lambda state: agent.choose(state.information_state(state.current_player())).action


def play_deal(name: str, seconds: float, seed: int) -> tuple[int, int]:
    """Its points in a deal, from every seat, and those of all."""
    own = everybody = 0
    other = bot(name)
    for seat in range(PLAYERS):
        state = game().new_initial_state(seed)
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(jogador(seconds, state) if mine else other(state))
        own += state.scores()[seat]
        everybody += sum(state.scores())
    return own, everybody


def share(deals: list[tuple[int, int]]) -> str:
    """The share of the points, with its interval."""
    found = np.array(deals, np.float64)
    drawn = found[np.random.default_rng(0).integers(0, len(found), (RESAMPLES, len(found)))].sum(axis=1)
    low, high = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
    own, everybody = found.sum(axis=0)
    return f"{own / everybody:.3f} of the points ({low:.3f} to {high:.3f}, {len(found)} deals, each from four seats)"


def positions(n: int, seed: int) -> list[str]:
    """What the program is given at random moments of games between random players."""
    found: list[str] = []
    while len(found) < n:
        state, rng = game().new_initial_state(seed + len(found)), np.random.default_rng(seed + len(found))
        for _ in range(int(rng.integers(0, 24))):
            if not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
        if not state.is_terminal():
            hand = int(state.position.array[0]["hands"][state.current_player()])
            found.append("".join(f"{cards.write(play) or cards.PASSO}\n" for play in (hand, *state.history())))
        else:
            seed += 1
    return found


def time_starts(n: int, seed: int) -> str:
    taken = []
    for text in positions(n, seed):
        begin = time.perf_counter()
        command = [sys.executable, "-m", "ludoteca", "console", "cartas", "jogador"]
        subprocess.run(command, input=text.encode(), check=True, capture_output=True)
        taken.append(time.perf_counter() - begin)
    middle, late, last = np.percentile(taken, [50, 99, 100])
    return f"a move takes {middle:.3f} s (99 %: {late:.3f} s, at most {last:.3f} s; {n} whole processes, one at a time)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="*", default=[*TASTES, "greedy"], metavar="BOT")
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=jogador_program.SECONDS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--starts", type=int, default=100)
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.processes) as pool:
        for name in chosen.bots if chosen.deals else ():
            seeds = range(chosen.seed, chosen.seed + chosen.deals)
            deals = list(pool.map(partial(play_deal, name, chosen.seconds), seeds))
            print(f"jogador among three {name}: {share(deals)}", flush=True)
    if chosen.starts:
        print(time_starts(chosen.starts, chosen.seed), flush=True)


if __name__ == "__main__":
    main()
