"""The heuristics: counted turns against all combinations, reasonable choices, and matches."""

from random import Random

import numpy as np
import pytest

import ludoteca
from ludoteca.core import hints
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.combinations import above, shape_of, turns
from ludoteca.games.cartas.play import beginner, heuristics
from tests.cartas import oracle
from tests.cartas.test_oracle import some_hand, to_bits


def position(text: str) -> State:
    return ludoteca.load("cartas").state_from_string(text)


def values(state: State) -> dict[str, int]:
    legal = np.array(state.legal_actions(), np.int64)
    out = np.zeros(len(legal), np.int64)
    heuristics.action_values(state.raw, legal, len(legal), out)
    return {state.action_to_string(int(action)): int(value) for action, value in zip(legal, out, strict=True)}


def best(state: State) -> str:
    found = values(state)
    return max(found, key=lambda action: found[action])


def fewest_turns(hand: oracle.Cards) -> int:
    """By trying every way to part the hand."""
    if not hand:
        return 0
    low = min(hand)
    return 1 + min(fewest_turns(hand - play) for play in oracle.plays(hand, None) if low in play)


@pytest.mark.parametrize("seed", range(15))
def test_turns_are_about_the_fewest_that_a_hand_takes(seed: int) -> None:
    random = Random(seed)
    hand = some_hand(random, random.randrange(9), 1, random.choice((5, 7, 14)))
    fewest = fewest_turns(hand)
    found = turns(to_bits(hand))
    assert fewest <= found <= fewest + 1


@pytest.mark.parametrize("seed", range(15))
def test_one_turn_is_a_combination(seed: int) -> None:
    random = Random(seed)
    hand = to_bits(random.choice(sorted(oracle.plays(some_hand(random, 10, 1, 6), None), key=sorted)))
    extra = 1 << random.randrange(56)
    assert turns(hand) == 1
    assert (turns(hand ^ extra) == 1) == (shape_of(hand ^ extra) != 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3♠4♥5♦/A♠A♥/A♦2♥/A♣2♦ - 0 1", "3♠4♥5♦"),
        ("3♠K♣/4♠4♥4♦/4♣2♥/A♣2♦ - 0 1", "3♠"),
        ("3♠K♣/4♠4♥5♦/4♣2♥/A♣2♦ - 0 1", "K♣"),
        ("5♠5♥K♣/9♠9♥2♠2♥/3♦8♥/A♣2♦ - 0 1", "K♣"),
        ("5♠5♥9♣/A♠A♥2♠2♥/3♦8♥J♣/A♣2♦ - 0 1", "5♠5♥"),
        ("4♥7♦9♠9♥Q♣/A♠A♥2♠2♥5♠5♥6♠J♥7♠J♦/A♦2♦3♦4♠5♦6♦7♥8♦10♦/A♣4♣5♣6♣7♣8♣9♣10♣J♣ 6♥ 0 1", "7♦"),
        ("3♥4♦9♠9♥Q♣/A♠A♥2♠2♥5♠5♥6♠6♥7♠J♦/A♦2♦3♦4♠5♦6♦7♥8♦10♦/A♣4♣5♣6♣7♣8♣9♣10♣J♣ 8♥ 0 1", "PASSO"),
        ("3♥4♦9♠9♥C♣/A♠A♥2♠2♥5♠5♥6♠6♥7♠K♦/A♦2♦3♦4♠5♦6♦7♥8♦10♦/A♣4♣5♣6♣7♣8♣9♣10♣Q♣ 8♥ 0 1", "C♣"),
        ("3♥4♦9♠9♥C♣/A♠A♥2♠2♥5♠5♥6♠6♥7♠K♦/A♦2♦3♦4♠5♦6♦7♥8♦10♦/A♣4♣5♣6♣7♣8♣9♣10♣J♣ 8♥ 0 1", "PASSO"),
        ("3♥4♦9♠9♥/A♠/A♦2♦3♦4♠5♦6♦7♥8♦10♦/A♣4♣5♣6♣7♣8♣9♣10♣J♣ 8♥ 0 1", "9♠"),
    ],
    ids=[
        "goes out",
        "a king that a four may beat comes last",
        "a king that nobody beats comes first",
        "and not the pair that may be beaten",
        "a pair goes before a card that is beaten",
        "sheds a card that stands alone",
        "breaks no pair while all have many cards",
        "plays a knight that two others beat",
        "and keeps one that only one other beats",
        "breaks a pair when somebody has one card",
    ],
)
def test_what_looks_best(text: str, expected: str) -> None:
    assert best(position(text)) == expected


def test_a_leader_does_not_pass() -> None:
    found = values(ludoteca.load("cartas").new_initial_state(1))
    assert min(found, key=lambda action: found[action]) == cards.PASSO


@pytest.mark.parametrize(
    ("other", "deals", "least"), [("random", 10, 0.8), pytest.param("beginner", 250, 0.3, marks=pytest.mark.soak)]
)
def test_one_of_it_takes_more_than_its_share(other: str, deals: int, least: float) -> None:
    """A quarter of the points is what one of four equal players gets."""
    results = [play_at_a_table(other, seed, seat) for seed in range(deals) for seat in range(4)]
    own, everybody = (sum(points) for points in zip(*results, strict=True))
    assert own >= least * everybody


def beginners_play(state: State) -> int:
    hand, last = int(state.raw.hands[state.raw.mover]), int(state.raw.play)
    return beginner.answer(hand, last, shape_of(last), above(last)) if last else beginner.lead(hand)


def play_at_a_table(other: str, seed: int, seat: int) -> tuple[int, int]:
    """Its points, and those of all."""
    game = ludoteca.load("cartas", compiled=True)
    fast = game.bind(hints, heuristics)
    state, rng, out = game.new_initial_state(seed), new_rng(seed), np.zeros(game.rules.MAX_LEGAL, np.int64)
    while not state.is_terminal():
        if state.current_player() == seat:
            legal = np.array(state.legal_actions(), np.int64)
            fast.value_actions(state.position.array, legal, len(legal), out)
            state.apply_action(int(legal[np.argmax(out[: len(legal)])]))
        else:
            state.apply_action(state.random_action(rng) if other == "random" else beginners_play(state))
    return state.scores()[seat], sum(state.scores())
