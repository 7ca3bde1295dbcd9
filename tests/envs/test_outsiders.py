"""A game from outside, with features and nothing more, is an environment and a batch."""

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test

from kuhn import GAME as KUHN
from ludoteca.core.game import Game
from ludoteca.envs import pettingzoo
from ludoteca.envs.batch import Batch


@pytest.mark.filterwarnings(
    # PettingZoo's test knows games that observe dictionaries by their names
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
def test_a_game_from_outside_is_an_environment() -> None:
    environment = pettingzoo.raw_env(Game(KUHN), rewards="zero_sum")
    api_test(environment, num_cycles=30)
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        card = environment.observe(agent)["observation"][:3]
        assert card.sum() == 1, "a player sees one card"
        environment.step(None if environment.terminations[agent] else 1)
        if all(environment.terminations.values()):
            assert sorted(environment.rewards.values()) == [-4, 4], "what each has more than the other"
            break


def test_a_game_from_outside_is_a_batch() -> None:
    batch = Batch(Game(KUHN), 200)
    seen = batch.reset(1)
    ended = 0
    for _ in range(3):
        seen = batch.step(np.ones(200, np.int64))
        ended += int(seen.terminated.sum())
        assert (seen.rewards.sum(axis=1) == 0).all()
        assert set(np.unique(seen.rewards)) <= {-2, 0, 2}
    assert ended == 200, "two bets end a game, and the third begins the next one"
