"""The learned policy: its plays against the rules, and its draws against the softmax of its scores."""

import math
from collections import Counter

import numpy as np
import pytest

import ludoteca
from ludoteca.core import hints
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.cartas.combinations import shape_of
from ludoteca.games.cartas.play import heuristics, policy
from ludoteca.games.cartas.rules import PASS

GAME = ludoteca.load("cartas")
DRAWS = 4000


def midway(seed: int) -> State:
    """A random position with a choice, in which no player can play all cards."""
    rng, state = new_rng(seed), GAME.new_initial_state(seed)
    for _ in range(seed % 30):
        child = state.child(state.random_action(rng))
        state = state if child.is_terminal() else child
    hand = int(state.raw["hands"][state.current_player()])
    return midway(seed + 1000) if hand in state.legal_actions() or len(state.legal_actions()) == 1 else state


def probabilities(state: State) -> dict[int, float]:
    """The plays that the policy tells apart, and the softmax of their scores."""
    out, cells = np.zeros(GAME.rules.MAX_LEGAL, np.int64), np.zeros(GAME.rules.MAX_LEGAL * policy.GROUPS, np.int64)
    n = policy.list_plays(state.raw, out, cells)
    places = list(cells[: n * policy.GROUPS].reshape(n, policy.GROUPS))
    if state.raw["play"]:
        out[n] = PASS
        places.append(cells[n * policy.GROUPS :][: policy.PASSING_GROUPS])
    odds = [math.exp(sum(policy.SCORES[some].tolist()) / policy.UNIT) for some in places]
    return {play: each / sum(odds) for play, each in zip(out.tolist(), odds, strict=False)}


@pytest.mark.parametrize("seed", range(0, 60, 10))
def test_every_shape_and_highest_value_that_may_be_played_is_one_play(seed: int) -> None:
    state = midway(seed)
    found, legal = list(probabilities(state)), [action for action in state.legal_actions() if action or state.raw["play"]]
    looks = [(shape_of(action), policy.highest(action) >> 2 if action else 0) for action in found]
    assert len(set(looks)) == len(looks)
    assert set(found) <= set(legal)
    assert {(shape_of(action), policy.highest(action) >> 2 if action else 0) for action in legal} == set(looks)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_plays_are_drawn_by_their_probabilities(seed: int) -> None:
    state, rng = midway(seed), new_rng(seed)
    fast = ludoteca.load("cartas", compiled=True).bind(hints, heuristics)
    counts = Counter(int(fast.choose_by_policy(state.position.array, rng)) for _ in range(DRAWS))
    expected = probabilities(state)
    for play, chance in expected.items():
        deviation = (DRAWS * chance * (1 - chance)) ** 0.5
        assert abs(counts[play] - DRAWS * chance) < 4 * deviation + 0.01 * DRAWS
    assert counts.keys() <= expected.keys()


def test_whoever_can_goes_out() -> None:
    state = GAME.state_from_string("3♠4♥5♦/A♠A♥/A♦2♥/A♣2♦ - 0 1")
    assert state.action_to_string(policy.choose(state.raw, new_rng(1))) == "3♠4♥5♦"
