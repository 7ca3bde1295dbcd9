"""The playout policy that games share."""

from collections.abc import Iterator

import pytest

from ludoteca.core.choices import best_of_random
from ludoteca.core.contract import RawPosition, Words
from ludoteca.core.rng import new_rng


@pytest.mark.parametrize(("tries", "best"), [(1, 3), (3, -5), (5, 8)])
def test_the_best_of_so_many_random_actions_is_played_the_first_of_equals(tries: int, best: int) -> None:
    offered: Iterator[int] = iter([3, -5, 5, 8, -8])

    def random_action(state: RawPosition, rng: Words) -> int:
        assert (state, rng.size) == ("state", 4)
        return next(offered)

    def value_of(state: RawPosition, action: int) -> int:
        assert state == "state"
        return abs(action)

    assert best_of_random("state", new_rng(1), tries, random_action, value_of) == best
    assert len(list(offered)) == 5 - tries
