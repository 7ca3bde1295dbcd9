"""The questions to a search, and its answers."""

import threading
import time
from dataclasses import replace

import pytest

import ludoteca
from ludoteca.agents import agent
from ludoteca.core.errors import SearchError
from ludoteca.core.game import Game
from ludoteca.games.okupacio.play import heuristics
from ludoteca.search import findings
from ludoteca.search.searcher import WIDEN, Budget, Searcher, Settings

GAME = ludoteca.load("okupacio", players=2, board="8x8", compiled=True)
START = ludoteca.load("okupacio", players=2, board="8x8").new_initial_state(1)
"""Interpreted, so that whoever collects the tests compiles nothing."""


def new_searcher(game: Game, settings: Settings | None = None, seed: int = 0) -> Searcher:
    """By playouts, also if the game has a learned value."""
    return agent.new_searcher(game, replace(settings or Settings(), deepen=False), seed)


@pytest.mark.parametrize("budget", [Budget(), Budget(0), Budget(10, -1.0), Budget(cpu=0.0)])
def test_nothing_to_spend_is_refused(budget: Budget) -> None:
    with pytest.raises(SearchError, match=r"budget: read .*, expected more than 0"):
        new_searcher(GAME).search(START.information_state(0), budget)


def test_the_wrong_turn_the_wrong_game_and_the_end_are_refused() -> None:
    with pytest.raises(SearchError, match="the turn of player 0, and the state belongs to player 1"):
        new_searcher(GAME).search(START.information_state(1), Budget(10))
    other = ludoteca.load("okupacio", players=3, board="8x8").new_initial_state(1)
    with pytest.raises(SearchError, match=r"the state is of ludoteca\.load\('okupacio', players=3"):
        new_searcher(GAME).search(other.information_state(0), Budget(10))
    over = START.child(GAME.rules.CONCEDE)
    with pytest.raises(SearchError, match="the game is over"):
        new_searcher(GAME).search(over.information_state(0), Budget(10))


def test_actions_played_later_count_only_where_nothing_is_hidden() -> None:
    with pytest.raises(SearchError, match=r"rave: read 0.001, expected 0: .* no hidden information"):
        new_searcher(ludoteca.load("cartas"), Settings(rave=1e-3))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_budget_of_simulations_is_kept_exactly_and_its_findings_are_repeated(threads: int) -> None:
    found = [
        new_searcher(GAME, settings=Settings(threads=threads), seed=7).search(START.information_state(0), Budget(10_001))
        for _ in range(2)
    ]
    assert found[0].simulations == 10_001
    assert found[0]._replace(seconds=0) == found[1]._replace(seconds=0)
    other = new_searcher(GAME, settings=Settings(threads=threads), seed=8).search(START.information_state(0), Budget(10_001))
    assert other.choices != found[0].choices


def test_what_is_not_chosen_the_heuristics_choose() -> None:
    found, same, other = (
        new_searcher(GAME, Settings(widen=widen)).search(START.information_state(0), Budget(1000))
        for widen in (None, heuristics.WIDEN, WIDEN)
    )
    assert found.choices == same.choices != other.choices


def test_a_budget_of_seconds_ends_the_search() -> None:
    """Benchmarks measure how exactly. This test checks only that the clock is read often, on the process's own time."""
    found = 0
    for seconds in (0.3, 3.0, 30.0):  # a busy machine may have stopped us for all of the shorter ones
        if found < 1000:
            begin = time.process_time()
            found = new_searcher(GAME).search(START.information_state(0), Budget(seconds=seconds)).simulations
            assert time.process_time() - begin < seconds + 2
    assert found >= 1000


def test_however_short_the_time_is_something_is_searched() -> None:
    searcher = new_searcher(GAME)
    for _ in range(3):
        found = searcher.search(START.information_state(0), Budget(seconds=1e-9))
        assert found.simulations > 0
        assert found.action in START.legal_actions()


class Clocks(threading.local):
    """Clocks in place of the machine's: at each look 1/256 s of processor time is over, and more on a busy wall."""

    def __init__(self, slowness: float) -> None:
        self._slowness = slowness
        self._spent = 0.0

    def thread_time(self) -> float:
        self._spent += 1 / 256  # added up without rounding
        return self._spent

    def perf_counter(self) -> float:
        return self._spent * self._slowness


@pytest.mark.parametrize("threads", [1, 2])
def test_processor_time_is_as_much_on_a_busy_machine(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def simulations(budget: Budget, slowness: float) -> int:
        monkeypatch.setattr(findings, "time", Clocks(slowness))
        return new_searcher(GAME, Settings(threads=threads)).search(START.information_state(0), budget).simulations

    idle, busy = (simulations(Budget(cpu=0.05), slowness) for slowness in (1.0, 100.0))
    assert idle == busy > 50
    assert simulations(Budget(seconds=0.05), 100.0) < busy
    assert simulations(Budget(cpu=0.1), 1.0) > busy
    assert simulations(Budget(70, cpu=1.0), 1.0) == 70


def test_who_watches_is_told_how_far_it_is() -> None:
    shares: list[float] = []
    new_searcher(GAME).search(START.information_state(0), Budget(50_000), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 2


def test_what_comes_out_is_what_was_tried_most() -> None:
    found = new_searcher(GAME).search(START.information_state(0), Budget(500))
    assert found.action == max(found.choices, key=lambda choice: choice.visits).action
    assert {choice.action for choice in found.choices} < set(START.legal_actions()) - {GAME.rules.CONCEDE}
    assert found.line[0] == found.action
    state = START.clone()
    for action in found.line:
        state.apply_action(action)
