"""The rules page of Cartas agrees with the rules about its positions."""

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.combinations import answers
from ludoteca.games.cartas.view import guide
from tests.cartas.test_rules import EXAMPLE, legal, play


def bits(text: str) -> int:
    return cards.read(text)[0]


def at(position: str) -> State:
    return ludoteca.load("cartas").state_from_string(position)


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
