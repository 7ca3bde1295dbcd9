"""Search for points above and below zero: Kuhn poker, as it is and with open cards."""

from dataclasses import replace
from functools import cache
from types import ModuleType

import pytest

import kuhn.rules
from kuhn import GAME as KUHN
from kuhn.rules import BET, PASS
from ludoteca.agents.agent import new_searcher
from ludoteca.agents.analysis import stake, value_moves
from ludoteca.core.contract import RawPosition
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec
from ludoteca.search.searcher import Budget, Settings

HIDDEN = Game(KUHN)
DEALS = ("12", "23", "31")
PLAYS = {"start": "11 0 0", "passed": "11 1 1", "bet": "21 1 1", "passed, bet": "12 2 0"}


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    view.cards = state.cards
    view.chips = state.chips
    view.played = state.played
    view.mover = state.mover


class OpenSpec(GameSpec):
    """Kuhn poker in which nothing is hidden."""

    def module(self, name: str) -> ModuleType:
        module = super().module(name)
        if name == "rules":
            module = ModuleType("open_kuhn_rules")
            vars(module).update(vars(kuhn.rules) | {"conceal": conceal, "__name__": "open_kuhn_rules"})
        return module


OPEN = Game(OpenSpec(**vars(replace(KUHN, perfect_information=True))))


@cache
def best_scores(state: State) -> tuple[int, ...]:
    """The scores when both play best: every way tried."""
    if state.is_terminal():
        return tuple(state.scores())
    ways = [best_scores(state.child(action)) for action in state.legal_actions()]
    return max(ways, key=lambda scores: scores[state.current_player()])


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS)
@pytest.mark.parametrize("deal", DEALS)
def test_best_play_is_found_where_nothing_is_hidden_though_all_may_be_lost(deal: str, play: str) -> None:
    state = OPEN.state_from_string(f"{deal} {play}")
    found = new_searcher(OPEN, Settings(expand_at=1)).search(state.information_state(state.current_player()), Budget(300))
    assert found.values == best_scores(state)
    assert best_scores(state.child(found.action)) == best_scores(state)
    assert found.choices[0].solved


def test_who_holds_the_lowest_card_gives_up_the_pot_and_who_holds_the_highest_takes_two() -> None:
    for deal, action, value in (("21", PASS, -1), ("31", PASS, -1), ("13", BET, 2), ("23", BET, 2)):
        known = HIDDEN.state_from_string(f"{deal} {PLAYS['bet']}").information_state(1)
        found = new_searcher(HIDDEN).search(known, Budget(400))
        assert found.action == action
        assert list(found.choices[0].values) == [-value, value]
        assert sum(found.values) == pytest.approx(0)


def test_what_is_at_stake_reaches_from_the_lowest_value_to_the_highest() -> None:
    state = HIDDEN.state_from_string(f"13 {PLAYS['start']}")
    for action in (BET, BET):
        state.apply_action(action)
    moves = list(value_moves(state, Budget(50)))
    assert list(moves[-1].values) == [-2, 2]
    assert stake(state, moves) == pytest.approx(4)
