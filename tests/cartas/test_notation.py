"""Cards, plays and positions as text, both ways, and the errors for other texts."""

import pytest

import ludoteca
from ludoteca.core.errors import NotationError
from ludoteca.games.cartas import cards

GAME = ludoteca.load("cartas")


def test_all_cards_have_the_code_points_of_the_document() -> None:
    assert len(set(cards.PICTURES)) == 56
    assert [ord(cards.PICTURES[card]) for card in (0, 1, 2, 3, 44, 52, 55)] == [
        0x1F0A1, 0x1F0B1, 0x1F0C1, 0x1F0D1, 0x1F0AC, 0x1F0AE, 0x1F0DE,
    ]  # fmt: skip


@pytest.mark.parametrize("form", [cards.PICTURES, cards.WORDS])
def test_cards_are_read_as_they_are_written(form: cards.Form) -> None:
    for some in (0, 1, (1 << 56) - 1, 0x5A5A5A5A5A5A5A, 1 << 55):
        for between in (" ", "", "  \t"):
            assert cards.read(cards.write(some, form, between)) == (some, form is cards.WORDS and some != 0)


@pytest.mark.parametrize(
    "text", ["10♠J♥C♦", "C♦ J♥ 10♠", "10 ♠ J ♥ C ♦", "🂪🂻🃌", "🃌 10♠ 🂻", " 10e Jc Co ", "10eJcCo", "10♠ Jc 🃌"]
)
def test_a_play_is_read_in_every_form(text: str) -> None:
    state = GAME.new_initial_state(1)
    assert state.action_to_string(state.string_to_action(text)) == "10♠J♥C♦"


@pytest.mark.parametrize("text", ["PASSO", " passo ", "pass", "paso"])
def test_passing_is_written_so(text: str) -> None:
    state = GAME.new_initial_state(1)
    assert state.string_to_action(text) == 0
    assert state.action_to_string(0) == "PASSO"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected cards"),
        ("1♠", "read '1♠' at character 1, expected a card"),
        ("10♠ x", "read 'x' at character 5, expected a card"),
        ("10♠10♠", "10♠ appears twice, again at character 4"),
        ("PASSO 5♠", "read 'PASSO' at character 1"),
        ("5♠\x00", "read '.x00' at character 3"),
    ],
)
def test_what_is_no_play(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        GAME.new_initial_state(1).string_to_action(text)


def test_views_hide_hands_and_name_what_was_played() -> None:
    state = GAME.state_from_string("5♠6♥/A♠2♥/A♥/K♦ 4♥ 2 1")
    assert state.observation_string(1).startswith("2/A♠2♥/1/1 4♥ 2 1 A♦A♣2♠")
    assert state.observation_string(-1).startswith("2/2/1/1 4♥ 2 1 A♦A♣2♠")
    start = GAME.new_initial_state(1)
    assert start.observation_string(-1) == "14/14/14/14 - 0 1 -"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5♠/A♠/A♥/A♦ - 0", "the position has 3 parts: expected 4: hands, combination"),
        ("5♠/1/1/1 - 0 1 A♥", "the view of a seat, not a whole position"),
        ("5♠/A♠/A♥ - 0 1", "3 hands: expected 4"),
        ("5♠/A♠/A♥/5♠ - 0 1", "5♠ is in two hands"),
        ("5♠/14/A♥/A♦ - 0 1", "the hand of player 2: read '14' at character 1, expected a card, or -"),
        ("A♠A♥A♦A♣2♠2♥2♦2♣3♠3♥3♦3♣4♠4♥4♦/K♠/K♥/K♦ - 0 1", "player 1 has 15 cards, expected 14 at most"),
        ("5♠/A♠/A♥/A♦ A♠ 0 1", "A♠ is in a hand, and in the combination to answer"),
        ("5♠/A♠/A♥/A♦ 6♠7♠ 0 1", "6♠7♠ is to be answered, and is no combination"),
        ("5♠/A♠/A♥/A♦ 6♠ 3 1", "the passes in a row: read '3', expected a number from 0 to 2"),
        ("5♠/A♠/A♥/A♦ - 0 5", "the player to move is '5': expected one of 1, 2, 3, 4"),
        ("5♠/A♠/A♥/A♦ - 0 -", "the game is not over"),
        ("5♠/A♠/A♥/A♦ - 4 1", "the game is over: expected -"),
        ("-/A♠/A♥/A♦ 5♠ 0 1", "the game is over: expected -"),
        ("-/-/A♥/A♦ 5♠ 0 -", "player 1 and player 2 have no cards"),
        ("-/A♠/A♥/A♦ - 0 -", "player 1 has no cards: expected the last play"),
    ],
)
def test_what_is_no_position(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        GAME.state_from_string(text)
