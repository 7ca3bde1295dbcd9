"""What the rules page of Cartas says of its positions is what the rules make of them."""

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.cartas import cards, rules
from ludoteca.games.cartas.combinations import DECK, answers, shape_of
from ludoteca.games.cartas.notation import kind_of
from ludoteca.games.cartas.view import guide
from tests.cartas.test_rules import EXAMPLE, legal, play


def bits(text: str) -> int:
    return cards.read(text)[0]


def at(position: str) -> State:
    return ludoteca.load("cartas").state_from_string(position)


def test_all_cards_are_dealt_at_the_start() -> None:
    raw = at(guide.DEAL).raw
    assert raw.sizes.tolist() == [rules.HAND] * rules.PLAYERS
    assert sum(raw.hands.tolist()) == DECK


def test_the_combinations_are_of_the_kinds_they_are_shown_for() -> None:
    kinds = {name: kind_of(shape_of(bits(text))) for name, (text, _) in guide.COMBINATIONS.items()}
    assert kinds == {"set": ("kind.set", 3), "sequence": ("kind.sequence", 4), "double": ("kind.double", 3)}


def test_the_cards_that_answer_are_those_that_are_marked() -> None:
    assert legal(at(guide.ANSWER)) == {"8♣", "Q♥", "K♦", "PASSO"}


def test_what_answers_each_kind_ends_as_the_guide_says() -> None:
    sequence, double = (bits(guide.COMBINATIONS[kind][0]) for kind in ("sequence", "double"))
    assert answers(bits("9♠10♥J♠C♦"), sequence)
    assert not answers(bits("9♠10♥J♠C♠"), sequence)
    assert answers(bits("6♠6♣7♠7♦8♠8♥"), double)
    assert not answers(bits("5♦5♣6♠6♣7♠7♦"), double)


def test_four_threes_answer_a_king_and_are_answered_by_four_sevens() -> None:
    state = play(at(guide.KING), "3♠3♥3♦3♣")
    assert legal(state) == {"7♠7♥7♦7♣", "PASSO"}


def test_the_example_is_the_game_of_the_document() -> None:
    before = at(guide.KING)
    rest = " ".join(EXAMPLE).split()[6:]
    assert play(before.child(before.string_to_action(rest[0])), *rest[1:-1]) == at(guide.LAST)
    assert play(at(guide.LAST), rest[-1]).scores() == [0, 0, 0, 12 + 12 + 9]
