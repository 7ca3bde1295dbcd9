"""The worth of moves, compared with brute force."""

from functools import cache

import pytest
from benchmarks.accusations import played, true_costs

import duel
from ludoteca.agents.analysis import MoveValue, costly, stake, unsure, value_moves
from ludoteca.core import registry
from ludoteca.core.errors import SearchError
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.search.exact import Solver
from ludoteca.search.searcher import Budget

OKUPACIO = Game(registry.find("okupacio"), {"board": "4x4"})
DUEL = Game(duel.GAME)


def ending(seed: int, last: int) -> State:
    """A random game of which only the last moves are history."""
    rng, state = new_rng(seed), OKUPACIO.new_initial_state(seed)
    while len(state.legal_actions()) - 1 > last:
        state.apply_action(state.random_action(rng))
    state = OKUPACIO.state_from_string(str(state))
    while not state.is_terminal():
        state.apply_action(state.random_action(rng))
    return state


@cache
def best_play(position: str) -> tuple[float, ...]:
    """What each player gets when all play as well as they can."""
    state = OKUPACIO.state_from_string(position)
    if state.is_terminal():
        return tuple(state.returns())
    ways = [best_play(str(state.child(action))) for action in state.legal_actions() if action != OKUPACIO.rules.CONCEDE]
    return max(ways, key=lambda values: values[state.current_player()])


@pytest.mark.parametrize("seed", range(2))
def test_at_the_end_values_and_costs_are_those_of_brute_force(seed: int) -> None:
    state = ending(seed, last=4)
    walk = OKUPACIO.state_at(state.start)
    moves = list(value_moves(state, Budget(simulations=400)))
    for move, action in zip(moves, state.history(), strict=True):
        player = walk.current_player()
        could = best_play(str(walk))[player]
        walk.apply_action(action)
        assert move.values == best_play(str(walk))
        assert (move.player, move.cost) == (player, could - move.values[player])
        assert bool(move.better) == (move.cost > 0)


def test_the_better_move_is_better() -> None:
    lost = [(state, move) for seed in range(6) for state in [ending(seed, last=3)]
            for move in value_moves(state, Budget(simulations=200)) if move.cost]  # fmt: skip
    assert lost
    for state, move in lost:
        walk = OKUPACIO.state_at(state.start)
        for action in state.history()[: move.number - 1]:
            walk.apply_action(action)
        child = walk.child(walk.string_to_action(move.better[0]))
        assert best_play(str(child))[move.player] == move.values[move.player] + move.cost


QUICK = Game(registry.find("okupacio"), {"board": "4x4"}, compiled=True)


@pytest.mark.slow
def test_a_won_move_is_known_to_be_won() -> None:
    """At the budget of `analyse` its search still thinks that another move wins a fifth of a game more."""
    start = QUICK.new_initial_state(1)
    (move,) = value_moves(start.child(start.string_to_action("ba")), Budget(simulations=4000))
    assert (move.cost, move.interval, move.certain, move.values) == (0.0, (0.0, 0.0), True, (1.0, 0.0))


@cache
def costs_of_games(number: int) -> list[tuple[State, list[float]]]:
    """Random games with what each of their moves gave away, by brute force."""
    solver, games = Solver(QUICK), [played(QUICK, "random", seed) for seed in range(number)]
    return [(state, list(true_costs(state, solver))) for state in games]


@pytest.mark.slow
@pytest.mark.parametrize("games", [2, pytest.param(12, marks=pytest.mark.soak)])
@pytest.mark.parametrize("simulations", [60, 1000])
def test_what_is_called_costly_is_a_mistake(simulations: int, games: int) -> None:
    """At these budgets the first half of a game is not played out exactly."""
    found, missed = 0, 0
    for seed, (state, truth) in enumerate(costs_of_games(games)):
        moves = list(value_moves(state, Budget(simulations), seed))
        accused = costly(moves, 1.0, most=len(moves))
        assert all(truth[move.number - 1] == 1 for move in accused), f"{seed}: a move that gives nothing away"
        assert all(truth[move.number - 1] == move.cost for move in moves if move.certain)
        found += len(accused)
        missed += int(sum(truth)) - len(accused)
    assert found > 2 * missed


