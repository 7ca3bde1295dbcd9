"""Search among secrets: one tree over many deals, and nothing in it that the observer may not know."""

from collections import Counter
from types import ModuleType

import numpy as np
import pytest

import ludoteca
from duel import GAME as DUEL
from ludoteca.agents.agent import new_searcher, search_modules
from ludoteca.core import native, registry
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.core.tables import struct_dtype
from ludoteca.core.value import load_value
from ludoteca.search import ismcts
from ludoteca.search import tree as kernels_of_trees
from ludoteca.search.leaf import TO_THE_END
from ludoteca.search.searcher import Budget, Searcher, Settings, new_evaluator, new_scratch, new_tree
from ludoteca.search.tree import COUNTERS, NODE, Tree
from tests.search import kernels, laying

HIDDEN = [spec.name for spec in registry.registered_games() if not spec.perfect_information]
CHECKING = [name for name in HIDDEN if hasattr(registry.find(name).module("rules"), "allows")]
SIMULATIONS = 80


def midway(game: Game, seed: int, share: float = 0.4) -> State:
    """A random position some way into a game."""
    rng, states = new_rng(seed), [game.new_initial_state(seed)]
    if states[0].is_terminal():  # a game may end before it begins
        return midway(game, seed + 100, share)
    while not states[-1].is_terminal():
        states.append(states[-1].child(states[-1].random_action(rng)))
    return states[int(share * (len(states) - 1))]


def grown(state: State, simulations: int, widen: float = 100.0, policy: ModuleType | None = None) -> Tree:
    """A tree of whole playouts, with the functions that play has compiled, too, or interpreted with another policy."""
    player = state.current_player()
    tree = new_tree(state.game, 50_000)
    value = load_value(state.game)
    modules = (policy, None) if policy else search_modules(state.game)
    kernel = state.game.bind(ismcts, *modules, value=value.module if value else None)
    memory = tree, new_scratch(state.game), new_rng(1), player, simulations
    kernel.simulate(state.view(player).array, *memory, 1, 0.7, widen, TO_THE_END, new_evaluator(state.game, value))
    return tree


def children(tree: Tree, node: int) -> list[np.void]:
    parent = tree.nodes[node]
    return list(tree.nodes[parent["first"] : parent["first"] + parent["count"]])


@pytest.mark.parametrize("name", HIDDEN)
def test_the_same_view_gives_the_same_findings_bit_for_bit(name: str) -> None:
    state = midway(ludoteca.load(name, compiled=True), 1)
    player, rng = state.current_player(), new_rng(1)
    expected = new_searcher(state.game).search(state.information_state(player), Budget(simulations=400))
    for _ in range(3):
        other = state.resample_from_infostate(player, rng)
        found = new_searcher(other.game).search(other.information_state(player), Budget(simulations=400))
        assert found._replace(seconds=0) == expected._replace(seconds=0)


@pytest.mark.parametrize("name", HIDDEN)
def test_another_deal_begins_anew(name: str) -> None:
    """Nothing was played in either game, so only the views tell that they are two."""
    game = ludoteca.load(name, compiled=True)
    searcher = new_searcher(game, Settings(nodes=20_000))
    for seed in range(20, 23):
        state = game.new_initial_state(seed)
        if len(state.legal_actions()) > 1:
            found = searcher.search(state.information_state(state.current_player()), Budget(simulations=300))
            assert sum(choice.visits for choice in found.choices) == 300
            assert {choice.action for choice in found.choices} <= set(state.legal_actions())


@pytest.mark.parametrize("name", HIDDEN)
def test_the_observer_has_a_child_for_each_of_his_actions(name: str) -> None:
    state = midway(ludoteca.load(name, compiled=True), 1)
    options = set(state.legal_actions()) - {state.game.rules.CONCEDE}
    tree = grown(state, 4 * len(options))
    assert sorted(int(child["action"]) for child in children(tree, 0)) == sorted(options)
    assert all(child["available"] >= child["visits"] for child in children(tree, 0))


def test_what_others_may_do_is_merged_as_the_observer_sees_it() -> None:
    """Duel: the opponent's cards laid face down all look alike, and of open ones each may be in the hand or not."""
    game = Game(DUEL, {"cards": 6}, compiled=True)
    state = game.new_initial_state(1)
    tree = grown(state, 8_000)
    first = next(child for child in children(tree, 0) if child["visits"] > 400)
    answers = {int(child["action"]): child for child in tree.nodes[first["first"] : first["first"] + first["count"]]}
    hidden = answers.pop(game.rules.SOME_CARD)
    unknown = set(range(6)) - {card for card in range(6) if int(state.raw["hands"][0]) >> card & 1}
    assert set(answers) == unknown
    assert all(child["available"] < 0.7 * hidden["available"] for child in answers.values())


