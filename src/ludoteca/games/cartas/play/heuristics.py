"""Heuristics: about how many turns the hand still takes, and whether an opponent is about to finish.

The learned policy (`policy`) chooses in playouts, and for the opponents in a search. `action_values` are for choosing
without a search, and for the order in which a search tries actions. They keep double sequences, sets of four and the highest
cards for answers, lead low cards before long sequences, and pass until an opponent has few cards left. Their weights come
from games against beginners of four kinds.
"""

from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.games.cartas.combinations import DECK, SUITS, VALUES, above, ends_in, is_of_kings, shape_of, turns
from ludoteca.games.cartas.play.beginner import lowest_of_others
from ludoteca.games.cartas.play.policy import choose
from ludoteca.games.cartas.rules import HAND, PASS, PLAYERS

EXPAND_AT: Final = 16
EXPLORE: Final = 0.35
WIDEN: Final = 0.5
TURN: Final = 14
"""The cost of each turn that the hand still takes."""
CARD: Final = 3
"""The worth of each card played."""
MASTER: Final = 3
"""The worth of a card in the hand that at most one unseen card beats."""
HEIGHT: Final = 2
"""The cost of each step from A to K in the highest card of a play."""
PASSING: Final = 6
"""The cost of passing."""
LATE: Final = 9
"""An opponent with fewer cards is about to finish."""
HURRY: Final = 7
"""The further cost of passing, for each card that an opponent has fewer than LATE."""
GOES_OUT: Final = 1 << 20
"""The worth of a play of all cards."""
WINS: Final = 1 << 19
"""The worth of a play that no opponent can beat, if one combination is left after it."""
VOID: Final = -(1 << 19)
"""The worth of a leader's pass, which may void the game."""


def playout_action(state: RawPosition, rng: Words) -> int:
    """Return a play drawn by the learned policy."""
    return choose(state, rng)


def opponent_action(state: RawPosition, rng: Words) -> int:
    """Return a play drawn by the learned policy. Opponents know their own hands, and do not always make the best play."""
    return choose(state, rng)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """Write the values of actions, by the turns and high cards that stay in the hand and the cards that leave it."""
    hand = i64(state.hands[index(state.mover)])
    unseen = DECK ^ i64(state.played) ^ hand
    masters = above(unseen & ~(i64(1) << _top(unseen)))
    for i in range(count):
        action = i64(actions[i])
        rest = hand ^ action
        out[i] = MASTER * size(rest & masters) - TURN * turns(rest)
        out[i] += _worth_of_passing(state) if action == PASS else _worth_of_play(hand, unseen, action)


def is_obvious(state: RawPosition, action: int) -> bool:
    """Return True for a play of all cards of the hand, which wins."""
    return action == i64(state.hands[index(state.mover)])


def _worth_of_passing(state: RawPosition) -> int:
    if state.play == 0:
        return i64(VOID)
    fewest = i64(HAND)
    for player in range(PLAYERS):
        if player != state.mover:
            fewest = min(fewest, i64(state.sizes[player]))
    return -PASSING - HURRY * max(i64(0), LATE - fewest)


def _worth_of_play(hand: int, unseen: int, cards: int) -> int:
    rest = hand ^ cards
    if rest == 0:
        return i64(GOES_OUT)
    worth = CARD * size(cards) - HEIGHT * (_top(cards) >> 2)
    if turns(rest) > 1 or ends_in(unseen, shape_of(cards), above(cards)) != 0:
        return worth
    is_beaten = is_of_kings(cards) and lowest_of_others(unseen, cards) != 0
    return worth if is_beaten else worth + WINS


def _top(cards: int) -> int:
    """Return the highest card."""
    return SUITS * VALUES - 1 - size(above(cards))
