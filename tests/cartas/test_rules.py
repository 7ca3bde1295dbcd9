"""Every rule with a position, and the document's example game."""

from math import comb

import numpy as np
import pytest

import ludoteca
from ludoteca.core.bits import size
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.cartas import cards, rules
from ludoteca.games.cartas.combinations import DECK, above, answers, each_of, length_of, shape_of
from ludoteca.testing import MOST_DEVIATIONS, check_deals, uniformity

EXAMPLE = [
    "6♠ 6♣ 8♦ 10♦",
    "C♥ K♥ 3♠3♥3♦3♣ 7♠7♥7♦7♣",
    "PASSO PASSO PASSO 4♥4♦5♠5♥6♥6♦",
    "PASSO PASSO PASSO 10♠J♥C♦",
]
"""Section 1.4."""


def bits(text: str) -> int:
    return cards.read(text)[0]


def position(text: str) -> State:
    return ludoteca.load("cartas").state_from_string(text)


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def legal(state: State) -> set[str]:
    return {state.action_to_string(action) for action in state.legal_actions()}


# Combinations


@pytest.mark.parametrize(
    ("text", "length", "each"),
    [
        ("A♠", 1, 1), ("K♣", 1, 1), ("5♠5♣", 1, 2), ("5♠5♥5♣", 1, 3), ("K♠K♥K♦K♣", 1, 4), ("A♠2♥3♦", 3, 1),
        ("J♠C♥Q♦K♠", 4, 1), ("A♠2♠3♠4♠5♠6♠7♠8♠9♠10♠J♠C♠Q♠K♠", 14, 1), ("J♦J♠C♥C♠Q♣Q♠", 3, 2),
        ("A♠A♥2♠2♥3♠3♥4♠4♥5♠5♥6♠6♥7♠7♥", 7, 2),
    ],
)  # fmt: skip
def test_combinations(text: str, length: int, each: int) -> None:
    shape = shape_of(bits(text))
    assert (length_of(shape), each_of(shape)) == (length, each)


@pytest.mark.parametrize(
    "text",
    [
        "", "A♠2♠", "A♠A♥2♠2♥", "A♠2♠4♠", "Q♠K♠A♠", "A♠2♠3♠3♥", "A♠A♥2♠2♥3♠", "A♠A♥2♠3♠3♥", "A♠A♥A♦2♠2♥2♦3♠3♥3♦",
        "A♠A♥A♦A♣2♠2♥2♦2♣3♠3♥3♦3♣", "10♠J♠Q♠", "A♠A♥3♠3♥5♠5♥", "A♠2♠3♠5♠6♠7♠",
    ],
)  # fmt: skip
def test_no_combinations(text: str) -> None:
    assert shape_of(bits(text)) == 0


@pytest.mark.parametrize(
    ("text", "last", "follows"),
    [
        ("5♥", "5♠", True), ("5♠", "5♥", False), ("6♠", "5♣", True), ("5♥5♦", "5♠5♣", False), ("5♠5♣", "5♥5♦", True),
        ("6♠6♥", "5♠", False), ("4♠5♥6♦", "4♥5♠6♠", True), ("4♠5♥6♠", "4♥5♠6♦", False), ("4♠5♥6♠7♠", "4♥5♠6♦", False),
        ("4♠4♥5♠5♥6♠6♣", "4♦4♣5♦5♣6♥6♦", True), ("7♠8♠9♠", "4♠4♥5♠5♥6♠6♣", False),
        ("4♠4♥5♠5♥6♠6♣", "4♦5♦6♥7♠8♠9♠", False), ("7♠7♥7♦", "4♠5♥6♦", False), ("A♠A♥A♦A♣", "K♣", True),
        ("A♠A♥2♠2♥3♠3♥", "K♠", True), ("A♠A♥2♠2♥3♠3♥4♠4♥", "K♠", False), ("A♠A♥2♠2♥3♠3♥4♠4♥", "K♠K♥", True),
        ("A♠A♥2♠2♥3♠3♥", "K♠K♥", False), ("A♠A♥A♦A♣", "K♠K♥", False), ("A♠A♥2♠2♥3♠3♥4♠4♥5♠5♥", "K♠K♥K♦", True),
        ("A♠A♥2♠2♥3♠3♥4♠4♥", "K♠K♥K♦", False), ("A♠A♥A♦A♣", "K♠K♥K♦", False),
        ("A♠A♥2♠2♥3♠3♥4♠4♥5♠5♥6♠6♥", "K♠K♥K♦K♣", False), ("A♠A♥A♦A♣", "Q♣", False), ("A♠A♥2♠2♥3♠3♥", "Q♣", False),
        ("A♠A♥A♦A♣", "J♠C♠Q♠K♠", False), ("K♣", "A♠A♥A♦A♣", False), ("K♣", "K♥", True), ("2♠2♥2♦2♣", "A♠A♥A♦A♣", True),
        ("A♠A♥2♠2♥3♠3♥", "2♦2♣3♦3♣4♦4♣", False), ("A♠A♥A♦A♣", "A♠A♥2♠2♥3♠3♥", False), ("A♠2♠", "A♠", False),
        ("A♠", "A♥2♥", False),
    ],
)  # fmt: skip
def test_what_answers_what(text: str, last: str, follows: bool) -> None:
    assert answers(bits(text), bits(last)) is follows


