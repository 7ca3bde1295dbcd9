"""The rules against the oracle: all plays of random hands, whole random games, and the two ways of listing plays."""

from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

import ludoteca
from ludoteca.core.bits import size
from ludoteca.core.contract import Integers
from ludoteca.core.rng import new_rng
from ludoteca.core.tables import struct_dtype
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.combinations import DECK, SUITS, answers, groups, shape_of, windows
from tests.cartas import oracle


def to_oracle(cards: int) -> oracle.Cards:
    return frozenset((card // 4 + 1, card % 4) for card in range(56) if cards >> card & 1)


def to_bits(cards: oracle.Cards) -> int:
    return sum(1 << (4 * (value - 1) + suit) for value, suit in cards)


def plain(hand: int, play: int) -> list[int]:
    """All plays as the document's programs list them, each once."""
    return [
        sum(some << (low + SUITS * i) for i, some in enumerate(suits))
        for group in groups(play)
        for low, choices in windows(hand, group)
        for suits in product(*choices)
    ]


def listed(hand: int, play: int) -> list[int]:
    """All plays as the rules list them, passing left out."""
    state = np.zeros(1, struct_dtype(rules.STATE))[0]
    state.hands[0] = hand
    state.sizes[0] = size(hand)
    rules.set_play(state, play)
    out: Integers = np.zeros(4000, np.int64)
    found: list[int] = out[: rules.legal_actions(state, out)].tolist()
    assert found[0] == 0
    return found[1:]


def some_hand(random: Random, size: int, low: int = 1, high: int = 14) -> oracle.Cards:
    cards = [(value, suit) for value in range(low, high + 1) for suit in range(4)]
    return frozenset(random.sample(cards, min(size, len(cards))))


def some_play(random: Random) -> oracle.Cards:
    """A combination, often of kings."""
    if random.random() < 0.3:
        return frozenset((14, suit) for suit in random.sample(range(4), random.randrange(1, 5)))
    return random.choice(sorted(oracle.plays(some_hand(random, 9, 1, random.choice((5, 6, 14))), None), key=sorted))


@pytest.mark.parametrize("seed", range(12))
def test_plays_are_those_found_by_trying_all_subsets(seed: int) -> None:
    random = Random(seed)
    low = random.randrange(1, 11)
    hand = some_hand(random, random.randrange(1, 13), low, min(low + random.randrange(2, 14), 14))
    for last in (None, some_play(random), some_play(random)):
        expected = sorted(map(to_bits, oracle.plays(hand, last)))
        play = to_bits(last) if last else 0
        assert sorted(plain(to_bits(hand), play)) == expected
        assert sorted(listed(to_bits(hand), play)) == expected


@pytest.mark.parametrize("seed", range(4))
def test_single_answers_are_judged_alike(seed: int) -> None:
    random = Random(seed)
    for cards, last in product([some_play(random) for _ in range(10)], repeat=2):
        assert answers(to_bits(cards), to_bits(last)) == oracle.may_follow(cards, last)


@pytest.mark.parametrize("seed", range(5))
def test_kinds_are_those_of_the_definition(seed: int) -> None:
    random = Random(seed)
    for _ in range(100):
        low = random.randrange(1, 15)
        cards = some_hand(random, random.randrange(1, 9), low, min(low + random.randrange(6), 14))
        assert (shape_of(to_bits(cards)) != 0) == (oracle.kind(cards) is not None)


@cache
def low_plays() -> list[int]:
    """All plays of the six lowest values."""
    return plain(DECK & 0xFFFFFF, 0)


@pytest.mark.parametrize("seed", range(4))
def test_long_hands_are_listed_alike_by_rules_and_programs(seed: int) -> None:
    """“Once for the compiler, once for the programs”: exhaustively the same, for every combination to answer."""
    random = Random(seed)
    hand = to_bits(some_hand(random, 14))
    for play in [0, *random.sample(low_plays(), 40), *(15 >> n << 52 for n in range(4))]:
        found = plain(hand, play)
        assert len(found) == len(set(found))
        assert sorted(listed(hand, play)) == sorted(found)


@pytest.mark.parametrize("games", [20, pytest.param(500, marks=pytest.mark.soak)])
def test_many_random_games_end_as_in_the_oracle(games: int) -> None:
    """Void games, winners and points: the oracle receives only the plays."""
    game = ludoteca.load("cartas")
    ends = set()
    for seed in range(games):
        state, rng = game.new_initial_state(seed), new_rng(seed)
        other = oracle.Game([to_oracle(int(hand)) for hand in state.raw.hands])
        while not state.is_terminal():
            assert state.current_player() == other.mover()
            action = state.random_action(rng)
            assert not action or (oracle.kind(to_oracle(action)) if other.last() is None else True)
            state.apply_action(action)
            other.play(to_oracle(action))
        assert other.mover() is None
        expected = [0] * 4 if other.passes() == 4 else other.scores()
        assert state.scores() == expected
        assert state.returns() == [float(points) for points in expected]
        assert state.winners() == [player for player in range(4) if expected[player]]
        ends.add(other.passes() == 4)
    assert ends == {True, False}
