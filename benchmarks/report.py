"""Measure the size of a tournament's page of results, and the processor time to make it.

The games are random, with the usual parameters.

Figures: docs/results.md#keep-and-share-the-page
"""

import time
from argparse import ArgumentParser
from collections.abc import Sequence

from benchmarks.measuring import print_header, print_row
from ludoteca.arena.figures.ratings import results
from ludoteca.arena.figures.report import html
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng


def random_games(game: Game, number: int) -> list[Played]:
    """Return games between random players, two for each deal."""
    found, rng = [], new_rng(1)
    for at in range(number):
        state = game.new_initial_state(at // 2)
        while not state.is_terminal():
            state.apply_action(state.random_action(rng))
        returns, scores, winners = state.returns(), state.scores(), state.winners()
        seats = [
            Seat(
                bot=f"bot {(seat + at) % 2}",
                points=returns[seat],
                score=scores[seat],
                won=(seat in winners) / max(1, len(winners)),
                seconds=0.0,
            )
            for seat in range(game.num_players())
        ]
        found.append(Played(key=f"{at:05}", deal=f"{at // 2:05}", record=state.to_record(), seats=seats, seconds=0.0))
    return found


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("--games", type=int, default=50, help="games on each page (50)")
    number = parser.parse_args(arguments).games
    print_header(f"{number} games of", "moves a game", "MB", "seconds", "kB a game")
    for spec in registry.registered_games():
        games = random_games(Game(spec), number)
        begin = time.process_time()
        size = len(html(results(games), games, spec.title, {}).encode())
        seconds, moves = time.process_time() - begin, sum(len(game.record.actions) for game in games) / number
        print_row(spec.title, f"{moves:.0f}", f"{size / 1e6:.1f}", f"{seconds:.0f}", f"{size / 1e3 / number:.1f}")
