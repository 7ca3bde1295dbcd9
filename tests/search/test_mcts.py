"""Tree search without secrets: what it proves is true, and its tree adds up."""

from functools import cache

import numpy as np
import pytest

import ludoteca
from ludoteca.agents.agent import new_searcher, search_modules
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.search import mcts
from ludoteca.search.leaf import TO_THE_END
from ludoteca.search.searcher import Budget, Settings, new_learned, new_scratch, new_tree
from ludoteca.search.tree import USED, Tree

BOARD = "AA#B/#ABB/##../...# - 6 0:1,1:0"


def games() -> list[Game]:
    return [ludoteca.load("okupacio", players=players, board=board) for players in (2, 3) for board in ("4x4", "4x5")]


def late(game: Game, seed: int, free: int) -> State:
    """A random position with so many cells left to take, and somebody to move."""
    rng = new_rng(seed)
    state = game.new_initial_state(seed)
    while len(state.legal_actions()) - 1 > free:
        state.apply_action(state.random_action(rng))
    return state


@cache
def best_returns(state: State) -> tuple[float, ...]:
    """What two players get when both play best: every way tried."""
    if state.is_terminal():
        return tuple(state.returns())
    ways = [best_returns(state.child(action)) for action in state.legal_actions() if action != state.game.rules.CONCEDE]
    return max(ways, key=lambda returns: returns[state.current_player()])


@pytest.mark.parametrize("seed", range(12))
def test_a_solved_position_has_the_value_of_best_play(seed: int) -> None:
    state = late(ludoteca.load("okupacio", players=2, board="4x4", compiled=True), seed, 5)
    searcher = new_searcher(state.game, Settings(nodes=100_000, expand_at=1, exact=0.0))
    found = searcher.search(state.information_state(state.current_player()), Budget(simulations=100_000))
    assert found.choices[0].solved
    assert found.simulations < 100_000
    assert found.values == best_returns(state)
    assert best_returns(state.child(found.action)) == best_returns(state)


def grown(game: Game, state: State, simulations: int) -> Tree:
    tree = new_tree(game, 50_000)
    kernel = game.bind(mcts, *search_modules(game))
    kernel.simulate(
        state.position.array,
        tree,
        new_scratch(game),
        new_rng(1),
        simulations,
        2,
        0.7,
        4.0,
        TO_THE_END,
        new_learned(game, None),
    )
    return tree


@pytest.mark.parametrize("game", games(), ids=str)
def test_interpreted_and_compiled_grow_the_same_tree(game: Game) -> None:
    fast = Game(game.spec, game.parameters, compiled=True)
    slow, quick = (grown(one, one.new_initial_state(3), 300) for one in (game, fast))
    used = int(slow.counters[USED])
    assert slow.counters.tolist() == quick.counters.tolist()
    assert slow.nodes[:used].tobytes() == quick.nodes[:used].tobytes()
    assert slow.sums.tolist() == quick.sums.tolist()


@pytest.mark.parametrize("players", [2, 3, 10])
def test_every_visit_below_a_node_is_a_visit_to_it_and_every_win_is_shared_out(players: int) -> None:
    game = ludoteca.load("okupacio", players=players, board="8x8", compiled=True)
    tree = grown(game, game.new_initial_state(1), 5000)
    sums = tree.sums.reshape(-1, players)
    for number in range(int(tree.counters[USED])):
        node = tree.nodes[number]
        if node["count"] and not node["solved"]:
            below = tree.nodes[node["first"] : node["first"] + node["count"]]
            assert 0 <= node["visits"] - below["visits"].sum() <= 2  # those before it was expanded
        assert node["solved"] or sums[number].sum() == 2520 * node["visits"]


def test_what_was_found_about_the_moves_played_is_kept() -> None:
    game = ludoteca.load("okupacio", players=2, board="8x8", compiled=True)
    state, searcher = game.new_initial_state(1), new_searcher(game)
    first = searcher.search(state.information_state(0), Budget(simulations=20_000))
    after = state.child(first.action).child(first.line[1])
    kept = next(choice.visits for choice in first.choices if choice.action == first.action)
    found = searcher.search(after.information_state(0), Budget(simulations=1))
    visits = sum(choice.visits for choice in found.choices)
    assert 20 <= visits < kept
    assert {choice.action for choice in found.choices} <= set(after.legal_actions())
    elsewhere = state.child(first.choices[-1].action)
    again = searcher.search(elsewhere.child(elsewhere.legal_actions()[0]).information_state(0), Budget(simulations=100))
    assert sum(choice.visits for choice in again.choices) == 100


def test_a_full_tree_goes_on_counting() -> None:
    game = ludoteca.load("okupacio", players=2, board="8x8", compiled=True)
    searcher = new_searcher(game, Settings(nodes=100, expand_at=1))
    found = searcher.search(game.new_initial_state(1).information_state(0), Budget(simulations=5000))
    assert found.simulations == 5000
    assert sum(choice.visits for choice in found.choices) == 5000


def test_more_simulations_find_the_better_move() -> None:
    state = late(ludoteca.load("okupacio", players=2, board="4x5", compiled=True), 4, 8)
    wins = {tuple(best_returns(state.child(action))) for action in state.legal_actions() if action != 625}
    assert len(wins) > 1, "the position decides nothing"
    found = new_searcher(state.game).search(state.information_state(state.current_player()), Budget(simulations=50_000))
    assert best_returns(state.child(found.action))[found.player] == max(win[found.player] for win in wins)
    assert np.isclose(sum(found.values), 1)
