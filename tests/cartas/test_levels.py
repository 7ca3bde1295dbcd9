"""No level spoils a game: leaders play, and no level overlooks the last cards."""

import pytest

from ludoteca.agents.agent import GlancingAgent, new_agent
from ludoteca.core.game import Game, State
from ludoteca.games.cartas import GAME, rules

LEADS = {
    "one card": "K♥/A♠2♥/A♥3♦/A♦4♣ - 3 1",
    "a hand that loses": "3♠5♥9♦/K♠K♥K♦/A♥Q♦Q♠/A♦C♣ - 3 1",
    "another player holds one card": "3♠5♥9♦J♣/K♠/A♥Q♦Q♠/A♦C♣ - 3 1",
    "the first lead": "3♠5♥9♦J♣/K♠Q♥7♣8♦/A♥Q♦Q♠9♠/A♦C♣2♠4♥ - 0 1",
}


def chosen(name: str, state: State, seed: int) -> str:
    action = new_agent(name, state.game, seed).choose(state.information_state(0)).action
    return state.action_to_string(action)


@pytest.mark.parametrize("text", LEADS.values(), ids=LEADS)
@pytest.mark.parametrize("name", ["1", "3"])
def test_a_level_that_overlooks_moves_plays_when_it_leads(name: str, text: str) -> None:
    state = Game(GAME).state_from_string(text)
    assert "PASSO" not in {chosen(name, state, seed) for seed in range(25)}


@pytest.mark.slow
@pytest.mark.parametrize("text", LEADS.values(), ids=LEADS)
@pytest.mark.parametrize("name", ["4", pytest.param("7", marks=pytest.mark.soak)])
def test_a_level_that_searches_plays_when_it_leads(name: str, text: str) -> None:
    state = Game(GAME, compiled=True).state_from_string(text)
    assert "PASSO" not in {chosen(name, state, seed) for seed in range(5)}


def void_games(names: list[str], number: int) -> int:
    """The number of void games among the first deals, with the players one seat further in each."""
    game, voids = Game(GAME, compiled=True), 0
    for seed in range(number):
        agents = [new_agent(names[(seat + seed) % 4], game, 4 * seed + seat) for seat in range(4)]
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            player = state.current_player()
            state.apply_action(agents[player].choose(state.information_state(player)).action)
        voids += not state.winners()
    return voids


@pytest.mark.soak
@pytest.mark.parametrize(("name", "number"), [*((str(level), 100) for level in range(1, 8)), ("2000x", 20)])
def test_levels_void_no_more_games_than_greedy_players(name: str, number: int) -> None:
    assert void_games(["greedy", name, name, name], number) <= void_games(["greedy"] * 4, number) + 1


def test_nobody_overlooks_the_last_cards() -> None:
    state = Game(GAME).state_from_string("5♠5♥/A♠2♥/A♥3♦/A♦4♣ 4♠4♥ 2 1")
    blind = GlancingAgent(state.game, notices=0.0)
    assert {blind.choose(state.information_state(0)).action for _ in range(20)} == {state.string_to_action("5♠5♥")}


def test_the_actions_that_agents_consider_leave_out_a_leaders_pass() -> None:
    state = Game(GAME).state_from_string(LEADS["one card"])
    assert state.position.choices().tolist() == [rules.PASS, state.string_to_action("K♥")]
    assert state.position.candidates().tolist() == [state.string_to_action("K♥")]
