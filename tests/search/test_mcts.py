"""Tree search without secrets: its proofs are true, and its tree adds up."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import ludoteca
from ludoteca.agents.agent import new_searcher, search_modules
from ludoteca.core import hints
from ludoteca.core.game import Game, State
from ludoteca.core.native import Binding
from ludoteca.core.rng import new_rng
from ludoteca.games.okupacio.play import heuristics, value
from ludoteca.search import mcts
from ludoteca.search.leaf import TO_THE_END
from ludoteca.search.searcher import Budget, Settings, new_evaluator, new_scratch, new_tree
from ludoteca.search.tree import KNOWN_LOGARITHMS, MOVES, USED, Tree, logarithm


def games() -> list[Game]:
    return [ludoteca.load("okupacio", players=players, board=board) for players, board in ((2, "4x4"), (3, "4x5"))]


def late(game: Game, seed: int, free: int) -> State:
    """A random position with this many free cells, and a player to move."""
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


@pytest.mark.parametrize("seed", range(5))
def test_a_solved_position_has_the_value_of_best_play(seed: int) -> None:
    state = late(ludoteca.load("okupacio", players=2, board="4x4", compiled=True), seed, 5)
    searcher = new_searcher(state.game, Settings(nodes=100_000, expand_at=1, exact=0.0, deepen=False))
    found = searcher.search(state.information_state(state.current_player()), Budget(simulations=100_000))
    assert found.choices[0].solved
    assert found.simulations < 100_000
    assert found.values == best_returns(state)
    assert best_returns(state.child(found.action)) == best_returns(state)


def kernel_of(game: Game) -> Binding:
    """The search that an analysis for two has compiled, too, for any number of players. Whole playouts need no value."""
    return game.bind(mcts, *search_modules(game), value=value)


def grown(game: Game, state: State, simulations: int, widen: float = 4.0, rave: float = 0.0) -> Tree:
    tree = new_tree(game, 50_000)
    memory = tree, new_scratch(game), new_rng(1), simulations
    kernel_of(game).simulate(state.position.array, *memory, 2, 0.7, widen, TO_THE_END, rave, new_evaluator(game, None))
    return tree


@pytest.mark.parametrize("game", games(), ids=str)
def test_interpreted_and_compiled_grow_the_same_tree(game: Game) -> None:
    fast = Game(game.spec, game.parameters, compiled=True)
    rave = 1e-3 if game.num_players() == 3 else 0.0
    slow, quick = (grown(one, one.new_initial_state(3), 120, rave=rave) for one in (game, fast))
    used = int(slow.counters[USED])
    assert slow.counters.tolist() == quick.counters.tolist()
    assert slow.nodes[:used].tobytes() == quick.nodes[:used].tobytes()
    assert slow.sums.tolist() == quick.sums.tolist()


@pytest.mark.parametrize("players", [2, 10])
def test_every_visit_below_a_node_is_a_visit_to_it_and_every_win_is_shared_out(players: int) -> None:
    game = ludoteca.load("okupacio", players=players, board="8x8", compiled=True)
    tree = grown(game, game.new_initial_state(1), 5000)
    sums = tree.sums.reshape(-1, players)
    for _, number in numbers(tree):
        node = tree.nodes[number]
        if node["count"] and not node["solved"]:
            below = tree.nodes[children(tree, number)]
            assert 0 <= node["visits"] - below["visits"].sum() <= 2  # those before it was expanded
        assert node["solved"] or sums[number].sum() == 2520 * node["visits"]


@pytest.mark.parametrize("widen", [0.5, 4.0])
def test_children_are_the_actions_that_look_best_and_each_is_there_once(widen: float) -> None:
    game = ludoteca.load("okupacio", players=2, board="8x8", compiled=True)
    state = game.new_initial_state(1)
    tree, seen = grown(game, state, 5_000, widen), set()
    for path, number in numbers(tree):
        if tree.nodes[number]["count"]:
            position = state.clone()
            for action in path:
                position.apply_action(action)
            legal = np.array(position.legal_actions()[:-1])
            values = np.zeros(len(legal), np.int64)
            game.bind(hints, heuristics).value_actions(position.position.array, legal, len(legal), values)
            worth = dict(zip(legal.tolist(), values.tolist(), strict=True))
            has = [int(tree.nodes[child]["action"]) for child in children(tree, number)]
            assert len(set(has)) == len(has)
            assert tree.nodes[number]["options"] == len(legal)
            assert [worth[action] for action in has] == sorted(worth.values(), reverse=True)[: len(has)]
            seen.add(len(has))
    assert {4, 8} < seen, "some nodes have grown"


def children(tree: Tree, number: int) -> range:
    node = tree.nodes[number]
    return range(int(node["first"]), int(node["first"]) + int(node["count"]))


def numbers(tree: Tree, number: int = 0, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every node of the tree, with the actions that lead to it."""
    yield path, number
    for child in children(tree, number):
        yield from numbers(tree, child, (*path, int(tree.nodes[child]["action"])))


