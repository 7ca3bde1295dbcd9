"""First weights for a game's learned value, from how games by its heuristics end: quick, and a start for `ludoteca train`.

    python -m benchmarks.greedy_value qinto variant=light --games 26000 --seed 1
    python -m benchmarks.greedy_value qinto variant=light --players 3 4 --games 7000 --seed 2

The weights are those under which the ends of four games in five are likeliest (logistic regression, L-BFGS of SciPy).
Printed is how unlikely the others are, in nats a position. With --ship they go into the game's folder, with their card.
"""

import argparse
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from ludoteca.core.contract import Floats
from ludoteca.core.game import Game, load
from ludoteca.core.rng import new_rng
from ludoteca.core.value import weights_file, write_value
from ludoteca.search.tree import UNITS

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import outcomes

NOISE: Final = 100
"""So many in 1,000 actions are those of playouts."""
ROWS: Final = 20_000
"""No game has more rows."""
SMALLNESS: Final = 3.0
"""How much weights are kept small: as if each had been seen so often without a sign."""
STEPS: Final = 60
Numbers = np.ndarray[Any, np.dtype[Any]]


class Sample(NamedTuple):
    """Positions of games with so many players, several rows each or, between two, one."""

    features: Any
    """A sparse matrix, a row for each player."""
    ends: Numbers
    """(positions, players): what each got."""
    tests: Numbers
    """(positions,): true for those that are not learned from."""


def sample(game: Game, games: int, seed: int) -> Sample:
    """Play games, and look at each turn's beginning."""
    module, players, most = game.spec.module("value"), game.num_players(), game.rules.MAX_LEGAL
    kernel, rng = game.bind(outcomes, game.spec.module("heuristics"), value=module), new_rng(seed)
    states = game.new_array(2)
    states[0] = game.prepared.array[0]
    legal, worth, active, values = (np.zeros(size, np.int64) for size in (most, most, module.ACTIVE, players))
    rows, ends = np.zeros(ROWS * module.ACTIVE, np.int64), np.zeros(ROWS, np.int64)
    parts, got, of_game = [], [], []
    for number in range(games):
        n = int(kernel.play(states, rng, NOISE, legal, worth, active, values, rows, ends))
        parts.append(rows[: n * module.ACTIVE].reshape(n, -1).astype(np.int32))
        got.append(ends[:n] / UNITS)
        of_game += [number] * n
    active_in = np.concatenate(parts)
    there = active_in >= 0
    starts = np.concatenate([[0], np.cumsum(there.sum(1))])
    features = csr_matrix((np.ones(there.sum(), np.float32), active_in[there], starts), shape=(len(there), module.FEATURES))
    each = 1 if players == 2 else players
    shares = np.concatenate(got).reshape(-1, each)
    shares = np.hstack([shares, 1 - shares]) if players == 2 else shares
    return Sample(features, shares, np.array(of_game)[::each] % 5 == 0)


def unlikeliness(weights: Numbers, part: Sample, chosen: Numbers) -> tuple[float, Numbers]:
    """The sum of the nats of chosen positions, and its gradient."""
    sums = part.features @ weights
    sums = np.stack([sums, np.zeros(len(sums))], 1) if len(sums) == len(part.ends) else sums.reshape(part.ends.shape)
    odds = np.exp(sums - sums.max(1, keepdims=True))
    chances = odds / odds.sum(1, keepdims=True)
    wrong = np.where(chosen[:, None], chances - part.ends, 0)
    wrong = wrong[:, 0] if part.features.shape[0] == len(part.ends) else wrong.reshape(-1)
    return -float((part.ends * np.log(chances + 1e-12))[chosen].sum()), part.features.T @ wrong


def learn(parts: list[Sample], size: int) -> Floats:
    """The weights that make what happened likeliest."""
    count = sum(int((~part.tests).sum()) for part in parts)

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        found = [unlikeliness(weights, part, ~part.tests) for part in parts]
        nats = sum(nats for nats, _ in found) + SMALLNESS / 2 * float(weights @ weights)
        return nats / count, (sum(slope for _, slope in found) + SMALLNESS * weights) / count

    result = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.asarray(result.x, np.float32)


def main() -> None:
    """Play, learn, say how well, and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--players", type=int, nargs="+", default=[2])
    parser.add_argument("--games", type=int, default=20_000, help="for each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ship", action="store_true")
    given = parser.parse_args()
    chosen = dict(parameter.split("=") for parameter in given.parameters)
    games = [load(given.game, compiled=True, **chosen, players=players) for players in given.players]
    parts = [sample(game, given.games, given.seed + game.num_players() - 2) for game in games]
    weights = learn(parts, games[0].spec.module("value").FEATURES)
    nats = sum(unlikeliness(weights, part, part.tests)[0] for part in parts)
    even = sum(unlikeliness(0 * weights, part, part.tests)[0] for part in parts)
    count = sum(int(part.tests.sum()) for part in parts)
    strength = f"{nats / count:.4f} nats a position of games not learned from, where even chances have {even / count:.4f}"
    print(strength)
    place = weights_file(games[0])
    if given.ship and place:
        words = ["python", "-m", "benchmarks.greedy_value", *sys.argv[1:]]
        card = {
            "command": shlex.join(words),
            "date": datetime.now(UTC).date().isoformat(),
            "games": given.games * len(games),
            "strength": strength,
        }
        write_value(place, weights, card)
        print(place)


if __name__ == "__main__":
    main()
