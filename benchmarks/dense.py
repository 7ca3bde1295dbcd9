"""Compare greedy players that have only the learners' numbered actions with greedy players that have all actions.

Each deal is played once without numbers, and once for each seat that has only numbered actions. The standard error is that
over batches of deals. Further options are parameters of the game, such as `--players 4`.

Figures: docs/features/cartas.md#actions-737, docs/features/qinto.md#actions-1451
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from math import sqrt
from typing import Final

import numpy as np

import ludoteca
from benchmarks import numbered
from ludoteca.core.rng import new_rng

BATCHES: Final = 100


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--deals", type=int, default=20_000, help="a multiple of 100 (20000)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    options, others = parser.parse_known_args(arguments)
    parameters = {name.removeprefix("--"): value for name, value in zip(others[::2], others[1::2], strict=True)}
    game = ludoteca.load(options.game, compiled=True, **parameters)
    heuristics = game.spec.module("heuristics")
    bound = game.bind(numbered, policy=heuristics, values=heuristics, features=game.features.module)
    players, states, rng = game.num_players(), game.new_array(), new_rng(options.seed)
    actions, values = (np.zeros(max(int(game.rules.MAX_LEGAL), players), np.int64) for _ in range(2))
    counts, totals = np.zeros(5, np.int64), np.zeros((2, BATCHES))
    for batch in range(BATCHES):
        dealt = game.new_array(options.deals // BATCHES)
        for deal in range(len(dealt)):
            position = game.prepared.copy()
            position.deal(rng)
            dealt[deal] = position.array[0]
        for seat in range(-1, players):
            points = np.zeros(players, np.int64)
            bound.play_greedily(dealt, states, seat, rng, actions, values, points, counts)
            totals[int(seat >= 0), batch] += points.sum() if seat < 0 else points[seat]
    free, held = totals / (options.deals // BATCHES) / players
    loss = free - held
    positions, legal, without, shared, missed = counts.tolist()
    error = loss.std(ddof=1) / sqrt(BATCHES)
    print(f"{positions:,} positions with {legal / positions:.1f} legal actions each")
    print(f"{without / legal:.2%} of the actions have no number, {shared / legal:.2%} share the number of another action")
    print(f"in {missed / positions:.2%} of the positions no numbered action is as good as the best action")
    print(f"points of a seat: {free.mean():.4f} with all actions, {held.mean():.4f} with numbered actions")
    print(f"difference: {loss.mean():.4f}, standard error {error:.4f}")
