"""Measure the share of the points that the document's player of cartas takes from simple players.

In each deal `ludoteca console cartas jogador` plays once in each seat, among three copies of the same bot. Three bots have
five lines, as students write them. `greedy` is the library's agent.

Figures: docs/strength.md#the-documents-player-of-cartas
"""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import Final

import ludoteca
from benchmarks.measuring import print_header, print_row, share_bounds
from ludoteca.agents.agent import GreedyAgent
from ludoteca.core.bits import size
from ludoteca.core.game import Game, State
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.text import jogador

FIRST_SEED: Final = 1_000_000

Player = Callable[[State], int]
Taste = Callable[[int], tuple[int, ...]]

LOWEST: Final[Taste] = lambda play: (-cards.highest(play), size(play))  # noqa: E731  # a table of tastes
TASTES: Final[dict[str, Taste]] = {
    "long": lambda play: (size(play), -cards.highest(play)),
    "low": LOWEST,
    "high": lambda play: (size(play), cards.highest(play)),
}
"""The order in which a bot prefers plays when it leads. It answers with the lowest play whenever it can."""


@cache
def cartas() -> Game:
    return ludoteca.load("cartas", compiled=True)


def bot(name: str) -> Player:
    """Return the bot of this name."""
    if name == "greedy":
        agent = GreedyAgent(cartas(), 0)
        return lambda state: agent.choose(state.information_state(state.current_player())).action

    def choose(state: State) -> int:
        plays = [play for play in state.legal_actions() if play]
        return max(plays, key=LOWEST if int(state.position.array[0]["play"]) else TASTES[name], default=0)

    return choose


def play_deal(name: str, seconds: float, seed: int) -> tuple[int, int]:
    """Play a deal once from each seat. Return the points of the document's player and those of all four."""
    own = everybody = 0
    other = bot(name)
    for seat in range(cartas().num_players()):
        state = cartas().new_initial_state(seed)
        while not state.is_terminal():
            if state.current_player() == seat:
                hand = int(state.view(seat).raw["hands"][seat])
                state.apply_action(jogador.choose(hand, state.history(), seconds))
            else:
                state.apply_action(other(state))
        own += state.scores()[seat]
        everybody += sum(state.scores())
    return own, everybody


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("bots", nargs="*", metavar="BOT", default=[*TASTES, "greedy"], help=", ".join([*TASTES, "greedy"]))
    parser.add_argument("--deals", type=int, default=40, help="(40)")
    parser.add_argument("--seconds", type=float, default=jogador.SECONDS, help="time for a move")
    parser.add_argument("--processes", type=int, default=2, help="(2)")
    options = parser.parse_args(arguments)
    print_header("among three", "share of the points, %", "interval", "deals")
    with ProcessPoolExecutor(options.processes) as pool:
        for name in options.bots:
            seeds = range(FIRST_SEED, FIRST_SEED + options.deals)
            own, everybody = zip(*pool.map(partial(play_deal, name, options.seconds), seeds), strict=True)
            low, high = share_bounds(own, everybody)
            print_row(name, f"{100 * sum(own) / sum(everybody):.0f}", f"{100 * low:.0f} to {100 * high:.0f}", options.deals)
