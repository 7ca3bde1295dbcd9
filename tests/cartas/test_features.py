"""What learners see of Cartas, read slowly off the position's text, and the numbers of plays by their definition."""

from collections import defaultdict

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.testing.trial import sparse, walk
from tests.cartas.oracle import Card, Cards, kind

GAME = ludoteca.load("cartas")
SUITS = "♠♥♦♣"
VALUES = ["A", *map(str, range(2, 11)), "J", "C", "Q", "K"]
DECK = [(value, suit) for value in range(1, 15) for suit in range(4)]
SHAPES = [
    *(("set", size) for size in range(1, 5)),
    *(("sequence", size) for size in range(3, 15)),
    *(("double", size) for size in range(3, 8)),
]
NUMBERS = [((what, size), card) for what, size in SHAPES for card in DECK if what == "set" or card[0] >= size]
"""The meaning of each number: the shape and the highest card."""


def cards_of(text: str) -> Cards:
    """The cards in a text such as `A♠10♥`. There are none in `-` or a number."""
    words = text.translate({ord(suit): f"{suit} " for suit in SUITS}).split()
    return frozenset((VALUES.index(word[:-1]) + 1, SUITS.index(word[-1])) for word in words if word[-1] in SUITS)


def played_by_number(state: State) -> dict[int, list[int]]:
    """The legal actions of each number."""
    found = defaultdict(list)
    for action in state.legal_actions():
        cards = cards_of(state.action_to_string(action)) if action else frozenset[Card]()
        shape = kind(cards)
        found[NUMBERS.index((shape, max(cards))) if shape else len(NUMBERS)].append(action)
    return found


def test_there_are_737_numbers_and_suits_cannot_be_exchanged() -> None:
    assert GAME.features.layout.actions == len(NUMBERS) + 1 == 737
    assert len(ludoteca.symmetries(GAME)) == 1


@pytest.mark.parametrize("seed", range(2))
def test_a_number_stands_for_a_shape_and_a_highest_card_and_then_the_lowest_cards(seed: int) -> None:
    for state in walk(GAME, seed):
        numbers = played_by_number(state)
        assert np.flatnonzero(state.action_mask()).tolist() == sorted(numbers)
        for number, actions in numbers.items():
            assert {state.encode_action(action) for action in actions} == {number}
            assert state.decode_action(number) == min(actions)


@pytest.mark.parametrize(
    ("position", "plays"),
    [
        ("2♠2♥2♦2♣3♠/A♠/A♥/A♦ K♠ 0 1", ["2♠2♥2♦2♣"]),
        ("2♠2♥3♠3♦4♥4♣4♠/A♠/A♥/A♦ K♠ 0 1", ["2♠2♥3♠3♦4♠4♥", "2♠2♥3♠3♦4♠4♣"]),
        ("2♠2♥3♠3♦4♥4♣5♠5♥6♠6♥K♣/A♠/A♥/A♦ K♠K♥ 0 1", ["2♠2♥3♠3♦4♥4♣5♠5♥", "3♠3♦4♥4♣5♠5♥6♠6♥"]),
        (
            "A♠A♥2♠2♥3♠3♦4♥4♣5♠5♥6♠6♥K♣/A♣/9♥/A♦ K♠K♥K♦ 0 1",
            ["A♠A♥2♠2♥3♠3♦4♥4♣5♠5♥", "2♠2♥3♠3♦4♥4♣5♠5♥6♠6♥"],
        ),
        (
            "A♠2♥3♦4♣5♠6♥7♦8♣9♠10♥J♦C♣Q♠K♥/A♣/A♥/A♦ 2♠3♠4♠5♥6♠7♠8♠9♥10♠J♠C♠Q♥K♠ 0 1",
            ["2♥3♦4♣5♠6♥7♦8♣9♠10♥J♦C♣Q♠K♥"],
        ),
    ],
)
def test_answers_to_kings_and_to_long_plays(position: str, plays: list[str]) -> None:
    state = GAME.state_from_string(position)
    numbers = np.flatnonzero(state.action_mask()).tolist()
    assert numbers == sorted(played_by_number(state))
    assert {state.action_to_string(state.decode_action(number)) for number in numbers} >= {*plays}


def test_all_shapes_can_be_led() -> None:
    for position in (
        "A♠2♥3♦4♣5♠6♥7♦8♣9♠10♥J♦C♣Q♠K♥/A♣/9♥/A♦ - 0 1",
        "A♠A♥2♠2♥3♠3♦4♥4♣5♠5♥6♠6♥7♦7♣/A♣/9♥/A♦ - 0 1",
        "8♦8♣9♠9♥10♠10♦J♥J♣C♠C♥Q♠Q♥K♦K♣/A♣/9♦/A♦ - 0 1",
        "2♠2♥2♦2♣3♠3♥3♦4♥4♦4♣5♠5♣/A♣/9♥/A♦ - 0 1",
    ):
        state = GAME.state_from_string(position)
        numbers = played_by_number(state)
        assert np.flatnonzero(state.action_mask()).tolist() == sorted(numbers)
        assert [state.decode_action(number) for number in sorted(numbers)] == [min(numbers[n]) for n in sorted(numbers)]


@pytest.mark.parametrize("seed", range(1, 2))
def test_planes_and_numbers_are_what_the_view_says(seed: int) -> None:
    layout = GAME.features.layout
    for state in sparse(walk(GAME, seed), 3):
        for seat in range(SPECTATOR, 4):
            planes, numbers = state.observation(seat)
            view = GAME.notation.position_to_string(state.view(seat).raw).split()
            hands, to_answer, passes, mover = view[:4]
            order = [(max(seat, 0) + i) % 4 for i in range(4)]
            own = cards_of(hands.split("/")[seat]) if seat >= 0 else frozenset[Card]()
            played = {*DECK} - {card for hand in state.raw.hands for card in DECK if hand >> DECK.index(card) & 1}
            for plane, cards in zip(planes, (own, {*DECK} - played - own, cards_of(to_answer)), strict=True):
                assert {DECK[cell] for cell in np.flatnonzero(plane)} == cards
            shape = kind(cards_of(to_answer))
            length, each = (
                (0, 0) if not shape else (1, shape[1]) if shape[0] == "set" else (shape[1], 1 + (shape[0] == "double"))
            )
            sizes = [len(cards_of(str(state).split()[0].split("/")[one])) / 14 for one in order]
            moves = [float(mover == str(one + 1)) for one in order]
            assert numbers.tolist() == pytest.approx([*sizes, *moves, int(passes) / 4, length / 14, each / 4])
            assert len(layout.numbers) == len(numbers)


def test_the_example_of_the_page() -> None:
    state = GAME.state_from_string("5♠6♥/A♠2♥/A♥/K♦ 4♥ 2 2")
    planes, numbers = state.observation(1)
    assert np.argwhere(planes[0]).tolist() == [[0, 0], [1, 1]]
    assert planes[1].sum() == 4
    assert np.argwhere(planes[2]).tolist() == [[3, 1]]
    assert numbers.tolist() == pytest.approx([2 / 14, 1 / 14, 1 / 14, 2 / 14, 1, 0, 0, 0, 0.5, 1 / 14, 1 / 4])
