"""AlphaZero (Silver and others, 2018, arXiv:1712.01815) on Okupació 6 x 6, with PyTorch on a processor or a graphics card.

    pip install 'ludoteca[learn]'
    python examples/learning/alphazero.py --minutes 15

Many games are played at once, and a tree is searched for each of them. The nodes of all trees are rows of one batch: a new
node is a copy of its parent's row, in which an action is played. The network sees all new leaves together. It learns to
predict the visits of the searches and the results of the games, from positions that are turned and reflected at random.
"""

from argparse import ArgumentParser
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import ludoteca
from ludoteca.agents.agent import Agent, new_agent
from ludoteca.core.contract import Floats, Integers
from ludoteca.envs.batch import Batch
from ludoteca.envs.buffers import Array

GAMES, SIMULATIONS = 128, 32
"""Games at once, and simulations for a move. A match against an agent has twice as many."""
EXPLORE, NOISE, NOISE_SHARE, WARM = 1.5, 0.5, 0.25, 8
"""PUCT's constant, the noise at the root and its share, and the number of moves that are drawn by visits in each game."""
KEPT, MINIBATCH, UPDATES, LEARNING_RATE = 60_000, 512, 1, 2e-3
"""Positions in memory, positions in a minibatch, minibatches after each move of all games."""
WIDTH, BLOCKS, TRIALS = 32, 3, 50

GAME = ludoteca.load("okupacio", players=2, board="6x6", compiled=True)
LAYOUT, SYMMETRIES = GAME.features.layout, ludoteca.symmetries(GAME)
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
SPENT = defaultdict[str, float](float)
"""Seconds by what they were spent on."""


@contextmanager
def spending(on: str) -> Iterator[None]:
    """Add the time of the block to SPENT."""
    began = perf_counter()
    yield
    SPENT[on] += perf_counter() - began


class Network(nn.Module):
    """From planes and numbers to preferences for actions, (games, actions), and values for the mover, -1 to 1, (games,)."""

    def __init__(self) -> None:
        super().__init__()
        inputs = LAYOUT.shape[0] + len(LAYOUT.numbers)
        self.see = nn.Sequential(nn.Conv2d(inputs, WIDTH, 3, padding=1), nn.BatchNorm2d(WIDTH), nn.ReLU())
        self.think = nn.ModuleList(
            nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.BatchNorm2d(WIDTH), nn.ReLU()) for _ in range(BLOCKS)
        )
        self.act = nn.Conv2d(WIDTH, 1, 1)  # one preference for each cell, as actions are numbered
        self.judge = nn.Sequential(nn.Conv2d(WIDTH, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * LAYOUT.actions, 1))

    def forward(self, planes: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor]:
        everywhere = numbers[:, :, None, None].expand(-1, -1, LAYOUT.rows, LAYOUT.columns)
        hidden = self.see(torch.cat([planes.float(), everywhere], 1))
        for block in self.think:
            hidden = hidden + block(hidden)
        return self.act(hidden).flatten(1), torch.tanh(self.judge(hidden)).squeeze(1)


def tensor(array: Array) -> Tensor:
    return torch.from_numpy(array).to(DEVICE)


def judged(network: Network, planes: Array, numbers: Array, masks: Array) -> tuple[Floats, Floats]:
    """Return the network's policy over legal actions, and its values for the movers."""
    with spending("network"), torch.inference_mode():
        preferences, values = network(tensor(planes), tensor(numbers))
        policy = preferences.masked_fill(tensor(masks) == 0, -1e9).softmax(1)
        return policy.cpu().numpy(), values.cpu().numpy()


