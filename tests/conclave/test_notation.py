"""Texts of cards, actions and positions, reading and writing, and wrong texts."""

import re

import pytest

import ludoteca
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.games.conclave import deck, notation
from tests.conclave.oracle import DECK
from tests.conclave.test_rules import ANNA, BEA, BORDER, CARLA, at


def test_cards() -> None:
    cards = deck.ordered_deck()
    assert [notation.card_name(card) for card in cards] == DECK
    assert [notation.read_card(name) for name in DECK] == cards
    assert [notation.card_name(16 * magic + 15) for magic in range(6)] == list("boprtv")
    assert notation.card_name(deck.NOTHING) == "-"


@pytest.mark.parametrize("name", ["", "x1c", "b0c", "b6c", "b1x", "b11c", "B1C"])
def test_what_is_no_card(name: str) -> None:
    with pytest.raises(NotationError, match="is no card"):
        notation.read_card(name)


# Actions


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("0:00", 0), ("3:33", 63), ("1:20", 24), ("b>1", 64), ("v>2", 77), ("keep", 96), ("e", 97), ("d", 98),
        (" 1 : 2 0 ", 24), ("120", 24), ("1 2,0", 24), ("b2", 72), ("b > 2", 72),
    ],
)  # fmt: skip
def test_actions(text: str, action: int) -> None:
    state = at()
    assert state.string_to_action(text) == action
    if " " not in text and text not in ("120", "b2"):
        assert state.action_to_string(action) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no action"), ("x", "is no action"), ("E", "is no action"), ("0:1", "is no action"),
        ("keep it", "is no action"),
        ("b>12", "is no action"), ("4:00", "there is no place 4 in a hand"), ("0:40", "40 is outside the board"),
        ("0:04", "04 is outside"), ("z>1", "'z' is no magic"),
        ("b>3", "there is no player 3"), ("b>0", "there is no player 0"),
    ],
)  # fmt: skip
def test_what_is_no_action(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=re.escape(why)):
        at().string_to_action(text)


@pytest.mark.parametrize(
    ("followers", "mover", "action", "why"),
    [
        ("-/-", "1:send", "keep", "this is not possible now: send an emissary into a hole"),
        ("-/-", "1:send", "e", "this is not possible now"),
        ("-/-", "1:send", "0:33", "the cell 33 is taken"),
        ("v1g/-", "1:cede", "0:11", "now: cede a magic, or nothing"),
        ("v1g/-", "1:cede", "v>1", "you cannot cede to yourself"),
        ("v1g/-", "1:cede", "o>2", "you have no followers of magic o"),
        ("v1g,p1g/p2g", "1:cede", "p>2", "player 2 has followers of magic p already"),
    ],
)
def test_why_an_action_is_refused(followers: str, mover: str, action: str, why: str) -> None:
    state = at(followers=followers, mover=mover)
    with pytest.raises(IllegalActionError, match=re.escape(why)):
        state.apply_action(state.string_to_action(action))


# Positions


def test_a_position() -> None:
    text = f"{BORDER} {ANNA}/{BEA} o1g,o3g,v1g/b5g o1s,o2s t1s 1:cede"
    assert str(ludoteca.load("conclave").state_from_string(text)) == text


def test_followers_are_written_in_the_documents_order() -> None:
    assert str(at(followers="v5g,b5c,b1s,b1g,o2c/-".replace("o2c", "o2g"))).split()[2] == "b1g,b1s,b5c,o2g,v5g/-"


def test_the_hands_tell_the_last_round() -> None:
    late = at(hands=f"-,t1c,t2c,t3c/{BEA}/{CARLA}", followers="-/-/-", left="-", right="-", mover="2:send")
    assert late.raw.turns_left == 2


GOOD = [BORDER, f"{ANNA}/{BEA}", "-/-", "o1s,o2s", "t1s", "1:send"]


@pytest.mark.parametrize(
    ("number", "text", "why"),
    [
        (5, "", "the position has 5 parts: expected 6"),
        (0, "b1c,b2c/-,-", "the board has 2 rows: expected 4"),
        (0, BORDER.replace("-,-,o2c", "-,o2c"), "row 1 of the board has 3 cells: expected 4"),
        (0, BORDER.replace("b1c", "b9c"), "'b9c' is no card"),
        (0, BORDER.replace("b1c", "p5g"), "the card p5g comes twice"),
        (1, ANNA, "the position has 1 hand: expected 2"),
        (1, f"{ANNA}/v1c,v2c", "the hand of player 2 has 2 places: expected 4"),
        (1, f"{ANNA}/v,v2c,v3c,v5c", "v is the back of a card: a position must name the card"),
        (1, f"{ANNA}/-,v2c,v3c,v5c", "the hands have [0, 1] empty places"),
        (1, f"-/{BEA}", "the hands have [4, 0] empty places"),
        (2, "-", "the list of followers has 1 part: expected 2"),
        (2, "-/p", "p is the back of a card"),
        (
            3,
            ",".join([card for card in DECK if card[2] == "g" and card != "p5g"][:18]),
            "a pile has 18 cards: in this game it begins with 17",
        ),
        (3, "o1s,-", "a pile has a card '-' in it"),
        (5, "-", "the hands have [0, 0] empty places"),
        (5, "3:send", "the player to move is '3:send'"),
        (5, "1:cede", "player 1 has nothing to cede to anybody"),
        (5, "1:draw", "the hands have [0, 0] empty places"),
    ],
)
def test_what_is_no_position(number: int, text: str, why: str) -> None:
    parts = [*GOOD]
    parts[number] = text
    with pytest.raises(NotationError, match=re.escape(why)):
        ludoteca.load("conclave").state_from_string(" ".join(parts))


@pytest.mark.parametrize(
    ("followers", "mover", "begins"),
    [
        ("-/-", "1:send", True),
        ("-/b2g", "1:ceded", False),
        ("b2g/-", "1:cede", True),
        ("b2g/-", "1:send", False),
    ],
)
def test_a_position_says_if_its_turn_begins(followers: str, mover: str, begins: bool) -> None:
    state = at(followers=followers, mover=mover)
    assert state.position.begins_turn() == begins
    assert str(state).endswith(mover)


def test_who_could_cede_more_decided_not_to() -> None:
    with pytest.raises(NotationError, match="player 1 could cede more: expected send"):
        at(followers="b2g/-", mover="1:ceded")


def test_nobody_draws_from_one_pile() -> None:
    with pytest.raises(NotationError, match="a pile is empty: there is none to choose"):
        at(hands=f"-,t1c,t2c,t3c/{BEA}", left="-", mover="1:draw")


def test_those_who_had_their_last_turn_sit_before_the_mover() -> None:
    with pytest.raises(NotationError, match=re.escape("the hands have [0, 1, 0] empty places")):
        at(hands=f"{ANNA}/-,v1c,v2c,v3c/{CARLA}", followers="-/-/-", left="-", right="-", mover="1:send")
