"""Masked PPO on Metro with one player, with PyTorch on the processor.

    pip install 'ludoteca[learn]'
    python examples/learning/ppo_metro.py

Proximal policy optimization (Schulman and others, 2017, arXiv:1707.06347) alternates between two steps. The network first
plays some moves of many games at once. It then learns from these moves. Illegal actions have probability 0. Each move has a
reward: the points that it scored, in hundreds.
"""

from time import process_time

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import ludoteca
from ludoteca.envs.batch import Batch, Policy
from ludoteca.envs.buffers import Buffers

GAMES, LENGTH, ROUNDS = 64, 64, 20
"""The number of games at once, of moves in each game in a round, and of rounds."""
EPOCHS, MINIBATCH, CLIP, LEARNING_RATE = 4, 256, 0.2, 1e-3
DISCOUNT, TRACE, ENTROPY = 0.99, 0.95, 0.003
"""The discount of later rewards, lambda of the advantage's estimate, and the weight of the policy's entropy."""
WIDTH, TRIALS = 16, 500
"""The width of the network, and the number of games that measure its strength."""

GAME = ludoteca.load("metro", compiled=True)
LAYOUT = GAME.features.layout


class Network(nn.Module):
    """From planes and numbers to preferences, (games, actions), and values in hundreds of points, (games,)."""

    def __init__(self) -> None:
        super().__init__()
        planes, self.cells = LAYOUT.shape[0], LAYOUT.rows * LAYOUT.columns
        self.see = nn.Conv2d(planes, WIDTH, 3, padding=1)
        self.know = nn.Linear(len(LAYOUT.numbers), WIDTH)
        self.think = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.act = nn.Conv2d(WIDTH, LAYOUT.actions // self.cells, 1)  # a plane for each rotation, as actions are numbered
        self.judge = nn.Sequential(nn.Linear(WIDTH * self.cells, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))

    def forward(self, planes: Tensor, numbers: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        known = self.know(numbers)[:, :, None, None]  # the same for all cells
        hidden = torch.relu(self.see(torch.log1p(planes.float())) + known)  # some planes count tracks, up to 255
        hidden = torch.relu(self.think(hidden) + hidden)
        preferences = self.act(hidden).flatten(1).masked_fill(masks == 0, -1e9)
        return Categorical(logits=preferences, validate_args=False), self.judge(hidden.flatten(1)).squeeze(1)


def seen(buffers: Buffers) -> list[Tensor]:
    """Return copies of the inputs of the network: planes, numbers, masks."""
    return [torch.from_numpy(array.copy()) for array in (buffers.planes, buffers.numbers, buffers.masks)]


def play(batch: Batch, network: Network, now: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
    """Play LENGTH moves in each game. Return the columns for `learn`, with a row for each move, and the new inputs."""
    steps, values, rewards, going_on = list[list[Tensor]](), list[Tensor](), list[Tensor](), list[Tensor]()
    for _ in range(LENGTH):
        policy, value = network(*now)
        action, before = policy.sample(), now[1][:, 0]  # the first number is the score
        steps.append([*now, action, policy.log_prob(action).detach()])
        buffers = batch.step(action.numpy())
        now, ended = seen(buffers), torch.from_numpy(buffers.terminated.copy())
        rewards.append(torch.where(ended, torch.from_numpy(buffers.rewards[:, 0] / 100), now[1][:, 0]) - before)
        going_on.append(1.0 - ended.float())
        values.append(value.detach())
    values.append(network(*now)[1].detach())
    advantage = torch.zeros(batch.n)
    for t in reversed(range(LENGTH)):
        surprise = rewards[t] + DISCOUNT * going_on[t] * values[t + 1] - values[t]
        advantage = surprise + DISCOUNT * TRACE * going_on[t] * advantage
        steps[t] += [advantage, advantage + values[t]]
    return [torch.cat(column) for column in zip(*steps, strict=True)], now


def learn(network: Network, optimizer: torch.optim.Optimizer, played: list[Tensor]) -> None:
    """Train the network for EPOCHS epochs on the moves."""
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(played[0])).split(MINIBATCH):
            planes, numbers, masks, actions, old, advantage, returns = (column[chosen] for column in played)
            policy, value = network(planes, numbers, masks)
            ratio = (policy.log_prob(actions) - old).exp()
            gain = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = -surrogate + 0.5 * (value - returns).square().mean() - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def scores(player: Network | Policy) -> str:
    """Return the mean score of TRIALS games with its 95 % interval. The network plays the action that it prefers."""
    batch = Batch(GAME, TRIALS, auto_reset=False)
    buffers, total = batch.reset(seeds=2), np.zeros(TRIALS)
    while not buffers.terminated.all():
        actions = batch.sample(player) if isinstance(player, str) else player(*seen(buffers))[0].logits.argmax(1).numpy()
        buffers = batch.step(actions)
        total += buffers.rewards[:, 0]
    return f"{total.mean():.1f} +- {1.96 * total.std() / TRIALS**0.5:.1f}"


def main() -> None:
    torch.set_num_threads(1)  # a second thread does not help a small network, and the same seed gives the same network
    torch.manual_seed(1)
    print(f"random player: {scores('random')} points")
    print(f"heuristics: {scores('heuristics')} points")
    network, batch, began = Network(), Batch(GAME, GAMES), process_time()
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    now = seen(batch.reset(seeds=1))
    for done in range(1, ROUNDS + 1):
        played, now = play(batch, network, now)
        learn(network, optimizer, played)
        if done % 5 == 0:
            spent = process_time() - began
            print(f"network, {done * GAMES * LENGTH} moves, {spent:.0f} s: {scores(network)} points", flush=True)


if __name__ == "__main__":
    main()
