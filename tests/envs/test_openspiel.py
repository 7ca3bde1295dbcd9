"""Games in OpenSpiel: its own conformance tests, its searches, and the positions that a player cannot distinguish.

Its modules in Python are imported where they are needed: they import SciPy, which takes a second.
"""

import pickle
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms.cfr import CFRPlusSolver
from open_spiel.python.algorithms.expected_game_score import policy_value

import ludoteca
from kuhn import GAME as KUHN
from ludoteca.core.errors import IllegalActionError, ParameterError
from ludoteca.core.game import Game
from ludoteca.envs import openspiel
from ludoteca.envs.rewards import rewards_so_far

if not flags.FLAGS.is_parsed():
    flags.FLAGS(["tests"])

SMALL = {  # of each game, one that is over soon
    "ludoteca_okupacio": "ludoteca_okupacio(players=3,board=4x4)",
    "ludoteca_conclave": "ludoteca_conclave(players=3)",
    "ludoteca_cartas": "ludoteca_cartas(chance_nodes=1)",
    "ludoteca_qinto": "ludoteca_qinto(rounds=1)",
    "ludoteca_metro": "ludoteca_metro(side=4)",
}
HIDDEN = ["ludoteca_conclave", "ludoteca_cartas", "ludoteca_qinto"]


def some_state(name: str, moves: int, seed: int = 1) -> Any:
    """A state after its deal and some random moves, if the game lasts so long."""
    chance, state = random.Random(seed), pyspiel.load_game(name).new_initial_state()
    for _ in range(moves + state.chance_nodes):
        if not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
    return state


def test_every_game_is_registered() -> None:
    assert sorted(SMALL) == openspiel.NAMES
    assert set(openspiel.NAMES) <= set(pyspiel.registered_names())


def api_case(name: str, states: int) -> type[unittest.TestCase]:
    """OpenSpiel's tests of part of a game's tree, of this many states."""
    from open_spiel.integration_tests import api_test
    from open_spiel.python.algorithms import sample_some_states

    class Case(api_test.EnforceAPIOnPartialTreeBase):
        game_name, game = name, pyspiel.load_game(name)

        @classmethod
        def setUpClass(cls) -> None:
            cls.some_states = sample_some_states.sample_some_states(cls.game, max_states=states)
            cls.game_type = cls.game.get_type()

    return Case


def passes(case: type[unittest.TestCase]) -> bool:
    return unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(case)).wasSuccessful()


@pytest.mark.parametrize("name", ["ludoteca_okupacio", "ludoteca_conclave"])
def test_openspiels_api_test_passes(name: str) -> None:
    assert passes(api_case(name, 40))


@pytest.mark.soak
@pytest.mark.parametrize("name", openspiel.NAMES)
def test_openspiels_api_test_passes_on_all_the_states_it_asks_for(name: str) -> None:
    assert passes(api_case(name, 400))


@pytest.mark.parametrize("name", ["ludoteca_okupacio", "ludoteca_cartas"])
def test_random_simulations_pass(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(SMALL[name]), num_sims=1, serialize=True, verbose=False)