# The course of a game


def test_the_example_of_section_1_4() -> None:
    hands = [["6♠", "C♥"], ["6♣", "K♥"], ["8♦", "3♠3♥3♦3♣"], ["10♦", "7♠7♥7♦7♣", "4♥4♦5♠5♥6♥6♦", "10♠J♥C♦"]]
    rest = [card for card in range(56) if not bits("".join("".join(hand) for hand in hands)) >> card & 1]
    rest.sort(key=lambda card: card % 4)
    whole = []
    for hand in hands:
        held = bits("".join(hand))
        while size(held) < 14:
            held |= 1 << rest.pop(0)
        whole.append(held)
    state = position(f"{'/'.join(cards.write(hand, cards.WORDS, '').replace(' ', '') for hand in whole)} - 0 1")
    play(state, *" ".join(EXAMPLE).split())
    assert state.is_terminal()
    assert state.winners() == [3]
    assert state.scores() == [0, 0, 0, 12 + 12 + 9]
    assert state.returns() == [0, 0, 0, 33]


def test_everybody_has_fourteen_cards_and_player_1_leads() -> None:
    state = ludoteca.load("cartas").new_initial_state(3)
    assert [size(int(hand)) for hand in state.raw.hands] == [14] * 4
    assert sum(int(hand) for hand in state.raw.hands) == DECK
    assert state.current_player() == 0


def test_a_leader_may_play_everything_and_pass() -> None:
    assert legal(position("5♠6♥7♦7♣/A♠/A♥/A♦ - 0 1")) == {
        "PASSO", "5♠", "6♥", "7♦", "7♣", "7♦7♣", "5♠6♥7♦", "5♠6♥7♣",
    }  # fmt: skip


def test_a_king_is_answered_by_four_of_a_kind_and_three_pairs() -> None:
    state = position("3♠3♥3♦3♣4♠4♥5♠5♥K♣/A♠/A♥/A♦ K♠ 0 1")
    pairs = {f"3{a}3{b}4♠4♥5♠5♥" for a, b in ("♠♥", "♠♦", "♠♣", "♥♦", "♥♣", "♦♣")}
    assert legal(state) == {"PASSO", "K♣", "3♠3♥3♦3♣", *pairs}


def test_after_three_passes_the_player_leads_again() -> None:
    state = play(position("5♠6♥7♦7♣/A♠/A♥/A♦ - 0 1"), "7♣", "PASSO", "PASSO")
    assert state.current_player() == 3
    assert legal(state) == {"PASSO"}
    play(state, "PASSO")
    assert state.current_player() == 0
    assert legal(state) == {"PASSO", "5♠", "6♥", "7♦", "5♠6♥7♦"}