def random_duel(seed: int) -> State:
    rng, state = new_rng(seed), DUEL.new_initial_state(seed)
    while not state.is_terminal():
        state.apply_action(state.random_action(rng))
    return state


def test_where_cards_are_hidden_everything_is_told_as_the_mover_knew_it() -> None:
    state = random_duel(3)
    moves = list(value_moves(state, Budget(simulations=40)))
    assert [move.number for move in moves] == [1, 2, 3, 4]
    assert [move.player for move in moves] == [0, 1, 0, 1]
    assert moves == list(value_moves(state, Budget(simulations=40))), "the same seed gives the same values"
    assert moves[-1].values == tuple(state.returns())
    for move in moves:
        assert sum(move.values) == pytest.approx(1)
        assert 0 <= move.interval[0] <= move.cost <= move.interval[1]
    walk = DUEL.new_initial_state(3)
    other = next(one for one in iter(lambda: walk.resample_from_infostate(0, rng), None) if one != walk)
    assert first_cost(walk) == first_cost(other), "the first player does not know what the second one holds"


rng = new_rng(1)


def first_cost(state: State) -> MoveValue:
    child = DUEL.state_from_string(str(state)).child(state.legal_actions()[0])
    return next(value_moves(child, Budget(simulations=50)))


def test_giving_up_costs_what_was_left_to_win() -> None:
    state = QUICK.new_initial_state(1).child(QUICK.rules.CONCEDE)
    (move,) = value_moves(state, Budget(simulations=200))
    assert move.values == (0.0, 1.0)
    assert move.cost > 0.3


def test_no_move_costs_more_than_the_whole_game() -> None:
    state = DUEL.new_initial_state(4)
    for action in random_duel(4).history()[:2]:
        state.apply_action(action)
    *_, move = value_moves(state.child(DUEL.rules.CONCEDE), Budget(simulations=8))
    assert move.interval[0] < move.cost < move.interval[1] == 1.0


def test_no_budget_and_no_moves() -> None:
    with pytest.raises(SearchError, match="expected more than 0"):
        next(value_moves(random_duel(1), Budget(simulations=0)))
    assert list(value_moves(DUEL.new_initial_state(1), Budget(simulations=10))) == []


def moves_of(*values: tuple[float, float], cost: float = 0.0) -> list[MoveValue]:
    return [
        MoveValue(number, number % 2, f"<{number}>", pair, cost * number, (cost * number,) * 2, True, ())
        for number, pair in enumerate(values, 1)
    ]


def test_the_costly_moves_come_in_their_order_and_small_costs_are_left_out() -> None:
    moves = moves_of(*[(0.5, 0.5)] * 9, cost=0.02)
    assert [move.number for move in costly(moves, 1.0, most=3)] == [7, 8, 9]
    assert [move.number for move in costly(moves, 1.0, most=99)] == [3, 4, 5, 6, 7, 8, 9]
    assert costly(moves, 10.0) == []


def test_only_what_is_surely_large_is_costly_and_what_may_be_is_named() -> None:
    (move,) = moves_of((0.5, 0.5), cost=0.3)
    sure, small, wide = (move._replace(interval=interval) for interval in ((0.1, 0.5), (0.04, 0.5), (0.0, 1.0)))
    assert costly([sure, small, wide], 1.0) == [sure]
    assert unsure([sure, small, wide], 1.0) == [small, wide]
    assert unsure([wide], 10.0) == []


def test_what_is_at_stake() -> None:
    assert stake(random_duel(1), moves_of((0.2, 0.8))) == 1.0
    cartas = Game(registry.find("cartas")).new_initial_state(1)
    assert stake(cartas, moves_of((2.0, 8.0), (3.0, 1.0))) == 8.0