def test_what_was_visited_most_is_kept() -> None:
    game = ludoteca.load("okupacio", players=3, board="4x5", compiled=True)
    tree, fresh = grown(game, game.new_initial_state(1), 1500), new_tree(game, 50_000)
    kernel = kernel_of(game)
    node = max(children(tree, 0), key=lambda child: int(tree.nodes[child]["visits"]))
    before = dict(numbers(tree, node))
    for room in (len(before) + 1, len(before) - 1, len(before) // 2, 5):
        kernel.move_root(tree, fresh, 3, node, room)
        after = dict(numbers(fresh))
        assert len(after) == fresh.counters[USED] <= max(room, 1 + tree.nodes[node]["count"])
        assert (len(after) == len(before)) == (room > len(before))
        for path, number in after.items():
            for field in ("action", "visits", "mover", "solved", "options", "salt"):
                assert fresh.nodes[number][field] == tree.nodes[before[path]][field]
            assert (fresh.sums[3 * number : 3 * number + 3] == tree.sums[3 * before[path] :][:3]).all()
        counts = [(tree.nodes[before[path]], fresh.nodes[number]["count"]) for path, number in after.items() if path]
        cut = [old["visits"] for old, count in counts if old["count"] and not count]
        kept = [old["visits"] for old, count in counts if count]
        assert max(cut, default=0) < min(kept, default=1 << 30), "who loses its children was visited less"


def test_what_is_played_later_counts_for_the_same_player() -> None:
    game = ludoteca.load("okupacio", players=3, board="4x5", compiled=True)
    kernel, tree, scratch, rng = kernel_of(game), new_tree(game, 9_000), new_scratch(game), new_rng(1)
    root, later, sums = game.new_initial_state(1).position.array, Counter[int](), Counter[int]()
    for _ in range(500):
        before, moves = int(scratch.played[-1]), int(tree.counters[MOVES]) if tree.counters[USED] else 0
        kernel.simulate(root, tree, scratch, rng, 1, 2, 0.3, 1.0, TO_THE_END, 1e-3, new_evaluator(game, None))
        assert scratch.played[-1] - before == tree.counters[MOVES] - moves, "every action has been noted"
        for child in children(tree, 0):
            action = int(tree.nodes[child]["action"])
            later[action] += int(scratch.played[action]) > before  # by player 0
            sums[action] += int(scratch.played[action] > before) * int(scratch.values[0])
    for child in children(tree, 0):
        node = tree.nodes[child]
        assert (node["later"], node["gain"]) == (later[int(node["action"])], sums[int(node["action"])])
        assert node["visits"] <= node["later"] < 500
    for _, number in numbers(tree):
        assert all(tree.nodes[child]["visits"] <= tree.nodes[child]["later"] for child in children(tree, number))


def test_a_game_is_searched_to_its_end_in_a_tree_that_is_much_too_small() -> None:
    game = ludoteca.load("okupacio", players=2, board="4x5", compiled=True)
    for seed in range(3):
        state = game.new_initial_state(1)
        searcher = new_searcher(game, Settings(nodes=60, expand_at=1, exact=0.0, deepen=False), seed)
        while not state.is_terminal():
            found = searcher.search(state.information_state(state.current_player()), Budget(simulations=200))
            state.apply_action(found.action)


def test_logarithms_are_near_enough() -> None:
    for number in (*range(1, 3000), 10**5, 10**6 + 1, (1 << 31) - 1):
        error = math.log(number) - logarithm(number)
        assert -1e-12 < error < (1e-12 if number < KNOWN_LOGARITHMS else 0.002)


def test_what_was_found_about_the_moves_played_is_kept() -> None:
    game = ludoteca.load("okupacio", players=2, board="8x8", compiled=True)
    state, searcher = game.new_initial_state(1), new_searcher(game, Settings(deepen=False))
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