QUICKLY_WRITTEN = "ludoteca_okupacio"
"""The others' tensors take OpenSpiel ten seconds and more to write."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == QUICKLY_WRITTEN else [pytest.mark.soak]) for name in openspiel.NAMES]
)
@pytest.mark.filterwarnings("ignore:The chararray class")  # which OpenSpiel uses, and NumPy 2.5 puts away
def test_a_playthrough_can_be_played_again(name: str, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(SMALL[name], [], seed=1), encoding="utf-8")
    original, replayed = generate_playthrough.replay(str(file))
    assert original == replayed


def test_its_tree_search_in_cpp_plays_ours() -> None:
    game = pyspiel.load_game(SMALL["ludoteca_okupacio"])
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 8, 10, True, 1, False)
    state = some_state(SMALL["ludoteca_okupacio"], 4)
    for _ in range(3):
        policy, action = bot.step_with_policy(state)
        assert {action} <= {number for number, _ in policy} <= set(state.legal_actions())
        state.apply_action(action)


def test_its_search_for_hidden_information_plays_ours() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    state = some_state(SMALL["ludoteca_conclave"], 6)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        uct_c=2.0,
        max_simulations=5,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", openspiel.NAMES)
def test_a_resampled_state_cannot_be_told_from_the_real_one(name: str) -> None:
    chance = random.Random(5)
    for moves in (0, 5, 13):
        state = some_state(SMALL[name], moves)
        if state.is_terminal():
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, chance.random)
        assert other.legal_actions() == state.legal_actions()
        assert len(other.full_history()) == len(state.full_history())
        assert set(other.history()[: other.chance_nodes]) <= set(other.get_game().new_initial_state().legal_actions())
        for what in ("information_state_string", "information_state_tensor", "observation_string", "observation_tensor"):
            assert getattr(other, what)(player) == getattr(state, what)(player), what
        while not other.is_terminal():
            other.apply_action(chance.choice(other.legal_actions()))


@pytest.mark.parametrize("name", HIDDEN)
def test_resampled_deals_differ_and_the_real_one_is_not_in_their_history(name: str) -> None:
    state, chance = some_state(SMALL[name], 3), random.Random(5)
    others = [state.resample_from_infostate(state.current_player(), chance.random) for _ in range(5)]
    assert len({str(other) for other in others}) > 1
    assert all(other.full_history()[0] != state.full_history()[0] for other in others)


def test_the_same_chance_outcomes_give_the_same_deal_and_others_another() -> None:
    game = pyspiel.load_game("ludoteca_cartas")
    deals = []
    for outcomes in ([3, 1000], [3, 1000], [1000, 3], [3, 999]):
        state = game.new_initial_state()
        assert str(state) == "to be dealt"
        for outcome in outcomes:
            assert state.is_chance_node()
            assert state.chance_outcomes()[7] == (7, 1 / 1024)
            state.apply_action(outcome)
        deals.append(str(state))
    assert deals[0] == deals[1] == str(ludoteca.load("cartas").new_initial_state(3 + 1024 * 1000))
    assert len(set(deals)) == 3


def test_the_returns_of_a_game_that_is_won_add_up_to_zero() -> None:
    state = some_state(SMALL["ludoteca_okupacio"], 100)
    assert state.is_terminal()
    assert sorted(state.returns()) == [-0.5, -0.5, 1.0]


def test_a_game_may_begin_in_a_position() -> None:
    game = pyspiel.load_game("ludoteca_okupacio(board=4x4)")
    position = "AA../..B./BB../.... A 5 0:2,0:1"
    assert str(game.new_initial_state(position)).startswith("AA../..B./BB../....")


def test_a_state_is_pickled_in_the_midst_of_a_game_and_plays_on_alike() -> None:
    one = some_state(SMALL["ludoteca_conclave"], 5)
    two = pickle.loads(pickle.dumps(one))
    for _ in range(5):
        assert two.legal_actions() == one.legal_actions()
        assert two.information_state_tensor(0) == one.information_state_tensor(0)
        for state in (one, two):
            state.apply_action(one.legal_actions()[-1] if state is one else two.legal_actions()[-1])


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    state = some_state("ludoteca_okupacio(board=4x4)", 3)
    taken = next(number for number in range(16) if number not in state.legal_actions())
    before = str(state), state.history()
    with pytest.raises(IllegalActionError, match=f"read action number {taken}, which is no legal action here"):
        state.apply_action(taken)
    assert (str(state), state.history()) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ludoteca_cartas(chance_nodes=0)", "chance_nodes: read 0, expected a number from 1 to 25"),
        ("ludoteca_okupacio(players=11)", "players: read 11, expected a whole number from 2 to 10"),
        ("ludoteca_metro(players=2,side=4)", "2 players play on side 8 only"),
    ],
)
def test_wrong_parameters_say_what_is_possible(text: str, expected: str) -> None:
    with pytest.raises(ParameterError, match=expected.replace("(", r"\(")):
        pyspiel.load_game(text)


def test_what_all_players_know_together_is_not_shown() -> None:
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="not what all know together"):
        pyspiel.load_game("ludoteca_cartas").make_py_observer(everything)


def test_a_program_that_loads_a_game_ends_well() -> None:
    """OpenSpiel releases what was registered when Python has ended already."""
    code = "import pyspiel, ludoteca.envs.openspiel; pyspiel.load_game('ludoteca_okupacio').new_initial_state()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_game_that_lists_its_deals_has_a_chance_node_with_them() -> None:
    game = type("kuhn", (openspiel.OpenSpielGame,), {"spec": KUHN})()
    start, deals = game.new_initial_state(), []
    for outcome, chance in start.chance_outcomes():
        assert chance == 1 / 6
        state = start.clone()
        state.apply_action(outcome)
        deals.append(str(state))
    assert {*deals} == {str(Game(KUHN).new_initial_state(seed)) for seed in range(100)}


def test_counterfactual_regrets_find_the_value_of_kuhn_poker() -> None:
    game = type("kuhn", (openspiel.OpenSpielGame,), {"spec": KUHN})()
    solver = CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    first, second = policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    assert first == pytest.approx(-1 / 18, abs=0.01)
    assert second == -first


@pytest.mark.parametrize(
    ("rewards", "utility", "bounds"),
    [("", "ZERO_SUM", (-0.5, 1)), ("returns", "GENERAL_SUM", (0, 1)), ("score", "GENERAL_SUM", (0, 625))],
)
def test_rewards_have_the_words_of_other_environments(rewards: str, utility: str, bounds: tuple[float, float]) -> None:
    game = pyspiel.load_game("ludoteca_okupacio", {"players": 3, "board": "4x4", "rewards": rewards})
    state, random = game.new_initial_state(), np.random.default_rng(1)
    while not state.is_terminal():
        assert state.returns() == [0] * 3
        state.apply_action(random.choice(state.legal_actions()))
    assert state.returns() == rewards_so_far(state.state, rewards or "zero_sum")
    assert (game.get_type().utility.name, (game.min_utility(), game.max_utility())) == (utility, bounds)