class Trees:
    """A tree for each game. Node k of the tree of game g is row g * nodes + k of a batch. Its root is node 0."""

    def __init__(self, games: int, simulations: int) -> None:
        self.games, self.nodes = np.arange(games), simulations + 1
        self.batch = Batch(GAME, games * self.nodes, auto_reset=False)
        self.batch.reset(0)

    def search(self, network: Network, games: Batch, noise: np.random.Generator | None = None) -> Integers:
        """Return how often each action was tried in the searches of these games, (games, actions)."""
        shape, seen = (len(self.games), self.nodes, LAYOUT.actions), games.buffers
        self.child = np.zeros(shape, np.int64)  # 0: not tried yet
        self.visits, self.worth = np.zeros(shape, np.int64), np.zeros(shape, np.float32)  # the worth is the mover's
        self.prior, self.mover = np.zeros(shape, np.float32), np.zeros(shape[:2], np.int64)
        with spending("copies"):
            self.batch.copy_rows(self.games, self.games * self.nodes, of=games)
        self.prior[:, 0], _ = judged(network, seen.planes, seen.numbers, seen.masks)
        self.mover[:, 0] = seen.movers
        if noise:
            drawn = noise.gamma(NOISE, size=self.prior[:, 0].shape) * seen.masks
            self.prior[:, 0] += NOISE_SHARE * (drawn / drawn.sum(1, keepdims=True).clip(1e-9) - self.prior[:, 0])
        self.legal, self.over = np.zeros(shape, np.uint8), np.zeros(shape[:2], np.bool_)
        self.legal[:, 0], self.over[:, 0] = seen.masks, seen.movers < 0
        self.result = np.zeros(shape[:2], np.float32)
        for node in range(1, self.nodes):
            self.simulate(network, node)
        visits: Integers = self.visits[:, 0]
        return visits

    def simulate(self, network: Network, new: int) -> None:
        """Walk down each tree, add a node where the walk leaves it, and tell all nodes on the way its value."""
        with spending("trees"):
            at, path, walking = np.zeros(len(self.games), np.int64), [], ~self.over[:, 0]
            leaving = np.zeros(len(self.games), np.int64)
            while walking.any():
                g = self.games[walking]
                action = self.best(g, at[g])
                path.append((g, at[g], action))
                following = self.child[g, at[g], action]
                leaving[g], walking = action, walking.copy()
                walking[g] = (following > 0) & ~self.over[g, following]
                at[g[following > 0]] = following[following > 0]
            grows = self.games[~self.over[self.games, at]]
        parents, rows = grows * self.nodes + at[grows], grows * self.nodes + new
        with spending("copies"):
            self.batch.copy_rows(parents, rows)
        with spending("rules"):
            seen = self.batch.step(leaving[grows], rows)
        with spending("copies"):
            planes, numbers, masks = seen.planes[rows], seen.numbers[rows], seen.masks[rows]
        policy, values = judged(network, planes, numbers, masks)
        with spending("trees"):
            self.child[grows, at[grows], leaving[grows]] = new
            at[grows] = new
            over, movers = seen.terminated[rows], seen.movers[rows]
            self.prior[grows, new], self.mover[grows, new], self.legal[grows, new] = policy, movers, masks
            self.over[grows, new] = over
            for_first = np.where(over, 2 * seen.rewards[rows, 0] - 1, np.where(movers == 0, values, -values))
            self.result[grows, new] = for_first
            for g, node, action in path:
                self.visits[g, node, action] += 1
                value = self.result[g, at[g]]
                self.worth[g, node, action] += np.where(self.mover[g, node] == 0, value, -value)

    def best(self, g: Integers, node: Integers) -> Integers:
        """Return the action of each node with the highest upper bound by PUCT."""
        visits, prior = self.visits[g, node], self.prior[g, node]
        mean = self.worth[g, node] / np.maximum(visits, 1)
        bound = mean + EXPLORE * prior * np.sqrt(visits.sum(1, keepdims=True) + 1) / (1 + visits)
        chosen: Integers = np.where(self.legal[g, node], bound, -np.inf).argmax(1)
        return chosen


