"""How large the page with a tournament's results is, and how long it takes: random games of every game's usual parameters.

python benchmarks/report.py [--games 200]
"""

import argparse
import time
from collections.abc import Sequence

from ludoteca.arena.figures.ratings import results
from ludoteca.arena.figures.report import html
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng


def random_games(game: Game, number: int) -> list[Played]:
    """Games between random players, two a deal."""
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="of each (200)")
    number = parser.parse_args(arguments).games
    print(f"| {number} games of | moves a game | MB | seconds | kB a game |")
    print("|---|---:|---:|---:|---:|")
    for spec in registry.games():
        games = random_games(Game(spec), number)
        begin = time.process_time()
        size = len(html(results(games), games, spec.title, {}).encode())
        seconds, moves = time.process_time() - begin, sum(len(game.record.actions) for game in games) / number
        print(f"| {spec.title} | {moves:.0f} | {size / 1e6:.1f} | {seconds:.0f} | {size / 1e3 / number:.1f} |", flush=True)


if __name__ == "__main__":
    main()
