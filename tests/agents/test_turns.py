"""A budget belongs to a turn if a turn has several moves."""

from pathlib import Path

import numpy as np
import pytest

import duel
import mutants
from duel import value as duel_value
from ludoteca.agents.agent import FIRST_SHARE, Decision, SearchAgent, TurnBudget
from ludoteca.core.contract import Floats
from ludoteca.core.game import Game, State, load
from ludoteca.core.rng import new_rng
from ludoteca.search import leaf
from ludoteca.search.leaf import Evaluator
from ludoteca.search.searcher import Budget, Findings, RootMove

BUDGET = 40
ONE_AFTER_ANOTHER = """state.mover = TERMINAL if state.n_hand[0] == 0 and state.n_hand[1] == 0 else (
        player if state.n_hand[player] > 0 else 1 - player
    )


def begins_turn(state: RawPosition) -> bool:
    return i64(state.n_hand[state.mover]) == HAND"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """Duel, in which a player plays a whole hand in a turn."""
    old = "state.mover = TERMINAL if state.n_hand[0] == 0 and state.n_hand[1] == 0 else 1 - player"
    return Game(mutants.load(tmp_path, "rules.py", old, ONE_AFTER_ANOTHER))


def play(state: State, agents: list[SearchAgent], most: int = 100) -> list[list[Decision]]:
    """Play at most this number of turns. Return the decisions, turn by turn."""
    turns: list[list[Decision]] = []
    while not state.is_terminal():
        player = state.current_player()
        known = state.information_state(player)
        if known.view.begins_turn():
            if len(turns) == most:
                break
            turns.append([])
        turns[-1].append(agents[player].choose(known))
        state.apply_action(turns[-1][-1].action)
    return turns


def searched(turn: list[Decision]) -> list[int]:
    """The simulations for each decision. Simulations without time were there before."""
    found = [decision.findings for decision in turn]
    return [findings.simulations if findings and findings.seconds > 0 else 0 for findings in found]


def test_the_moves_of_a_turn_share_its_budget(game: Game) -> None:
    agents = [SearchAgent(game, Budget(simulations=BUDGET), seed=seed) for seed in range(2)]
    turns = play(game.new_initial_state(1), agents)
    assert [len(turn) for turn in turns] == [2, 2]
    for turn in turns:
        assert searched(turn)[0] == FIRST_SHARE * BUDGET, "and most of it is for the first move"
        assert sum(searched(turn)) <= BUDGET


def test_who_is_asked_in_the_middle_of_a_turn_for_the_first_time_has_a_whole_budget(game: Game) -> None:
    state = game.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    decision = SearchAgent(game, Budget(simulations=BUDGET)).choose(state.information_state(player))
    assert searched([decision]) == [FIRST_SHARE * BUDGET]


def test_where_a_turn_is_one_move_it_has_the_whole_budget() -> None:
    game = Game(duel.GAME)
    agents = [SearchAgent(game, Budget(simulations=BUDGET), seed=seed) for seed in range(2)]
    assert {tuple(searched(turn)) for turn in play(game.new_initial_state(1), agents)} == {(BUDGET,)}


def test_what_a_search_could_not_change_is_not_searched(game: Game) -> None:
    state = game.new_initial_state(1)
    turn = TurnBudget(Budget(seconds=10.0))
    first = state.information_state(0)
    assert not turn.goes_on(first)
    turn.searched(found(600, 1, simulations=600))
    action = state.legal_actions()[0]
    turn.decided(first, action)
    state.apply_action(action)
    second = state.information_state(0)
    assert turn.goes_on(second)
    assert turn.budget().seconds == pytest.approx(2.0), "half of what is left"
    assert turn.is_settled(found(300, 99)), "200 more could not bring the second move to 300"
    assert not turn.is_settled(found(300, 101))


def found(best: int, second: int, simulations: int = 0) -> Findings:
    """The findings of a search of two moves, after this many visits to each."""
    moves = tuple(RootMove(i, visits, (0.5, 0.5), False) for i, visits in enumerate((best, second)))
    return Findings(0, moves, (0.5, 0.5), simulations, 0.0, (0,))


@pytest.mark.parametrize(("cut", "moves"), [(0, 1), (2, 3), (-1, 3)])
def test_a_playout_that_is_cut_short_goes_on_to_the_end_of_a_turn(game: Game, cut: int, moves: int) -> None:
    """After the first card of four: the first player's turn ends with one more, the second's with the last."""
    state = game.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    weights: Floats = np.zeros(duel_value.FEATURES, np.float32)
    learned = Evaluator(weights, np.zeros(duel_value.ACTIVE, np.int64), np.zeros(2, np.int64))
    kernel = game.bind(leaf, value=duel_value)
    assert kernel.play_out(state.position.raw, new_rng(1), cut, learned, np.zeros(2, np.int64)) == moves


def test_a_turn_of_conclave_has_one_budget() -> None:
    """Ceding, sending and drawing are one turn. Later moves continue the search."""
    game = load("conclave", players=2)
    agents = [SearchAgent(game, Budget(simulations=BUDGET), seed=seed) for seed in range(2)]
    turns = play(game.new_initial_state(4), agents, most=5)
    assert {len(turn) for turn in turns} == {2, 3}
    assert all(sum(searched(turn)) <= BUDGET for turn in turns)
