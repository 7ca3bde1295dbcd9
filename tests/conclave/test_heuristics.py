"""The heuristics of Conclave: positions with a clearly best action, and a slow version of the values."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

import ludoteca
from ludoteca.core import hints
from ludoteca.core.contract import BY_RESULTS
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.deck import MAGICS, NOTHING, sum_of
from ludoteca.games.conclave.play import heuristics
from tests.conclave.test_rules import at


def looks(state: State) -> dict[int, int]:
    """Return the value of each action for the mover."""
    actions = np.array(state.legal_actions(), np.int64)
    values = np.zeros(len(actions), np.int64)
    state.game.bind(hints, heuristics).value_actions(state.position.array, actions, len(actions), values)
    return dict(zip(actions.tolist(), values.tolist(), strict=True))


def best(state: State) -> list[str]:
    """Return the actions with the highest value."""
    values = looks(state)
    return sorted(state.action_to_string(action) for action, value in values.items() if value == max(values.values()))


CATCH = "b1c,b2c,b3c,b4c/o1c,r4g,-,o2c/o3c,-,-,o4c/r1c,r2c,p3c,r4c"
"""In the second row, a card of influence 3 or more wins the cards of its magic or brotherhood."""


def test_followers_of_a_magic_that_one_has_look_good() -> None:
    state = at(CATCH, "r5s,t1c,t2c,t3c/v1c,v2c,v3c,v5c", "r3s/-")
    values = looks(state)
    assert values[state.string_to_action("0:12")] > values[state.string_to_action("0:22")]  # without followers


def test_followers_of_a_magic_that_is_lost_look_bad() -> None:
    state = at(CATCH, "r5s,t1c,t2c,t3c/v1c,v2c,v3c,v5c", "-/r1s,r2s,r3s,r4s", "o1s,o2s", "t1s,t2s")
    values = looks(state)
    assert values[state.string_to_action("0:12")] < values[state.string_to_action("0:22")]


def test_one_leaves_a_magic_that_is_lost_in_its_pile() -> None:
    state = at(hands="-,t1c,t2c,t3c/v1c,v2c,v3c,v5c", followers="-/o5c,o5g,o4g", mover="1:draw")
    assert best(state) == ["d"]


def test_keeping_followers_that_promise_something_is_best_and_obvious() -> None:
    state = at(followers="b1g/-", mover="1:cede")
    obvious = [action for action in state.legal_actions() if heuristics.is_obvious(state.raw, action)]
    assert (best(state), obvious) == (["keep"], [rules.KEEP])


@pytest.mark.parametrize("left", [0, 38])
def test_what_is_promised_to_me_is_denied_to_them(left: int) -> None:
    for mine in range(0, 30, 5):
        for others in range(0, 30, 3):
            assert heuristics.prospect(mine, others, left) == pytest.approx(-heuristics.prospect(others, mine, left))


def games(number: int) -> Iterator[State]:
    """Yield positions of random games."""
    for seed in range(number):
        state, rng = ludoteca.load("conclave", players=2 + seed % 3).new_initial_state(seed), new_rng(seed)
        while not state.is_terminal():
            yield state
            state.apply_action(state.random_action(rng))


def influences(state: State, player: int) -> list[tuple[int, int]]:
    """Return for each magic a player's influence and that of the strongest opponent."""
    sums = np.array([sum_of(int(faces)) for faces in state.raw.followers]).reshape(-1, 8)[:, :MAGICS]
    return list(zip(sums[player].tolist(), np.delete(sums, player, 0).max(0).tolist(), strict=True))


def promised(state: State, followers: list[tuple[int, int]]) -> int:
    left = sum(int(card) != NOTHING for card in state.raw.deck)
    return int(sum(heuristics.PROSPECTS[left >> heuristics.STAGE_BITS, mine, others] for mine, others in followers))


def slow_look(state: State, action: int) -> int:
    """Return the gain after the action, less the value of the card as a follower."""
    mover, left = state.current_player(), sum(int(card) != NOTHING for card in state.raw.deck)
    followers = influences(state, mover)
    now = promised(state, followers)
    after = state.child(action)
    if action >= rules.CEDE:
        return promised(state, influences(after, mover)) - now - heuristics.LEAST_GAIN
    card = int(state.raw.hands[rules.HAND * mover + action // 16])
    mine, others = followers[card // 16]
    followers[card // 16] = mine + card % 16 % 5 + 1, others
    kept = heuristics.KEPT_WEIGHT * (promised(state, followers) - now) // (8 + left)
    return promised(state, influences(after, mover)) - now - kept


def test_looks_are_those_of_playing_and_seeing() -> None:
    tried = 0
    for state in islice(games(3), 0, None, 3):
        before = state.content()
        values = looks(state)
        assert state.content() == before
        for action, value in values.items():
            if action < rules.DRAW and action != rules.KEEP and not state.child(action).is_terminal():
                assert value == slow_look(state, action), state.action_to_string(action)
                tried += 1
    assert tried > 300


def test_playouts_seldom_cede() -> None:
    state = at(followers="b1g,o5g,p1s/-", mover="1:cede")
    rng, binding = new_rng(1), state.game.bind(hints, heuristics)
    kept = [binding.choose_by_policy(state.position.array, rng) == rules.KEEP for _ in range(2000)]
    seldom = (1 - 1 / 4) / heuristics.CEDES_ONCE_IN  # three cessions and keeping are equally likely then
    assert 2000 - sum(kept) == pytest.approx(2000 * seldom, rel=0.2)


def test_several_opponents_play_what_looks_best_on_their_hands() -> None:
    chosen = set[int]()
    for state in games(3):
        before, rng = state.content(), new_rng(len(chosen))
        action = state.game.bind(hints, heuristics).choose_for_opponent(state.position.array, rng)
        assert state.content() == before
        if state.game.num_players() == 2:
            assert action == BY_RESULTS
        else:
            assert state.action_to_string(action) in best(state)
            chosen.add(action)
    assert {rules.KEEP, rules.DRAW, rules.DRAW + 1} < chosen


def test_what_looks_best_beats_chance() -> None:
    game, wins = ludoteca.load("conclave", players=2), 0
    for seed in range(8):
        state, rng = game.new_initial_state(seed), new_rng(seed)
        while not state.is_terminal():
            values = looks(state) if state.current_player() == seed % 2 else {}
            state.apply_action(max(values, key=values.__getitem__) if values else state.random_action(rng))
        wins += seed % 2 in state.winners()
    assert wins >= 7
