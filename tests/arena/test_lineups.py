"""The seats of players: each has each seat equally often."""

from collections import Counter

import pytest

from ludoteca.arena.matches.formats import alone, seatings


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (2, 5), (3, 4), (6, 2), (6, 5)])
def test_each_bot_sits_equally_often_in_every_seat(bots: int, seats: int) -> None:
    names = "abcdef"[:bots]
    games = seatings(names, seats)
    assert len(games) == len(set(games))
    assert all(len(game) == seats and len(set(game)) > 1 for game in games)
    counts = Counter((seat, name) for game in games for seat, name in enumerate(game))
    assert set(counts) == {(seat, name) for seat in range(seats) for name in names}
    assert len(set(counts.values())) == 1


def test_the_seatings_of_a_deal() -> None:
    assert seatings("ab", 2) == [("a", "b"), ("b", "a")]
    assert seatings("ab", 3) == [*alone("a", "b", 3), *alone("b", "a", 3)]
    assert alone("a", "b", 3) == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]
    assert seatings("abc", 3) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert seatings("abc", 2) == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    assert seatings("ab", 1) == [("a",), ("b",)]
