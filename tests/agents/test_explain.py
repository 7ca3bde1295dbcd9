"""What agents say: the notation of the seat that they think for."""

import pytest

import duel
import kuhn
from ludoteca.agents.agent import Decision
from ludoteca.agents.explain import advise, explain, write_line
from ludoteca.agents.intervals import FEW, Interval, interval_of, search_interval
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
    assert explain(known, Decision(one)) == f"A quick guess: plays the {one}. {unsearched}"


GUESS = "A quick guess: plays the {card}. It may be wrong, as it was chosen "
GOOD = "A good player plays the {card}. "


@pytest.mark.parametrize(
    ("simulations", "value", "solved", "weaker", "interval", "told"),
    [
        (39, 0.98, False, False, None, GUESS + "after trying 39 continuations."),
        (FEW - 1, 0.98, False, False, None, GUESS + "after trying 399 continuations."),
        (FEW, 0.56, False, False, (0.52, 0.61), GOOD + "Chance to win: 52 to 61 %, after trying 400 continuations."),
        (FEW, 0.98, False, True, None, GUESS + "after trying 400 continuations."),
        (39, 1.0, True, True, None, GOOD + "Chance to win: 100 %, for certain."),
        (FEW, 0.56, False, False, (0.561, 0.562), GOOD + "Chance to win: 56 %, after trying 400 continuations."),
        (FEW, 0.56, False, False, (0.0, 1.0), GOOD + "The winner is still uncertain after trying 400 continuations."),
    ],
)
def test_a_value_is_told_with_its_uncertainty(
    simulations: int, value: float, solved: bool, weaker: bool, interval: Interval | None, told: str
) -> None:
    state = DUEL.new_initial_state(1)
    card, other = state.legal_actions()[:2]
    choices = (RootMove(card, 9, (value, 1 - value), solved), RootMove(other, 1, (0.5, 0.5), solved=False))
    found = Findings(0, choices, choices[0].values, simulations, 1.0, (card,))
    decision = Decision(card, found, weaker)
    first, *others = explain(state.information_state(0), decision, interval=interval).splitlines()
    assert first == told.format(card=card)
    assert bool(others) is not told.startswith(GUESS[:8])


def test_points_have_an_interval_in_each_language() -> None:
    state = Game(registry.find("cartas")).new_initial_state(1)
    known, action = state.information_state(state.current_player()), state.legal_actions()[0]
    decision = Decision(action, findings(RootMove(action, 9, (12.34,) * 4, solved=False), line=(action,)))
    told = [explain(known, decision, language, (11.25, 13.4)) for language in LANGUAGES]
    assert all("11.2" in text or "11,2" in text for text in told)
    assert all("13.4" in text or "13,4" in text for text in told)
    assert not any("12.3" in text or "12,3" in text for text in told)


def test_a_search_of_many_simulations_gets_an_interval_and_a_short_one_none() -> None:
    game = Game(registry.find("conclave"))
    state = game.new_initial_state(4)
    action = state.legal_actions()[0]
    choices = (RootMove(action, 9, (0.5, 0.5), solved=False),)
    few, enough = (
        Decision(action, Findings(0, choices, (0.5, 0.5), simulations, 1.0, (action,))) for simulations in (FEW - 1, FEW)
    )
    budget, known = Budget(simulations=80), state.information_state(0)
    assert search_interval(game, known, few, budget, 1) is None
    interval = search_interval(game, known, enough, budget, 1)
    assert interval is not None
    assert 0 <= interval[0] < interval[1] <= 1


@pytest.mark.parametrize(
    ("game", "values", "interval"),
    [
        ("okupacio", (0.7, 0.7, 0.7, 0.7), (0.7, 1.0)),
        ("okupacio", (0.3, 0.3, 0.3, 0.3), (0.0, 0.3)),
        ("okupacio", (0.55, 0.55, 0.55, 0.55), (0.0, 1.0)),
        ("conclave", (0.5, 0.5, 0.6, 0.6), (0.458, 0.642)),
        ("conclave", (0.9, 1.0, 1.0, 1.0), (0.895, 1.0)),
        ("cartas", (10, 10, 12, 12), (9.163, 12.837)),
    ],
)
def test_the_interval_of_independent_values(game: str, values: tuple[float, ...], interval: Interval) -> None:
    assert interval_of(Game(registry.find(game)), values) == pytest.approx(interval, abs=0.001)


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
