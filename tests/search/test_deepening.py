"""Iterative deepening against plain minimax, which looks at everything, and against play to the end."""

import math
from functools import cache
from random import Random

import numpy as np
import pytest

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.core.game import Game, State, load
from ludoteca.core.native import Binding
from ludoteca.core.tables import struct_dtype
from ludoteca.core.value import LearnedValue
from ludoteca.games.okupacio.play import value
from ludoteca.search import deepening
from ludoteca.search.deepener import applies, new_line, reductions
from ludoteca.search.deepening import CHOSEN, ENTRY, EXACT, NODES, OPTION, VALUE, WON, Line, Manner
from ludoteca.search.findings import Budget, Findings
from ludoteca.search.leaf import LOGIT, Evaluator
from ludoteca.search.searcher import Searcher, Settings

PLENTY = 10**9
NO_REDUCTIONS = np.zeros(deepening.PLACES**2, np.int64)


@cache
def game(board: str = "4x4", *, compiled: bool = True) -> Game:
    return load("okupacio", players=2, board=board, compiled=compiled)


@cache
def learned(seed: int = 1) -> LearnedValue:
    """A value of random weights."""
    shared = value.sharing()
    compact = np.random.default_rng(seed).normal(size=int(shared.max()) + 1, scale=0.3).astype(np.float16)
    compact[shared[[phase << 18 | value.WALLED << 8 for phase in range(value.PHASES)]]] = 0
    return LearnedValue(value, compact.astype(np.float32)[shared], {})


def late(one: Game, free: int, seed: int) -> State:
    random, state = Random(seed), one.new_initial_state(0)
    while len(state.legal_actions()) - 1 > free:
        state.apply_action(random.choice(state.legal_actions()[:-1]))
    return late(one, free, seed + 1000) if state.is_terminal() else state


def minimax(state: State, depth: int, weights: Floats) -> int:
    """The value for the player to move, who looks this many actions ahead, as the player before sees it at the horizon."""
    player, best = state.current_player(), -WON
    for action in state.legal_actions()[:-1]:
        after = state.child(action)
        if after.is_terminal():
            worth = WON if after.returns()[player] == 1 else -WON
        elif depth == 1:
            worth = -ceiled(after.raw, 1 - player, weights)
        else:
            worth = -minimax(after, depth - 1, weights)
        best = max(best, worth)
    return best


def ceiled(raw: RawPosition, player: int, weights: Floats) -> int:
    """The sum, rounded like the negated sum."""
    active = np.zeros(value.ACTIVE, np.int64)
    total = float(weights[active[: value.active_features(raw, player, active)]].sum(dtype=np.float64))
    return -math.floor(LOGIT * float(np.float32(-total)) + 0.5)


def searched(state: State, depth: int, manner: Manner, entries: int, line: Line | None = None) -> dict[int, tuple[int, int]]:
    """The value and the bound of each action that was searched to that depth, by the kernel itself."""
    one = state.game
    kernel: Binding = one.bind(deepening, value=value)
    line, table = line or new_line(one), np.zeros(entries, struct_dtype(ENTRY))
    options = np.zeros(one.rules.MAX_LEGAL, struct_dtype(OPTION))
    memory = Evaluator(learned().weights, np.zeros(value.ACTIVE, np.int64), np.zeros(2, np.int64))
    count = int(kernel.list_root(state.position.array, line, memory, options))
    kernel.begin(state.position.array, line, options, count, depth, -WON, WON)
    while not kernel.go_on(line, table, options, memory, manner, 7):
        pass
    if line.counters[CHOSEN] >= 0:
        assert options[line.counters[CHOSEN]]["value"] == line.counters[VALUE]
    deep = [option for option in options[:count] if option["depth"] == depth]
    return {int(option["action"]): (int(option["value"]), int(option["bound"])) for option in deep}