def test_a_play_between_the_passes_is_the_one_to_answer() -> None:
    state = play(position("5♠K♥/8♠8♥/A♥2♠/A♦2♦ - 0 1"), "5♠", "8♠", "PASSO", "PASSO")
    assert legal(state) == {"PASSO", "K♥"}
    play(state, "PASSO")
    assert state.current_player() == 1
    assert legal(state) == {"PASSO", "8♥"}


def test_four_passes_in_a_row_make_the_game_void() -> None:
    state = play(position("5♠6♥/A♠/A♥/A♦ - 0 1"), "6♥", "PASSO", "PASSO", "PASSO", "PASSO")
    assert state.is_terminal()
    assert state.winners() == []
    assert state.scores() == state.returns() == [0, 0, 0, 0]
    assert state.legal_actions() == []
    assert str(state).endswith(" - 4 -")


def test_four_passes_at_the_start_make_the_game_void_too() -> None:
    state = ludoteca.load("cartas").new_initial_state(1)
    play(state, "PASSO", "PASSO", "PASSO")
    assert not state.is_terminal()
    assert len(state.legal_actions()) > 14
    assert play(state, "PASSO").is_terminal()


@pytest.mark.parametrize(
    ("text", "action", "spoils"),
    [
        ("5♠6♥/A♠/A♥/A♦ - 3 1", "PASSO", True),
        ("5♠6♥/A♠/A♥/A♦ - 0 1", "PASSO", True),
        ("5♠6♥/A♠/A♥/A♦ - 3 1", "5♠", False),
        ("5♠6♥/A♠/A♥/A♦ 4♠ 2 1", "PASSO", False),
    ],
    ids=["the fourth pass", "the first player's pass", "a lead", "a pass in answer"],
)
def test_a_leader_who_passes_spoils_the_game(text: str, action: str, spoils: bool) -> None:
    state = position(text)
    assert rules.spoils(state.raw, state.string_to_action(action)) == spoils


def test_who_has_no_cards_left_wins_the_cards_of_the_others() -> None:
    state = play(position("5♠/A♠2♠/A♥3♥4♥/A♦ - 0 1"), "5♠")
    assert state.is_terminal()
    assert state.winners() == [0]
    assert state.scores() == [6, 0, 0, 0]


@pytest.mark.parametrize(
    ("state", "action", "why"),
    [
        ("5♠6♥/A♠/A♥/A♦ - 0 1", "7♠", "7♠ is not in your hand"),
        ("5♠6♥/A♠/A♥/A♦ - 0 1", "5♠6♥", "5♠6♥ is no combination"),
        ("5♠6♥/A♠/A♥/A♦ 6♦ 0 1", "6♥", "the highest card of 6♥ is not higher than 6♦"),
        ("5♠5♥/A♠/A♥/A♦ 4♦ 0 1", "5♠5♥", "a set of 2 does not answer a set of 1"),
        ("5♠6♥7♥/A♠/A♥/A♦ 4♦4♥ 0 1", "5♠6♥7♥", "a sequence of 3 does not answer a set of 2"),
        ("5♠5♥/A♠/A♥/A♦ K♦ 0 1", "5♠5♥", "nor is it four cards of one value, nor is it a double sequence of 3"),
        ("5♠5♥/A♠/A♥/A♦ K♦K♠K♥ 0 1", "5♠5♥", "does not answer a set of 3, nor is it a double sequence of 5"),
        ("5♠5♥6♥/A♠/A♥/A♦ - 0 1", "5♠5♥6♥", "is no combination: neither"),
    ],
)
def test_refusals_say_why(state: str, action: str, why: str) -> None:
    with pytest.raises(IllegalActionError, match=why):
        play(position(state), action)


# Numbers


def test_the_most_legal_actions() -> None:
    """Counts 3, 4, 4, 3 of four values in a row."""
    state = position("5♠5♥5♦6♠6♥6♦6♣7♠7♥7♦7♣8♠8♥8♦/A♠/A♥/A♦ - 0 1")
    assert len(state.legal_actions()) == rules.MAX_LEGAL == 825


