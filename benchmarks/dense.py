"""What the learners' numbers of actions lose: greedy players who have only numbered actions, among greedy ones with all.

    python -m benchmarks.dense GAME [--deals 20000] [--seed 1] [--PARAMETER VALUE ...]

Every deal is played once with nobody held to the numbers, and once with each seat held to them. Printed are how many of the
legal actions have no number or share one, in how many positions none of the best actions could be had, and the points of a
seat in both, with the standard error of the difference (over batches of deals).
"""

import argparse
from math import sqrt
from typing import Final

import numpy as np

import ludoteca
from benchmarks import numbered
from ludoteca.core.rng import new_rng

BATCHES: Final = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen, others = parser.parse_known_args()
    parameters = {name.removeprefix("--"): value for name, value in zip(others[::2], others[1::2], strict=True)}
    game = ludoteca.load(chosen.game, compiled=True, **parameters)
    heuristics = game.spec.module("heuristics")
    bound = game.bind(numbered, policy=heuristics, values=heuristics, features=game.features.module)
    players, states, rng = game.num_players(), game.new_array(), new_rng(chosen.seed)
    actions, values = (np.zeros(max(int(game.rules.MAX_LEGAL), players), np.int64) for _ in range(2))
    counts, totals = np.zeros(5, np.int64), np.zeros((2, BATCHES))
    for batch in range(BATCHES):
        dealt = game.new_array(chosen.deals // BATCHES)
        for deal in range(len(dealt)):
            position = game.prepared.copy()
            position.deal(rng)
            dealt[deal] = position.array[0]
        for seat in range(-1, players):
            points = np.zeros(players, np.int64)
            bound.play_greedily(dealt, states, seat, rng, actions, values, points, counts)
            totals[int(seat >= 0), batch] += points.sum() if seat < 0 else points[seat]
    free, held = totals / (chosen.deals // BATCHES) / players
    loss = free - held
    met, legal, without, shared, missed = counts.tolist()
    print(f"{game.name}: {game.features.layout.actions} numbers; {met} positions with {legal / met:.1f} legal actions each")
    print(
        f"{without / legal:.2%} of the actions have no number, {shared / legal:.2%} are not the one for which theirs stands"
    )
    print(f"in {missed / met:.2%} of the positions no action as good as the best could be had")
    print(
        f"a seat takes {free.mean():.4f} points with all actions, {held.mean():.4f} with the numbered ones: "
        f"{loss.mean():.4f} fewer (standard error {loss.std(ddof=1) / sqrt(BATCHES):.4f})"
    )


if __name__ == "__main__":
    main()
