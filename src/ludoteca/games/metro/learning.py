"""Learning what positions are worth in the game of one player, in minutes of one core:

    python -m ludoteca.games.metro.learning weights.npz [--seconds 120] [--seed 1]

`ludoteca train metro` learns the same as it does for every game, and looks at the whole position after every action; here
only the chains are looked at that a tile joins, so that some 3,000 games are played in a second. That file takes the place
of `weights/solo.npz` in this folder; it holds a card that says how it was made.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np

from ludoteca.core import native
from ludoteca.core.contract import Floats
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng
from ludoteca.core.value import write_value
from ludoteca.games.metro import GAME, rules, selfplay, value
from ludoteca.games.metro.rules import MAX_MOVES
from ludoteca.games.metro.value import ACTIVE, FEATURES, UNPAID

PLAN: Final = ((0.08, 0.9), (0.025, 0.9), (0.008, 0.7), (0.0025, 0.4))
"""Step and lambda, each for as much of the time."""
BATCH: Final = 500
"""Games between two looks at the clock."""


def untaught() -> Floats:
    """Weights that know only that a track which is not paid may bring a point."""
    weights = np.zeros(FEATURES, np.float32)
    weights[UNPAID : UNPAID + 3] = 16, 4, 1
    return weights


def learn(weights: Floats, seconds: float, seed: int) -> tuple[int, float]:
    """Play and learn for so many seconds of the processor; the number of games, and the mean of the last tenth or so."""
    kernel = native.bind(rules, selfplay, value=value, compiled=True)
    states = np.repeat(Game(GAME, {}).prepared.array, 2)
    active, counts = np.zeros(MAX_MOVES * ACTIVE, np.int64), np.zeros(MAX_MOVES, np.int64)
    expected, rng = np.zeros(MAX_MOVES, np.float32), new_rng(seed)
    games, mean, start = 0, 0.0, time.process_time()
    for number, (step, trace) in enumerate(PLAN, 1):
        played = total = 0
        while time.process_time() - start < seconds * number / len(PLAN):
            total += kernel.play_and_learn(states, weights, active, counts, expected, BATCH, step, trace, rng)
            played += BATCH
        games, mean = games + played, total / max(1, played)
        sys.stderr.write(f"{games:,} games, {time.process_time() - start:.0f} s, mean {mean:.1f} points\n")
    return games, mean


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ludoteca.games.metro.learning", description=__doc__)
    parser.add_argument("file", type=Path, help="where the weights go")
    parser.add_argument("--seconds", type=float, default=120.0, help="of the processor, without compiling (120)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    weights = untaught()
    games, mean = learn(weights, options.seconds, options.seed)
    card = {
        "command": f"python -m ludoteca.games.metro.learning {options.file.name} --seconds {options.seconds:g} "
        f"--seed {options.seed}",
        "date": time.strftime("%Y-%m-%d"),
        "games": games,
        "strength": f"{mean:.0f} points a game, the best place by these weights, without search, first tiles of #1 included",
    }
    write_value(options.file, weights, card)


if __name__ == "__main__":
    main()
