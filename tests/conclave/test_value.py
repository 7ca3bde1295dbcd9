"""The features of Conclave's learned value, compared with a plain version. They do not depend on the deck."""

import numpy as np
import pytest

from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.games.conclave import GAME, deck, rules
from ludoteca.games.conclave.notation import followers_of, hand_of, pile_of
from ludoteca.games.conclave.play import value

TABLES = {  # the first feature of each, and its shape
    "pairs": (value.PAIRS, (value.PARTS, value.STRONG, value.STRONG)),
    "leads": (value.LEADS, (value.STAGES, value.LEADS_IN_ALL)),
    "own": (value.OWN, (value.STAGES, value.LEADS_IN_ALL, value.MANY)),
    "theirs": (value.THEIRS, (value.STAGES, value.LEADS_IN_ALL, value.MANY)),
    "board": (value.BOARD, (value.PARTS, value.LEADS_IN_ALL, value.MANY, rules.MAX_PLAYERS)),
    "turn": (value.TURN, (value.STAGES, rules.MAX_PLAYERS, rules.MAX_PLAYERS)),
}


def positions(players: int) -> list[State]:
    """Return every fifth position of a random game, without its end."""
    state, rng, found = Game(GAME, {"players": players}).new_initial_state(seed=players), new_rng(0), list[State]()
    while not state.is_terminal():
        found.append(state.clone())
        state.apply_action(state.random_action(rng))
    return found[::5]


def active(state: State, player: int) -> list[int]:
    out = np.zeros(value.ACTIVE, np.int64)
    count = value.active_features(state.raw, player, out)
    return [int(feature) for feature in out[:count]]


def told(feature: int) -> tuple[str, ...]:
    """Return a feature's table, and the feature's place in it."""
    name, (begin, shape) = max(
        ((name, table) for name, table in TABLES.items() if table[0] <= feature), key=lambda t: t[1][0]
    )
    return name, *(str(place) for place in np.unravel_index(feature - begin, shape))


def influence(cards: list[int], magic: int) -> int:
    """Return the influence of the cards of a magic."""
    return sum((card & 15) % deck.INFLUENCES + 1 for card in cards if card != deck.NOTHING and card >> 4 == magic)


def obvious(state: State, player: int) -> set[tuple[str, ...]]:
    """Return the active features by the description in `value`."""
    raw = state.raw
    others = [other for other in range(raw.players) if other != player]
    left = len(pile_of(raw, 0)) + len(pile_of(raw, 1))
    stage = int(raw.turns_left) - 1 if raw.turns_left else 4 + left // 4
    part = [0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6][stage]
    senders = [(raw.mover + i + (raw.phase == rules.DRAWING)) % raw.players for i in range(raw.players)]
    soon = senders.index(player)
    found: set[tuple[str, ...]] = {("turn", str(stage), str(soon), str(player))}
    for magic in range(deck.MAGICS):
        own = influence(followers_of(raw, player), magic)
        strongest = max(influence(followers_of(raw, other), magic) for other in others)
        lead = str(int(np.clip(own - strongest, -10, 10)) + 10)
        found |= {("pairs", str(part), str(min(own, 31)), str(min(strongest, 31))), ("leads", str(stage), lead)}
        held = influence(hand_of(raw, player), magic)
        theirs = sum(influence(hand_of(raw, other), magic) for other in others)
        there = influence(raw.board.tolist(), magic)
        found |= {("own", str(stage), lead, str(min(held, 15)))} if held else set()
        found |= {("theirs", str(stage), lead, str(min(theirs, 15)))} if theirs else set()
        found |= {("board", str(part), lead, str(min(there, 15)), str(soon))} if there else set()
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_the_active_features_are_those_of_an_obvious_version(players: int) -> None:
    looked_at = set()
    for state in positions(players):
        for player in range(players):
            features = active(state, player)
            assert {told(feature) for feature in features} == obvious(state, player)
            looked_at |= {told(feature)[0] for feature in features}
    assert looked_at == TABLES.keys()


def test_a_value_depends_neither_on_the_order_of_the_deck_nor_on_the_removed_cards() -> None:
    for state in positions(3)[::2]:
        before = [active(state, player) for player in range(3)]
        cards = state.raw.deck
        lying = [at for at in range(len(cards)) if cards[at] != deck.NOTHING]
        cards[lying] = np.random.default_rng(0).permutation(90)[: len(lying)]  # other cards in any order
        assert [active(state, player) for player in range(3)] == before
