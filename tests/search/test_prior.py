"""What heuristics expect of actions counts as visits when a search makes its choice."""

import pytest

from duel import GAME as DUEL
from ludoteca.core.game import Game
from ludoteca.search.findings import RootMove
from ludoteca.search.prior import Prior, Trust, trust_in
from ludoteca.search.searcher import Budget, Searcher, Settings
from tests.search import laying, trusted

GAME = Game(DUEL)
START = GAME.state_from_string("6 0 3,12 0,0 2,2 0,0 0 -1 0,0 0 0")
LOW, HIGH = START.legal_actions()[:2]
ROOT = (0.5, 0.5)


def found(action: int, visits: int, share: float, *, solved: bool = False) -> RootMove:
    return RootMove(action, visits, (share, 1 - share), solved)


def first(choices: list[RootMove], **trust: float) -> int:
    prior = Prior(GAME, trusted, Trust(**{"visits": 10, "unit": 0.1, "caution": 0.0} | trust))
    return prior.order(START.position, choices, ROOT)[0].action


@pytest.mark.parametrize(
    ("visits", "best"),
    [(1, HIGH), (10, LOW)],  # it is 0.1 behind by the heuristics, which count for 10 visits, and 0.15 ahead by the search
)
def test_a_few_visits_do_not_outweigh_the_heuristics(visits: int, best: int) -> None:
    assert HIGH == LOW + 1
    assert first([found(LOW, visits, 0.65), found(HIGH, visits, 0.5)]) == best


def test_the_heuristics_expect_no_more_than_the_root_has() -> None:
    assert first([found(LOW, 100, 0.65), found(HIGH, 0, 0.0)]) == LOW


def test_of_two_as_good_the_one_that_was_visited_more_is_chosen_with_caution() -> None:
    choices = [found(LOW, 90, 0.7), found(HIGH, 20, 0.8)]
    assert first(choices, visits=0.001) == HIGH
    assert first(choices, visits=0.001, caution=1.0) == LOW


def test_what_is_solved_is_what_it_is() -> None:
    choices = [found(LOW, 1, 0.55, solved=True), found(HIGH, 1000, 0.5)]
    assert first(choices) == LOW


def test_heuristics_say_how_far_they_are_trusted_and_parameters_go_first() -> None:
    assert trust_in(trusted, {}) == Trust(10, 0.1, 1.0)
    assert trust_in(trusted, {"TRUST": 3, "UNIT": 0.5}) == Trust(3, 0.5, 1.0)
    assert trust_in(laying, {}) is None
    assert trust_in(None, {}) is None


def test_a_search_of_three_simulations_plays_what_trusted_heuristics_say() -> None:
    budget, state = Budget(simulations=3), START.information_state(0)
    choices = Searcher(GAME, trusted, Settings(widen=100.0)).search(state, budget).choices
    assert len(choices) == 3
    assert choices[0].action == max(choice.action for choice in choices)
