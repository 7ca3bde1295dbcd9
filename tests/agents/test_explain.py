"""What agents say: the notation of the seat that they think for."""

import duel
from ludoteca.agents.agent import Decision
from ludoteca.agents.explain import explain, write_line, write_value
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.messages import LANGUAGES
from ludoteca.search.searcher import Budget, Findings, RootMove, Searcher

DUEL = Game(duel.GAME)
FACE_DOWN = 8


def findings(*choices: RootMove, line: tuple[int, ...]) -> Findings:
    return Findings(0, choices, choices[0].values, 1234567, 1.0, line)


def test_what_others_hide_is_written_as_it_is_seen() -> None:
    state = DUEL.new_initial_state(1)
    known = state.information_state(0)
    card = state.legal_actions()[0]
    hidden = DUEL.rules.SOME_CARD
    assert write_line(known, [card, hidden]) == [str(card), "?"]
    assert write_line(known, [card + FACE_DOWN, hidden]) == [f"{card}?", "?"]


def test_a_line_ends_where_no_deal_goes_on() -> None:
    state = DUEL.new_initial_state(1)
    card = state.legal_actions()[0]
    assert write_line(state.information_state(0), [card, card]) == [str(card)], "the other player has not that card"
    assert write_line(state.information_state(0), []) == []


def test_an_explanation_has_value_simulations_line_and_alternatives() -> None:
    state = DUEL.new_initial_state(1)
    one, two = state.legal_actions()[:2]
    found = findings(
        RootMove(one, 900, (0.634, 0.366), solved=False),
        RootMove(two, 100, (0.5, 0.5), solved=False),
        line=(one, DUEL.rules.SOME_CARD),
    )
    assert explain(state.information_state(0), Decision(one, found)).splitlines() == [
        f"{one}: 63 % to win after 1,234,567 simulations, and then ?.",
        f"Next best: {two} 50 % to win.",
    ]


def test_what_is_solved_is_certain_and_some_agents_do_not_search() -> None:
    state = DUEL.new_initial_state(1)
    one = state.legal_actions()[0]
    found = findings(RootMove(one, 9, (1.0, 0.0), solved=True), line=(one,))
    assert explain(state.information_state(0), Decision(one, found)) == f"{one}: 100 % to win for certain."
    assert explain(state.information_state(0), Decision(one)) == f"{one}: chosen without a search."


def test_an_explanation_speaks_five_languages() -> None:
    state = DUEL.new_initial_state(1)
    one, two = state.legal_actions()[:2]
    found = findings(
        RootMove(one, 900, (0.634, 0.366), solved=False),
        RootMove(two, 100, (0.5, 0.5), solved=False),
        line=(one, DUEL.rules.SOME_CARD),
    )
    known, decision = state.information_state(0), Decision(one, found)
    assert explain(known, decision, "ro").splitlines() == [
        f"{one}: 63 % șanse de câștig după 1.234.567 de simulări, apoi ?.",
        f"Următoarele ca valoare: {two} 50 % șanse de câștig.",
    ]
    assert len({explain(known, decision, language) for language in LANGUAGES}) == 5


def test_points_have_the_decimal_sign_of_the_language() -> None:
    state = Game(registry.find("cartas")).new_initial_state(1)
    action = state.legal_actions()[0]
    found = findings(RootMove(action, 9, (12.34,) * 4, solved=True), line=(action,))
    known = state.information_state(state.current_player())
    assert "12.3 points for certain" in explain(known, Decision(action, found))
    assert "12,3 puncte cu siguranță" in explain(known, Decision(action, found), "ro")


def test_what_is_forced_is_told() -> None:
    game = Game(registry.find("cartas"))
    state = game.state_from_string("3♠3♥/4♦/4♥/A♠ K♠ 0 1")
    assert explain(state.information_state(0), Decision(0)) == "PASSO: nothing else can be played."


def test_points_are_no_shares() -> None:
    assert write_value(DUEL, 0.256) == "26 %"
    assert write_value(Game(registry.find("cartas")), 12.34) == "12.3 points"


def test_a_search_is_explained_in_moves_that_can_be_read_back() -> None:
    game = Game(registry.find("conclave"))
    state = game.new_initial_state(4)
    known = state.information_state(0)
    found = Searcher(game, seed=1).search(known, Budget(simulations=60))
    first = explain(known, Decision(found.action, found)).split(":")[0:2]
    assert state.string_to_action(":".join(first)) == found.action
