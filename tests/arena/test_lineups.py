"""Who sits where: everybody equally often everywhere."""

from collections import Counter

import pytest

from ludoteca.arena.matches.formats import seatings


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (2, 5), (3, 4), (6, 2), (6, 5)])
def test_each_bot_sits_equally_often_in_every_seat(bots: int, seats: int) -> None:
    names = "abcdef"[:bots]
    games = seatings(names, seats)
    assert len(games) == len(set(games))
    assert all(len(game) == seats and len(set(game)) > 1 for game in games)
    counts = Counter((seat, name) for game in games for seat, name in enumerate(game))
    assert set(counts) == {(seat, name) for seat in range(seats) for name in names}
    assert len(set(counts.values())) == 1
