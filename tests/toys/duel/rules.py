"""Duel: the players play a card in turn, open (0..7) or face down (8..15). The higher open card of a trick scores a point.

Each player is dealt two cards. A card laid face down loses the trick to an open card. When both hands are empty, the player
with more points wins. Action 16 gives up. A bit set has a bit for each card of the deck:

    card        7 6 5 4 3 2 1 0
    bit set     0 0 1 0 0 1 0 0     the hand of a player who holds 2 and 5
"""

from typing import Final

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64
from ludoteca.core.rng import draw
from ludoteca.core.tables import member

DECK: Final = 8
HAND: Final = 2
BEST: Final = 1
"""1 if the higher card takes the trick. A test makes a second game by writing -1 here."""
SOME_CARD: Final = 2 * DECK + 1
"""The card that others see in place of a card laid face down."""
NOTHING: Final = -1
FACE_DOWN: Final = -2

ACTIONS: Final = 2 * DECK + 1
CONCEDE: Final = 2 * DECK
MAX_LEGAL: Final = 2 * HAND + 1
MAX_MOVES: Final = 2 * HAND
MAX_SCORE: Final = HAND
UTILITY: Final = "win"
DERIVED: Final = ()

STATE: Final = np.dtype(
    [
        ("cards", "i1"),  # in the deck: 4 to DECK
        ("void_ties", "i1"),  # 1 if no player wins a game with equal points, 0 if both do
        ("hands", "i2", (2,)),  # bit sets
        ("laid", "i2", (2,)),  # bit sets: laid face down
        ("n_hand", "i1", (2,)),  # cards in each hand, which all players know
        ("n_laid", "i1", (2,)),
        ("shown", "i2"),  # bit set: played open
        ("led", "i1"),  # the first card of this trick, FACE_DOWN or NOTHING
        ("points", "i1", (2,)),
        ("mover", "i1"),  # 0, 1 or TERMINAL
        ("gave_up", "i1"),  # bit set of players
    ]
)


def setup(state: RawPosition, cards: int, ties: int) -> None:
    state.cards, state.void_ties, state.led = cards, ties, NOTHING


def deal(state: RawPosition, rng: Words) -> None:
    rest = (i64(1) << i64(state.cards)) - 1
    for player in range(2):
        for _ in range(HAND):
            rest ^= _deal_one(state.hands, player, rest, rng)
        state.n_hand[player] = HAND


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def legal_actions(state: RawPosition, out: Integers) -> int:
    if is_terminal(state):
        return 0
    hand = i64(state.hands[state.mover])
    n = 0
    for card in range(DECK):
        if (hand >> card) & 1:
            out[n] = card
            out[n + 1] = DECK + card
            n += 2
    out[n] = CONCEDE
    return n + 1


def random_action(state: RawPosition, rng: Words) -> int:
    hand = i64(state.hands[state.mover])
    which = draw(rng, 2 * i64(state.n_hand[state.mover]))
    return member(hand, which >> 1) + DECK * (which & 1)


def apply(state: RawPosition, action: int) -> None:
    player = i64(state.mover)
    if action == CONCEDE:
        state.gave_up |= i64(1) << player
        state.mover = TERMINAL
        return
    card = action % DECK
    state.hands[player] ^= i64(1) << card
    state.n_hand[player] -= 1
    if action < DECK:
        state.shown |= i64(1) << card
    else:
        state.laid[player] |= i64(1) << card
        state.n_laid[player] += 1
        card = i64(FACE_DOWN)
    led = i64(state.led)
    if led == NOTHING:
        state.led = card
    else:
        if led != card:
            follows_best = led == FACE_DOWN or (card != FACE_DOWN and BEST * card > BEST * led)
            state.points[player if follows_best else 1 - player] += 1
        state.led = NOTHING
    state.mover = TERMINAL if state.n_hand[0] == 0 and state.n_hand[1] == 0 else 1 - player


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    for player in range(2):
        out[player] = state.points[player]


def winners(state: RawPosition) -> int:
    if not is_terminal(state):
        return 0
    if state.gave_up != 0:
        return 3 ^ i64(state.gave_up)
    if state.points[0] == state.points[1]:
        return 0 if state.void_ties else 3
    return 1 if state.points[0] > state.points[1] else 2


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    view.cards = state.cards
    view.void_ties = state.void_ties
    for seat in range(2):
        if seat == player:
            view.hands[seat] = state.hands[seat]
            view.laid[seat] = state.laid[seat]
        view.n_hand[seat] = state.n_hand[seat]
        view.n_laid[seat] = state.n_laid[seat]
        view.points[seat] = state.points[seat]
    view.shown = state.shown
    view.led = state.led
    view.mover = state.mover
    view.gave_up = state.gave_up


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    rest = ((i64(1) << i64(state.cards)) - 1) & ~i64(state.shown)
    if player >= 0:
        rest &= ~(i64(state.hands[player]) | i64(state.laid[player]))
    for seat in range(2):
        if seat != player:
            for _ in range(state.n_hand[seat]):
                rest ^= _deal_one(state.hands, seat, rest, rng)
            for _ in range(state.n_laid[seat]):
                rest ^= _deal_one(state.laid, seat, rest, rng)


def seen_action(state: RawPosition, action: int, player: int) -> int:
    hidden = DECK <= action < CONCEDE and i64(state.mover) != player
    return SOME_CARD if hidden else action


def _deal_one(places: Integers, player: int, rest: int, rng: Words) -> int:
    """Add a random card of the bit set `rest` to a player's cards. Return it, as a bit set."""
    bit = i64(1) << member(rest, draw(rng, size(rest)))
    places[player] |= bit
    return bit
