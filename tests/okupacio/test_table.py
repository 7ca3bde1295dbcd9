"""The table for compiled code agrees with `falls`."""

import pytest

from ludoteca.games.okupacio import rules

CASES = [
    (degree, mine, theirs) for degree in range(1, 5) for mine in range(degree + 1) for theirs in range(degree - mine + 1)
]


def entry(degree: int, mine: int, last: int) -> bool:
    """Return the table's entry for a cell of this degree. `last` is the owner's four bits."""
    return bool(rules._FALLS[256 * degree + 16 * (rules.START[degree] + mine) + last])


@pytest.mark.parametrize(("degree", "mine", "theirs"), CASES)
def test_the_table_says_what_the_law_says(degree: int, mine: int, theirs: int) -> None:
    assert entry(degree, mine, rules._NOBODY) == rules.falls(degree, mine, rules.FREE, 0)
    assert entry(degree, mine, rules.START[degree] + theirs) == rules.falls(degree, mine, 0, theirs)


@pytest.mark.parametrize("degree", range(1, 5))
def test_an_armys_own_cell_does_not_fall_to_it(degree: int) -> None:
    assert not any(entry(degree, mine, rules.START[degree] + mine) for mine in range(1, degree + 1))


def test_one_bit_tells_that_a_cell_may_fall() -> None:
    for degree, mine, theirs in CASES:
        near = (rules.START[degree] + mine) & rules.NEAR
        assert near or not (rules.falls(degree, mine, rules.FREE, 0) or rules.falls(degree, mine, 0, theirs))
