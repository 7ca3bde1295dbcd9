"""Random games. After every step, all visible facts are compared with the oracle, which follows the rules' page."""

from collections import Counter
from functools import cache
from random import Random

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.qinto.names import hand_of, pile_names, piles_of, tiles_of
from tests.qinto.oracle import DECK, HAND, Oracle

FOND_OF = {"light": ["+~-", "~", "-"], "classic": ["~", "-"], "plus": ["-", "+~-"]}
"""By variant, what sorts of steps the random games prefer."""
GAMES = [(variant, players, fond) for variant in FOND_OF for players, fond in enumerate(FOND_OF[variant], 2)]
EVENTS = {"pass", "q!nto", "through old tiles", "won", "endless passing", "+5", "~3", "-5"}


def oracle_of(state: State) -> Oracle:
    """The oracle's game of a new state, with the same tiles of each player, and the same first player."""
    record, variant = state.raw, state.game.parameters["variant"]
    players = range(state.game.num_players())
    hands = [Counter(hand_of(record, player)) for player in players]
    piles = [pile_names(record, pile) for pile in piles_of(record)]
    piles = piles if variant == "light" else [piles[0]] * len(players)
    rounds = state.game.parameters["rounds"]
    return Oracle(variant, hands, piles, tiles_of(record), state.current_player(), rounds)


def assert_same(state: State, oracle: Oracle) -> None:
    record, players = state.raw, range(len(oracle.hands))
    assert tiles_of(record) == oracle.grid
    assert [Counter(hand_of(record, player)) for player in players] == oracle.hands
    assert [pile_names(record, pile) for pile in piles_of(record)] == oracle.piles[: len(piles_of(record))]
    assert state.is_terminal() == oracle.over
    assert state.winners() == oracle.winners()
    assert oracle.over or state.current_player() == oracle.mover
    assert set(map(state.action_to_string, state.legal_actions())) == oracle.legal()
    if not oracle.steps:  # the points of a turn are complete at its end
        light = oracle.variant == "light"
        assert state.scores() == ([oracle.left(player) for player in players] if light else oracle.scores)


def step_of(state: State, random: Random, fond: str, how: float) -> int:
    """A random legal action: with some probability one of the sorts of steps that the game is `fond` of."""
    legal = {state.action_to_string(action): action for action in state.legal_actions()}
    liked = sorted(text for text in legal if text[0] in fond)
    return legal[random.choice(liked if liked and random.random() < how else sorted(legal))]


@cache
def play(variant: str, players: int, fond: str, *, how: float = 0.7, rounds: int = 4) -> Oracle:
    """A random game, played by both side by side."""
    state = ludoteca.load("qinto", variant=variant, players=players, rounds=rounds).new_initial_state(players)
    oracle, random = oracle_of(state), Random(players)
    assert_same(state, oracle)
    while not oracle.over:
        action = step_of(state, random, fond, how)
        oracle.play(state.action_to_string(action))
        state.apply_action(action)
        assert_same(state, oracle)
    return oracle


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", ["light", "plus"])
def test_the_deal_is_that_of_the_page(variant: str, players: int) -> None:
    oracle = oracle_of(ludoteca.load("qinto", variant=variant, players=players).new_initial_state(players))
    piles = oracle.piles if variant == "light" else oracle.piles[:1]
    tiles = [*oracle.grid.values(), *(tile for pile in piles for tile in pile)]
    assert Counter(tiles) + sum(oracle.hands, Counter[str]()) == Counter(DECK)
    assert [hand.total() for hand in oracle.hands] == [HAND] * players
    sizes = [60 // players - HAND] * players if variant == "light" else [60 - HAND * players - 1]
    assert [len(pile) for pile in piles] == sizes


@pytest.mark.parametrize(("variant", "players", "fond"), GAMES)
def test_random_games_follow_the_page_step_by_step(variant: str, players: int, fond: str) -> None:
    play(variant, players, fond)


def test_random_games_come_to_every_rule() -> None:
    assert {event for game in GAMES for event in play(*game).events} >= EVENTS


@pytest.mark.parametrize(("variant", "players", "rounds"), [("light", 2, 1), ("classic", 4, 2)])
def test_endless_passing_ends(variant: str, players: int, rounds: int) -> None:
    oracle = play(variant, players, "~-e", how=1, rounds=rounds)
    assert "endless passing" in oracle.events
    assert oracle.idle == rounds * players
