"""What looks good: worked out by laying each tile and tracing, and good enough to beat chance."""

from collections.abc import Callable

import numpy as np
import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import board
from ludoteca.games.metro.board import DECLINE
from ludoteca.games.metro.paths import TracedPath, path_of
from ludoteca.games.metro.play import heuristics
from ludoteca.games.metro.play.heuristics import HOPE, LUCK, OTHERS, POINT
from ludoteca.search.leaf import TO_THE_END
from ludoteca.search.searcher import EXPAND_AT, EXPLORE, WIDEN, Settings, _shape

Choose = Callable[[State], int]


def values(state: State) -> dict[int, int]:
    legal = np.array(state.legal_actions(), np.int64)
    out = np.zeros(len(legal), np.int64)
    heuristics.action_values(state.raw, legal, len(legal), out)
    return dict(zip(legal.tolist(), out.tolist(), strict=True))


def traced_value(state: State, action: int) -> int:
    """The same straight from the paths before and after."""
    if action == DECLINE:
        return 0
    after, owners = state.child(action), board.owners(int(state.raw.side), state.game.num_players())
    value = 0
    for number, owner in enumerate(owners, 1):
        gain = gained(state, path_of(state.raw, number), path_of(after.raw, number))
        mine = owner == state.current_player()
        value += gain * (16 if mine else -OTHERS if owner < state.game.num_players() else 0)
    return value >> 4


def gained(state: State, before: TracedPath, after: TracedPath) -> int:
    if before.closed or len(before.steps) == len(after.steps):
        return 0
    gain = POINT * (len(after.steps) - len(before.steps))
    if after.closed:
        gain += POINT * len(after.steps) * after.central - LUCK * len(after.steps)
        if state.game.num_players() > 1:
            gain -= HOPE * (60 - sum(face != 0 for face in state.raw.faces.tolist()))
    return gain


@pytest.mark.parametrize("players", [1, 3])
def test_values_are_those_that_tracing_gives(players: int) -> None:
    """Games without learned weights: alone on another board, and with others."""
    side = 6 if players == 1 else 8
    state, rng = ludoteca.load("metro", players=players, side=side).new_initial_state(2), new_rng(3)
    while not state.is_terminal():
        if len(state.history()) % 20 == 5:
            assert values(state) == {action: traced_value(state, action) for action in state.legal_actions()}
        state.apply_action(state.random_action(rng))


def test_closing_in_the_centre_is_worth_more_than_outside() -> None:
    rows = "4,9R0,5/4,9R0,5/4,9R0,5/10/4,*,*,4/4,*,*,4/10/10/10/10"
    state = ludoteca.load("metro", side=10).state_from_string(f"{rows} 1 9 0123456789abcdef")
    best = max(values(state), key=lambda action: values(state)[action])
    assert state.action_to_string(best) == "5 4 R0"


def greedy(state: State) -> int:
    known = values(state)
    return max(known, key=lambda action: known[action])


def mean_score(choose: Choose, games: int, side: int = 8) -> float:
    game, total = ludoteca.load("metro", side=side, compiled=False), 0
    for seed in range(games):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(choose(state))
        total += state.scores()[0]
    return total / games


def test_playouts_are_legal_repeat_themselves_and_beat_chance() -> None:
    """Over thousands of games: 145 points at random, 270 with the learned weights."""
    one, two, chance = new_rng(1), new_rng(1), new_rng(1)

    def both(state: State) -> int:
        action = heuristics.playout_action(state.raw, one)
        assert action in state.legal_actions()
        assert len(state.history()) % 20 or heuristics.playout_action(state.raw, two) == action
        return int(action)

    assert mean_score(both, 3) > mean_score(lambda state: state.random_action(chance), 12) + 40


@pytest.mark.soak
def test_where_nothing_was_learned_playouts_take_the_best_of_a_few() -> None:
    rng, chance = new_rng(1), new_rng(1)
    playout, by_chance = (
        mean_score(choose, 8, side=10)
        for choose in (
            lambda state: int(heuristics.playout_action(state.raw, rng)),
            lambda state: int(state.random_action(chance)),
        )
    )
    assert playout > by_chance


def test_searches_cut_playouts_short_where_something_was_learned() -> None:
    alone, four = ({"players": players, "side": 8} for players in (1, 4))
    assert _shape(Settings(), heuristics, alone) == (EXPAND_AT, 0.3, 0.5, 4, 0.0)
    assert _shape(Settings(widen=2.0, cut=1), heuristics, alone) == (EXPAND_AT, 0.3, 2.0, 1, 0.0)
    assert _shape(Settings(), heuristics, four) == (EXPAND_AT, EXPLORE, WIDEN, TO_THE_END, 0.0)


def test_the_best_value_beats_chance() -> None:
    rng = new_rng(2)
    assert mean_score(greedy, 4, side=10) > mean_score(lambda state: state.random_action(rng), 4, side=10) + 10
