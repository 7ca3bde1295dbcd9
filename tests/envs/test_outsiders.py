"""A game from outside, with features and nothing more, is an environment and a batch."""

import numpy as np

from kuhn import GAME as KUHN
from ludoteca.core.game import Game
from ludoteca.envs.batch import Batch


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
