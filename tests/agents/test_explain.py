"""What agents say: the notation of the seat that they think for."""

import duel
import kuhn
from ludoteca.agents.agent import Decision
from ludoteca.agents.explain import advise, explain, write_line
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


def explained(language: str = "en") -> list[str]:
    state = DUEL.new_initial_state(1)
    one, two = state.legal_actions()[:2]
    found = findings(
        RootMove(one, 900, (0.634, 0.366), solved=False),
        RootMove(two, 100, (0.5, 0.5), solved=False),
        line=(one, DUEL.rules.SOME_CARD),
    )
    return explain(state.information_state(0), Decision(one, found), language).splitlines()


def test_an_explanation_has_value_simulations_line_and_alternatives_in_words() -> None:
    one, two = DUEL.new_initial_state(1).legal_actions()[:2]
    assert explained() == [
        f"A good player plays the {one}. Chance to win: 63 %, after trying 1,234,567 continuations.",
        "Then perhaps: player 2 lays a card face down (?).",
        f"Next best: plays the {two} (50 %).",
    ]


def test_what_is_solved_is_certain_and_some_agents_do_not_search() -> None:
    state = DUEL.new_initial_state(1)
    one = state.legal_actions()[0]
    found = findings(RootMove(one, 9, (1.0, 0.0), solved=True), line=(one,))
    known = state.information_state(0)
    assert explain(known, Decision(one, found)) == f"A good player plays the {one}. Chance to win: 100 %, for certain."
    unsearched = "It was chosen at first sight, without looking ahead."
    assert explain(known, Decision(one)) == f"A good player plays the {one}. {unsearched}"


def test_an_explanation_speaks_five_languages_throughout() -> None:
    one, two = DUEL.new_initial_state(1).legal_actions()[:2]
    assert explained("ro") == [
        f"Un jucător bun joacă {one}. Șanse de câștig: 63 %, după încercarea a 1.234.567 de continuări.",
        "Apoi, poate: jucătorul 2 pune o carte cu fața în jos (?).",
        f"Următoarele ca valoare: joacă {two} (50 %).",
    ]
    for lines in zip(*(explained(language) for language in LANGUAGES), strict=True):
        assert len(set(lines)) == len(LANGUAGES)


def test_points_have_the_decimal_sign_of_the_language() -> None:
    state = Game(registry.find("cartas")).new_initial_state(1)
    action = state.legal_actions()[0]
    found = findings(RootMove(action, 9, (12.34,) * 4, solved=True), line=(action,))
    known = state.information_state(state.current_player())
    assert "Points to expect: 12.3, for certain." in explain(known, Decision(action, found))
    assert "Puncte de așteptat: 12,3, cu siguranță." in explain(known, Decision(action, found), "ro")


def test_what_is_forced_is_told() -> None:
    game = Game(registry.find("cartas"))
    state = game.state_from_string("3♠3♥/4♦/4♥/A♠ K♠ 0 1")
    told = explain(state.information_state(0), Decision(0))
    assert told == "A good player passes (PASSO). Nothing else can be played."


def test_a_search_is_explained_in_moves_that_can_be_read_back() -> None:
    game = Game(registry.find("conclave"))
    state = game.new_initial_state(4)
    known = state.information_state(0)
    found = Searcher(game, seed=1).search(known, Budget(simulations=60))
    advice = advise(known, Decision(found.action, found))
    assert state.string_to_action(advice.line[0].text) == found.action
    assert all(isinstance(step.told, tuple) for step in advice.line)


def test_a_game_without_scenes_is_explained_in_notation() -> None:
    game = Game(kuhn.GAME)
    state = game.new_initial_state(1)
    action = state.legal_actions()[0]
    text = state.action_to_string(action)
    assert f" plays {text}." in explain(state.information_state(0), Decision(action))
