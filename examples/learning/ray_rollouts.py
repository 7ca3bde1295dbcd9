"""Masked PPO on Metro as in `ppo_metro.py`, with the games played by two workers of Ray.

    pip install 'ludoteca[learn,ray]'
    python examples/learning/ray_rollouts.py

Each worker has a separate batch. In each round it receives the network's weights, plays, and returns its moves. The learner
learns from the moves of all workers. On a cluster, `ray.init(address)` starts workers on several machines.
"""

from collections.abc import Mapping
from time import perf_counter

import ray
import torch
from torch import Tensor

from ludoteca.envs.batch import Batch
from ppo_metro import GAME, GAMES, LEARNING_RATE, LENGTH, Network, learn, play, scores, seen

WORKERS, ROUNDS = 2, 20


class Worker:
    """A player of games. Each worker has different games."""

    def __init__(self, number: int) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(number)
        self.network, self.batch = Network(), Batch(GAME, GAMES // WORKERS)
        self.now = seen(self.batch.reset(seeds=number))

    def play(self, weights: Mapping[str, Tensor]) -> list[Tensor]:
        """Load the weights, play LENGTH moves in each game, and return the columns of `ppo_metro.play`."""
        self.network.load_state_dict(weights)
        played, self.now = play(self.batch, self.network, self.now)
        return played


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    network, playing = Network(), 0.0
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    workers = [ray.remote(Worker).remote(number) for number in range(WORKERS)]
    print(f"random player: {scores('random')} points", flush=True)
    ray.get([worker.__ray_ready__.remote() for worker in workers])
    for _ in range(ROUNDS):
        began = perf_counter()
        played = ray.get([worker.play.remote(network.state_dict()) for worker in workers])
        playing += perf_counter() - began
        learn(network, optimizer, [torch.cat(column) for column in zip(*played, strict=True)])
    ray.shutdown()
    moves = ROUNDS * GAMES * LENGTH
    print(f"{WORKERS} workers played {moves / playing:.0f} moves a second")
    print(f"network, {moves} moves: {scores(network)} points")


if __name__ == "__main__":
    main()