def learn(
    network: Network, optimizer: torch.optim.Optimizer, memory: "deque[tuple[Any, ...]]", random: np.random.Generator
) -> None:
    """Train the network with minibatches of the memory, each turned or reflected in one way."""
    network.train()
    for _ in range(UPDATES):
        chosen = [memory[i] for i in random.integers(len(memory), size=MINIBATCH)]
        planes, numbers, policy, results = (np.stack(column) for column in zip(*chosen, strict=True))
        symmetry = SYMMETRIES[int(random.integers(len(SYMMETRIES)))]
        planes, policy = symmetry.planes_of(planes), symmetry.actions_of(policy)
        preferences, values = network(tensor(planes), tensor(numbers))
        loss = cross_entropy(preferences, tensor(policy)) + (values - tensor(results)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    network.eval()


def won_against(network: Network, name: str, seat: int) -> float:
    """Return the games won of TRIALS from a seat. Two random moves open each game, the same in both seats."""
    batch, trees = Batch(GAME, TRIALS, auto_reset=False), Trees(TRIALS, 2 * SIMULATIONS)
    agents: list[Agent] = [new_agent(name, GAME, seed) for seed in range(TRIALS)]
    batch.reset(2)
    for _ in range(2):
        batch.step(batch.sample())
    while (going := np.flatnonzero(~batch.buffers.terminated)).size:
        numbers = np.zeros(TRIALS, np.int64)
        if (batch.buffers.movers[going] == seat).all():  # players take turns, so all games are at the same turn
            numbers = trees.search(network, batch).argmax(1)
        else:
            for i in going.tolist():
                state = batch.state(i)
                numbers[i] = state.encode_action(agents[i].choose(state.information_state(1 - seat)).action)
        batch.step(numbers[going], going)
    return float(batch.buffers.rewards[:, seat].sum())


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    random, network = np.random.default_rng(1), Network().to(DEVICE).eval()
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE, weight_decay=1e-4)
    games, trees = Batch(GAME, GAMES, auto_reset=True), Trees(GAMES, SIMULATIONS)
    seen, began = games.reset(1), perf_counter()
    memory: deque[tuple[Any, ...]] = deque(maxlen=KEPT)
    played: list[list[tuple[Array, Array, Array, int]]] = [[] for _ in range(GAMES)]
    for moves in count(GAMES, GAMES):
        visits = trees.search(network, games, random)
        policy = (visits / visits.sum(1, keepdims=True)).astype(np.float32)
        for i in range(GAMES):
            played[i].append((seen.planes[i].copy(), seen.numbers[i].copy(), policy[i], int(seen.movers[i])))
        warm = np.array([len(game) <= WARM for game in played])
        drawn = (policy.cumsum(1) > random.random((GAMES, 1)) * 0.999999).argmax(1)
        with spending("rules"):
            seen = games.step(np.where(warm, drawn, visits.argmax(1)))
        for i in np.flatnonzero(seen.terminated).tolist():
            for planes, numbers, chosen, mover in played[i]:
                memory.append((planes, numbers, chosen, 2 * seen.rewards[i, mover] - 1))
            played[i] = []
        if len(memory) >= 4 * MINIBATCH:
            with spending("learning"):
                learn(network, optimizer, memory, random)
        spent = perf_counter() - began
        if moves // GAMES % 50 == 0 or spent > 60 * options.minutes:
            shares = ", ".join(f"{what} {100 * took / spent:.0f} %" for what, took in sorted(SPENT.items()))
            rates = f"{moves / spent:.0f} trained moves a second, {moves / process_time():.0f} a second of processor time"
            print(f"{spent:.0f} s: {moves} moves, {rates} ({shares})", flush=True)
        if spent > 60 * options.minutes:
            break
    won = [won_against(network, "greedy", seat) for seat in range(2)]
    print(f"won {sum(won):g} of {2 * TRIALS} games against greedy: {won[0]:g} moving first, {won[1]:g} second")


if __name__ == "__main__":
    main()