@pytest.mark.parametrize(
    "text",
    [
        "5♠5♥5♦6♠6♥6♦7♠7♥7♣/A♠/A♥/A♦ - 0 1",
        "3♠3♥3♦3♣4♠4♥5♠5♥5♣K♣/A♠/A♥/A♦ K♠ 0 1",
        "3♠3♥3♦4♠4♥5♠5♥5♣6♠6♥K♣/A♠/A♥/A♦ K♠K♥ 0 1",
        "3♠4♠5♠6♥6♦7♥8♠9♥10♥J♣C♣Q♣K♦/A♠/A♥/A♦ - 0 1",
        "3♠4♠5♠6♥6♦7♥8♠9♥9♣10♥J♣C♣Q♣K♦/A♠/A♥/A♦ 2♠3♥4♥5♦ 0 1",
        "5♥5♣6♠6♥6♦7♠7♥7♦/A♠/A♥/A♦ 3♠3♥4♠4♥5♠5♦ 0 1",
    ],
)
def test_random_actions_are_uniform(text: str) -> None:
    state, rng = position(text), new_rng(1)
    actions = state.legal_actions()
    found: dict[int, int] = {}
    for _ in range(25 * len(actions)):
        action = state.random_action(rng)
        found[action] = found.get(action, 0) + 1
    assert found.keys() <= set(actions)
    assert uniformity(found, len(actions)) < MOST_DEVIATIONS


@pytest.mark.parametrize(("of", "wanted"), [(56, 14), (9, 2), (9, 9), (9, 0)])
def test_chosen_cards_are_uniform(of: int, wanted: int) -> None:
    rng, some = new_rng(2), DECK >> (56 - of)
    chosen = [rules.choose(some, wanted, rng) for _ in range(1000)]
    assert all(size(int(one)) == wanted and int(one) & ~some == 0 for one in chosen)
    holding = {card: sum(int(one) >> card & 1 for one in chosen) for card in range(of)}
    if 0 < wanted < of:
        assert max(abs(n - 1000 * wanted / of) for n in holding.values()) < 5 * 16
    sets = {int(one) for one in chosen}
    if comb(of, wanted) < 200:
        assert len(sets) == comb(of, wanted)


# The knowledge of a seat


def test_a_view_has_the_own_hand_the_sizes_and_what_was_played() -> None:
    state = play(position("5♠6♥7♦7♣/A♠2♥/A♥/A♦ - 0 1"), "7♣")
    view = state.view(1).raw
    assert view.hands.tolist() == [0, bits("A♠2♥"), 0, 0]
    assert view.sizes.tolist() == [3, 2, 1, 1]
    assert int(view.played) == DECK & ~bits("5♠6♥7♦A♠2♥A♥A♦")
    assert int(view.play) == bits("7♣")
    assert state.view(-1).raw.hands.tolist() == [0, 0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, pytest.param(-1, marks=pytest.mark.soak)])
def test_redeal_gives_every_deal_that_fits_equally_often(seat: int) -> None:
    """Seven cards are left: all ways to hold them are tried."""
    left = [bits(one) for one in ("A♠", "2♥", "5♦", "5♣", "C♠", "Q♠", "K♥")]
    game = ludoteca.load("cartas")
    sizes, own = (2, 1, 2, 2), {-1: (), 0: (left[0], left[6])}[seat]
    states = []
    for owners in np.ndindex(*(4,) * len(left)):
        hands = [sum(card for card, owner in zip(left, owners, strict=True) if owner == player) for player in range(4)]
        if [size(hand) for hand in hands] == list(sizes) and (seat < 0 or hands[seat] == sum(own)):
            text = "/".join(cards.write(hand, cards.WORDS, "").replace(" ", "") for hand in hands)
            states.append(game.state_from_string(f"{text} 9♠ 1 1"))
    assert len(states) == {-1: 630, 0: 30}[seat]
    check_deals(states, seat, draws=20 * len(states) + 400)


def test_above_and_count_by_definition() -> None:
    for card in range(56):
        assert above(1 << card | 1) == sum(1 << higher for higher in range(card + 1, 56))
    assert size(DECK) == 56
    assert size(0) == 0
