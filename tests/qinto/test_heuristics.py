"""Heuristics: their preferences, and that a player who follows them wins. Laws check legality and secrets."""

from collections.abc import Callable

import numpy as np
import pytest

import ludoteca
from ludoteca.agents.agent import GreedyAgent
from ludoteca.core import hints
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.qinto.play import heuristics
from ludoteca.games.qinto.rules import tiles_left
from tests.qinto.positions import at, grid_of

GAMES = 24
Chooser = Callable[[State], int]


def best(state: State) -> set[str]:
    """Return the texts of the steps with the highest value."""
    legal = np.array(state.legal_actions(), np.int64)
    values = np.zeros(len(legal), np.int64)
    heuristics.action_values(state.raw, legal, len(legal), values)
    return {state.action_to_string(int(action)) for action in legal[values == values.max()]}


def test_in_light_a_q_nto_is_best() -> None:
    assert best(at(grid_of("1b 2b 3b 4b\n1G .  .  ."), ["5b", "2G", "2R", "2Y", "1R"])) == {"+5b@0,4", "+5b@0,-1"}


def test_an_ordinary_tile_goes_before_a_wild() -> None:
    assert "W" not in {text[2] for text in best(at(grid_of("1G"), ["2G", "WG", "WW", "4W", "5W"]))}


def test_in_classic_points_count() -> None:
    """The row and the column have three tiles each, so only their ends give four points."""
    state = at(grid_of("1b 2b 3b\n.  .  4R\n.  .  5G"), ["4b", "5b", "4B", "1Y", "2Y"], "classic")
    assert {text.partition("@")[2] for text in best(state)} == {"0,3", "0,-1", "3,2", "-1,2"}


def test_wilds_are_swapped_for_when_nothing_can_be_added_and_tiles_are_traded_at_the_last() -> None:
    state = at(grid_of("1b WW"), ["1G", "1R", "1B", "1Y", "2b"])
    swaps = [action for action in state.legal_actions() if state.action_to_string(action)[0] in "~-e"]
    values = np.zeros(len(swaps), np.int64)
    heuristics.action_values(state.raw, np.array(swaps, np.int64), len(swaps), values)
    order = [state.action_to_string(action)[0] for _, action in sorted(zip(values.tolist(), swaps, strict=True))]
    assert order == sorted(order, key="e-~".index)


@pytest.mark.parametrize(("variant", "obvious"), [("light", True), ("classic", False)])
def test_in_light_nobody_overlooks_the_last_tile(variant: str, obvious: bool) -> None:
    """In Classic the game also ends with the last tile, but the points decide."""
    state = ludoteca.load("qinto", variant=variant).new_initial_state(2)
    agent = GreedyAgent(state.game)
    while tiles_left(state.raw, state.current_player()) > 1 or not best(state).pop().startswith("+"):
        assert not any(heuristics.is_obvious(state.raw, action) for action in state.legal_actions())
        state.apply_action(agent.choose(state.information_state(state.current_player())).action)
    found = {state.action_to_string(action)[0]: heuristics.is_obvious(state.raw, action) for action in state.legal_actions()}
    assert found == {action: action == "+" and obvious for action in found}


@pytest.mark.parametrize(("variant", "players"), [("light", 4), ("plus", 3)])
@pytest.mark.parametrize("kind", ["greedy", "policy"])
def test_following_them_wins(variant: str, players: int, kind: str) -> None:
    game = ludoteca.load("qinto", variant=variant, players=players, compiled=True)
    rng, hint = new_rng(3), game.bind(hints, heuristics)

    def greedy(state: State) -> int:
        legal = np.array(state.legal_actions(), np.int64)
        values = np.zeros(len(legal), np.int64)
        hint.value_actions(state.position.array, legal, len(legal), values)
        return int(legal[values.argmax()])

    def policy(state: State) -> int:
        return int(hint.choose_by_policy(state.position.array, rng))

    choosers: dict[str, Chooser] = {"greedy": greedy, "policy": policy}
    won = 0.0
    for number in range(GAMES):
        state, seat = game.new_initial_state(number), number % players
        while not state.is_terminal():
            ours = state.current_player() == seat
            state.apply_action(choosers[kind](state) if ours else state.random_action(rng))
        won += state.returns()[seat]
    assert won > 0.8 * GAMES