def effort(state: State, manner: Manner) -> int:
    """The positions looked at to a depth of 4."""
    line = new_line(state.game)
    searched(state, 4, manner, 1 << 12, line)
    return int(line.counters[NODES])


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_without_reductions_the_values_are_those_of_minimax(depth: int) -> None:
    """Whether the table has room for next to nothing or for everything."""
    for seed, entries in enumerate([4, 1 << 12]):
        state = late(game("4x5"), 7 + seed % 2, seed)
        expected = {
            action: -minimax(state.child(action), depth - 1, learned().weights)
            for action in state.legal_actions()[:-1]
            if not state.child(action).is_terminal()
        }
        found = searched(state, depth, Manner(NO_REDUCTIONS, 0, 0, wide=True), entries)
        assert found == {action: (worth, EXACT) for action, worth in expected.items()}
        narrow = searched(state, depth, Manner(NO_REDUCTIONS, 0, 0, wide=False), entries)
        most = max(expected.values())
        assert max(worth for worth, _ in narrow.values()) == most
        assert all(worth >= expected[action] for action, (worth, _) in narrow.items())
        assert any(narrow[action] == (most, EXACT) for action, worth in expected.items() if worth == most)
        careful = searched(state, depth, Manner(NO_REDUCTIONS, 40 * LOGIT, depth, wide=False), entries)
        assert max(worth for worth, _ in careful.values()) == most  # no value changes by this much


@cache
def best_returns(state: State) -> tuple[float, ...]:
    """What both get when both play best: every way tried."""
    if state.is_terminal():
        return tuple(state.returns())
    ways = [best_returns(state.child(action)) for action in state.legal_actions()[:-1]]
    return max(ways, key=lambda returns: returns[state.current_player()])


def found_in(state: State, budget: Budget, seed: int = 0) -> Findings:
    searcher = Searcher(state.game, None, Settings(exact=0.0), seed, None, learned())
    return searcher.search(state.information_state(state.current_player()), budget)


def test_what_is_certain_is_the_result_of_best_play() -> None:
    """With weights that know nothing, and all reductions and margins."""
    for seed in range(6):
        state = late(game(), 6, seed)
        found = found_in(state, Budget(PLENTY))
        assert found.choices[0].solved
        assert found.values == found.choices[0].values == best_returns(state)
        for choice in found.choices:
            if choice.solved:
                assert choice.values == best_returns(state.child(choice.action))
        walk = state.clone()
        for action in found.line:
            walk.apply_action(action)


def test_a_budget_in_simulations_repeats_and_is_kept() -> None:
    state = game("8x8").new_initial_state(0)
    found, same = (found_in(state, Budget(300), seed=5) for _ in range(2))
    assert found._replace(seconds=0) == same._replace(seconds=0)
    assert {choice.action for choice in found.choices} == set(state.legal_actions()[:-1])
    assert found.simulations == 300
    assert all(0 < choice.values[0] < 1 and sum(choice.values) == 1 for choice in found.choices)
    assert (
        found.values == found.choices[0].values == max((one.values for one in found.choices), key=lambda values: values[0])
    )


def test_among_actions_that_are_alike_the_seed_decides() -> None:
    state = game("8x8").new_initial_state(0)
    first = [found_in(state, Budget(20), seed=seed).action for seed in range(6)]
    assert len(set(first)) > 1


def test_interpreted_and_compiled_search_alike() -> None:
    for seed in range(2):
        fast, slow = (found_in(late(game("4x5", compiled=compiled), 9, seed), Budget(12)) for compiled in (True, False))
        assert fast._replace(seconds=0) == slow._replace(seconds=0)


def test_a_search_is_told_how_far_it_is() -> None:
    shares = list[float]()
    state = game("8x8").new_initial_state(0)
    searcher = Searcher(state.game, None, Settings(exact=0.0), 0, None, learned())
    searcher.search(state.information_state(0), Budget(3000), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_however_short_the_time_is_something_is_found() -> None:
    state = game("8x8").new_initial_state(0)
    found = found_in(state, Budget(seconds=1e-9))
    assert found.action in state.legal_actions()[:-1]
    assert 0 < found.simulations < len(found.choices), "it looked at each action once, and several looks are a simulation"


def test_it_applies_to_two_with_a_value() -> None:
    assert applies(game(), learned())
    assert not applies(game(), None)
    assert not applies(load("okupacio", players=3, board="4x4"), learned())
    blind = LearnedValue(deepening, learned().weights, {})  # a module without what looks ahead
    assert not applies(game(), blind)


def test_what_promises_plenty_at_once_is_not_searched() -> None:
    state = game("8x8").new_initial_state(0)
    looked_at = [effort(state, Manner(NO_REDUCTIONS, margin, 4, wide=False)) for margin in (0, 4 * LOGIT)]
    assert looked_at[0] < looked_at[1] / 2


def test_reductions_leave_some_depth() -> None:
    table = reductions().reshape(deepening.PLACES, deepening.PLACES)
    for depth in range(2, deepening.PLACES):
        assert (table[depth] <= max(0, depth - 2)).all()
        assert (np.diff(table[depth]) >= 0).all()
    assert not table[:, 0].any()
