"""The generator, interpreted and compiled, compared with a second implementation in plain integers."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core.errors import ParameterError
from ludoteca.core.rng import choose, draw, new_rng, shuffle
from ludoteca.testing import uniformity

MASK = 2**64 - 1


def next_number(s: list[int]) -> int:
    """The engine of xoshiro256 as its authors published it, and the sum of the upper halves of its outer words."""
    result = ((s[0] >> 32) + (s[3] >> 32)) % 2**32
    t = s[1] << 17 & MASK
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = (s[3] << 45 | s[3] >> 19) & MASK
    return result


@given(st.integers(0, 2**256 - 1), st.integers(1, 2**32))
def test_draw_is_the_published_engine(seed: int, n: int) -> None:
    rng = new_rng(seed)
    words = [int(word) for word in rng]
    for _ in range(20):
        assert draw(rng, n) == next_number(words) * n >> 32
    assert [int(word) for word in rng] == words


@pytest.mark.parametrize("n", [1, 3, 52])
def test_draws_are_uniform(n: int) -> None:
    rng = new_rng(1)
    assert uniformity(Counter(int(draw(rng, n)) for _ in range(100 * n)), n) < 5


@pytest.mark.parametrize("n", [2, 4])
def test_shuffles_are_uniform(n: int) -> None:
    rng, counts = new_rng(2), Counter[tuple[int, ...]]()
    for _ in range(4000):
        items = np.arange(5)
        shuffle(rng, items, n)
        assert items[n:].tolist() == [*range(n, 5)]
        counts[tuple(items[:n].tolist())] += 1
    assert counts.keys() == set(permutations(range(n)))
    assert uniformity(counts, len(counts)) < 5


@pytest.mark.parametrize(("n", "of"), [(2, 5), (4, 4)])
def test_chosen_items_are_uniform(n: int, of: int) -> None:
    rng, counts = new_rng(2), Counter[tuple[int, ...]]()
    for _ in range(6000):
        items = np.arange(6)
        choose(rng, items, n, of)
        assert sorted(items.tolist()) == [*range(6)]
        counts[tuple(items[:n].tolist())] += 1
    assert counts.keys() == set(permutations(range(of), n))
    assert uniformity(counts, len(counts)) < 5


def test_seeds_that_differ_in_one_bit_have_unlike_generators() -> None:
    seeds = [0, *(1 << bit for bit in range(256))]
    words = [new_rng(seed) for seed in seeds]
    assert len({tuple(word.tolist()) for word in words}) == len(seeds)
    for bit, word in enumerate(words[1:]):
        later = slice(bit // 64, 4)  # a word depends on the words before it
        differing = sum(int(x).bit_count() for x in word[later] ^ words[0][later])
        assert abs(differing / len(word[later]) - 32) < 20


@pytest.mark.parametrize("seed", [-1, 2**256])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ParameterError, match=r"expected a whole number from 0 to 2\^256 - 1"):
        new_rng(seed)


def test_uniformity_knows_what_is_not() -> None:
    assert uniformity({0: 500, 1: 500}, 2) < 1
    assert uniformity({0: 600, 1: 400}, 2) > 5
    assert uniformity({0: 500, 1: 500}, 3) > 5
    assert uniformity({0: 5}, 1) == 0