def test_opponents_choose_as_the_game_says_but_at_the_root() -> None:
    """Duel: an opponent who lays every card face down has one option below the root, in each deal."""
    game = Game(DUEL, {"cards": 8})
    state = game.new_initial_state(1)
    tree = grown(state, 300, policy=laying)
    chosen = children(tree, 0)
    assert len(chosen) == 4
    for child in chosen:
        answers = tree.nodes[child["first"] : child["first"] + child["count"]]
        assert answers["action"].tolist() == [game.rules.SOME_CARD]
    state.apply_action(int(chosen[0]["action"]))
    asked = Searcher(game, laying, Settings(nodes=20_000, widen=100.0))
    opponents = asked.evaluate(state.information_state(0), Budget(simulations=300)).choices
    assert {choice.action for choice in opponents} > {game.rules.SOME_CARD}


def test_actions_behind_one_edge_are_played_equally_often() -> None:
    game = Game(DUEL, {"cards": 8})
    state = game.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    scratch, rng, chosen = new_scratch(game), new_rng(5), Counter[int]()
    kernel = game.bind(kernels)
    for _ in range(1000):
        n = kernel.options_seen(state.position.array, scratch, 0, rng)
        keys = scratch.keys[:n].tolist()
        assert len(set(keys)) == n == 3, "two cards that may be played open, and one that is laid face down"
        chosen[int(scratch.legal[keys.index(game.rules.SOME_CARD)])] += 1
        kernel.forget(scratch, n)
        assert not scratch.table.any()
    assert len(chosen) == 2
    assert max(chosen.values()) < 580


def test_children_come_in_the_order_in_which_they_look_good() -> None:
    game = Game(DUEL, {"cards": 8}, compiled=True)
    state = game.new_initial_state(2)
    hand = sorted(card for card in range(8) if int(state.raw["hands"][0]) >> card & 1)
    searcher = new_searcher(game, Settings(widen=0.0, expand_at=1))
    found = searcher.search(state.information_state(0), Budget(simulations=50))
    best = max((hand[1], hand[1]), (8 - hand[0], 8 + hand[0]))
    assert [choice.action for choice in found.choices] == [best[1]]


def test_interpreted_and_compiled_find_the_same() -> None:
    fast = Game(DUEL, {"cards": 8}, compiled=True)
    for seed in range(2):
        slow = midway(Game(DUEL, {"cards": 8}), seed)
        quick = fast.deserialize_state(slow.serialize())
        one, two = (
            new_searcher(state.game, Settings(nodes=20_000)).search(
                state.information_state(state.current_player()), Budget(simulations=300)
            )
            for state in (slow, quick)
        )
        assert one._replace(seconds=0) == two._replace(seconds=0)


@pytest.mark.parametrize("name", HIDDEN)
def test_visits_below_are_visits_above(name: str) -> None:
    state = midway(ludoteca.load(name, compiled=True), 2)
    tree = grown(state, 2000, widen=2.0)
    assert int(tree.nodes[0]["visits"]) == 2000
    below = [tree.nodes[0]]
    for node in below:
        own = list(tree.nodes[node["first"] : node["first"] + node["count"]])
        assert sum(int(child["visits"]) for child in own) <= node["visits"]
        below += own
    assert len(below) > 1 + len(children(tree, 0)), "the tree grows below the root's actions"
    assert sum(int(child["visits"]) for child in children(tree, 0)) == 2000


@pytest.mark.parametrize("name", CHECKING)
def test_who_asks_for_single_actions_grows_the_tree_of_who_lists_all(name: str) -> None:
    """Interpreted: the same simulations by rules that have no `allows`."""
    state, trees = midway(ludoteca.load(name), 3), list[Tree]()
    rules, plain = state.game.rules, ModuleType("plain")
    vars(plain).update({given: value for given, value in vars(rules).items() if given not in ("allows", "__name__")})
    for each in (rules, plain):
        trees.append(new_tree(state.game, 2_000))
        kernel = native.bind(native.Modules(each, ismcts, *search_modules(state.game)), compiled=False)
        memory = trees[-1], new_scratch(state.game), new_rng(1), state.current_player()
        shape = (1, 0.7, 0.25, TO_THE_END, new_evaluator(state.game, None))
        assert kernel.simulate(state.view(state.current_player()).array, *memory, SIMULATIONS, *shape) == SIMULATIONS
    for one, other in zip(*trees, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(("name", "expected"), [("cartas", [3.5, -1.5, -1.5, -0.5]), ("conclave", [5, 0, 0, 1])])
def test_for_points_a_player_goes_by_how_far_he_is_above_the_others(name: str, expected: list[float]) -> None:
    game = ludoteca.load(name)
    kept = Tree(
        np.zeros(1, struct_dtype(NODE)), np.array([10, 0, 0, 2]), np.zeros(1, np.int64), np.zeros(COUNTERS, np.int64)
    )
    kept.nodes[0]["visits"] = 2
    lead = game.bind(kernels_of_trees).lead
    assert [lead(kept, 4, 0, player) for player in range(4)] == expected
