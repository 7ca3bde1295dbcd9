"""Tabular Q-learning (Watkins, 1989): a few seconds of Okupació 4 x 4 against the random player, with NumPy alone.

    python examples/learning/q_learning.py

A table has a value for each action in each position that occurred: the expected result, from -1 (lost) to 1 (won). Many
games are played at once. Positions that differ only by a rotation or a reflection share a row, so the table is an eighth as
large.
"""

import numpy as np

import ludoteca
from ludoteca.core.contract import Bytes, Floats, Integers
from ludoteca.envs.batch import Batch

GAMES = 256
"""Games that are played at once."""
STEPS = 3000
LEARNING_RATE = 0.3
EXPLORATION = 0.1
"""The share of actions that are drawn at random while learning."""
TRIALS = 4000
"""Games that measure the strength of a table."""

GAME = ludoteca.load("okupacio", players=2, board="4x4", compiled=True)
CELLS = GAME.features.layout.actions
"""The number of cells, and of actions: each action takes a cell."""
TURNS = np.stack([symmetry.actions for symmetry in ludoteca.symmetries(GAME)])
"""(8, CELLS): for each symmetry and each cell, the cell whose content moves there."""
WEIGHTS = 3 ** np.argsort(TURNS)
"""(8, CELLS): weights of the cells. The weighted sum of their contents is the transformed board, as a number in base 3."""


class Table:
    """The values of actions, by position."""

    def __init__(self) -> None:
        self.rows: dict[int, int] = {}
        # random values for new positions, so that a table plays at random before it learns
        self.values = np.random.default_rng(1).uniform(-0.01, 0.01, (1 << 17, CELLS)).astype(np.float32)

    def look_up(self, planes: Bytes) -> tuple[Integers, Integers]:
        """Return the row of each position, (games,), and the action for each column of that row, (games, CELLS)."""
        mine, theirs = planes[:, 0].reshape(-1, CELLS), planes[:, 1].reshape(-1, CELLS)
        codes = (mine + 2 * theirs.astype(np.int64)) @ WEIGHTS.T
        chosen = codes.argmin(axis=1)
        rows = np.array([self.rows.setdefault(code, len(self.rows)) for code in codes.min(axis=1).tolist()])
        if len(self.rows) > len(self.values):
            self.values = np.concatenate([self.values, self.values])
        return rows, TURNS[chosen]

    def read(self, rows: Integers, turns: Integers, masks: Bytes) -> Floats:
        """Return the value of each action of the games, (games, CELLS). The value of an illegal action is -inf."""
        values = np.empty(turns.shape, np.float32)
        np.put_along_axis(values, turns, self.values[rows], axis=1)
        return np.where(masks, values, -np.inf)


def learn(table: Table, steps: int) -> None:
    """Move each value towards the value of the best action in the next position, or towards the result if the game ended."""
    batch, rng, games = Batch(GAME, GAMES, seat="alternate"), np.random.default_rng(1), np.arange(GAMES)
    seen = batch.reset(seeds=1)
    rows, turns = table.look_up(seen.planes)
    for _ in range(steps):
        actions = table.read(rows, turns, seen.masks).argmax(axis=1)
        actions = np.where(rng.random(GAMES) < EXPLORATION, batch.sample(), actions)
        entry = rows, (turns == actions[:, None]).argmax(axis=1)
        seats = batch.seats
        seen = batch.step(actions)
        results = 2 * seen.rewards[games, seats] - 1
        rows, turns = table.look_up(seen.planes)
        expected = table.read(rows, turns, seen.masks).max(axis=1)
        target = np.where(seen.terminated, results, expected)
        table.values[entry] += LEARNING_RATE * (target - table.values[entry])


def shares_won(table: Table) -> tuple[float, float]:
    """Return the shares of games won against the random player: with the first move, and with the second."""
    batch = Batch(GAME, TRIALS, seat="alternate", auto_reset=False)
    seen, won = batch.reset(seeds=2), np.zeros(2)
    seats = batch.seats
    while not seen.terminated.all():
        seen = batch.step(table.read(*table.look_up(seen.planes), seen.masks).argmax(axis=1))
        np.add.at(won, seats, seen.rewards[np.arange(TRIALS), seats])
    first, second = won / np.bincount(seats)
    return float(first), float(second)


def main() -> None:
    table = Table()
    first, second = shares_won(Table())
    print(f"before: won {first:.1%} of games when moving first, {second:.1%} when second")
    learn(table, STEPS)
    print(f"learnt: {len(table.rows)} positions, from {STEPS * GAMES} actions")
    first, second = shares_won(table)
    print(f"after: won {first:.1%} of games when moving first, {second:.1%} when second: {(first + second) / 2:.1%} of all")


if __name__ == "__main__":
    main()
