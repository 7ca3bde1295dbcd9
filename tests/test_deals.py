"""Proofs with a small game: the tests try every deal, and group the deals by the view of a seat."""

from collections import defaultdict
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import mutants
from duel import GAME
from duel.rules import CONCEDE, DECK
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import Game, State
from ludoteca.testing import BrokenLawError, check_deals

CARDS = 5


def every_deal(game: Game) -> list[State]:
    """Yield the start of every deal: two of the CARDS for each player."""
    pairs = list(combinations(range(CARDS), 2))
    hands = [(one, two) for one in pairs for two in pairs if not set(one) & set(two)]
    return [game.state_from_string(f"{CARDS} 0 {bits(one)},{bits(two)} 0,0 2,2 0,0 0 -1 0,0 0 0") for one, two in hands]


def bits(cards: tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


def told(state: State, seat: int) -> tuple[object, ...]:
    """Return the knowledge of a seat: its first hand, and the plays, without the cards that others laid face down."""
    start = state.game.state_at(state.start)
    hand = int(start.raw.hands[seat]) if seat >= 0 else None
    plays = [
        "some card" if DECK <= action < CONCEDE and number % 2 != seat else action
        for number, action in enumerate(state.history())
    ]
    return hand, *plays


@cache
def games_of(length: int) -> list[State]:
    """Yield every deal after `length` plays, played in every way, without giving up."""
    return played_on(games_of(length - 1)) if length else every_deal(Game(GAME, {"cards": CARDS}))


def played_on(states: list[State]) -> list[State]:
    return [state.child(action) for state in states for action in state.legal_actions() if action != CONCEDE]


@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1])
@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_deals_that_look_alike_give_one_view_and_redeal_gives_each_of_them(length: int, seat: int) -> None:
    alike: dict[tuple[object, ...], dict[bytes, State]] = defaultdict(dict)
    for state in games_of(length):
        alike[told(state, seat)][state.content()] = state
    groups = list(alike.values())
    for group in Random(length).sample(groups, min(len(groups), 6)):
        check_deals(list(group.values()), seat, draws=400 + 40 * len(group))


def test_states_that_look_different_have_different_views() -> None:
    for seat in (SPECTATOR, 0, 1):
        views: dict[str, set[tuple[object, ...]]] = defaultdict(set)
        for state in games_of(2):
            views[state.information_state_string(seat)].add(told(state, seat))
        assert all(len(group) == 1 for group in views.values())


def test_a_redeal_that_is_not_uniform_is_caught() -> None:
    deals = every_deal(Game(GAME, {"cards": CARDS}))
    seen = [state for state in deals if told(state, 0) == told(deals[0], 0)]
    with pytest.raises(BrokenLawError, match=r"deviations from uniform|can rule out"):
        check_deals(seen[:-1], 0)
    with pytest.raises(BrokenLawError, match="can distinguish this deal"):
        check_deals([*seen, deals[-1]], 0)


def test_an_action_that_is_seen_and_should_not_be_is_caught(tmp_path: Path) -> None:
    spec = mutants.load(tmp_path, "rules.py", "hidden = DECK <= action", "hidden = False and DECK <= action")
    after = played_on(every_deal(Game(spec, {"cards": CARDS})))
    alike = [state for state in after if told(state, 1) == (bits((0, 1)), "some card")]
    with pytest.raises(BrokenLawError, match="information state"):
        check_deals(alike, 1)
