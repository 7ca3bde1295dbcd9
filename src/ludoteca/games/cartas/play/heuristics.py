"""Heuristics for Jogo de Cartas: an estimate of how many turns it takes to play the rest of a hand, and whether an opponent
has few cards left.

The learned policy (`policy`) chooses in playouts, and for the opponents in a search. `action_values` serve to choose without
a search, and to order the actions that a search tries. With these values an agent keeps double sequences, sets of four and
the highest cards for answers, leads low cards before long sequences, and passes until an opponent has few cards left. The
weights were found in games against four simple programs.
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
"""The cost of each turn that it takes to play the rest of the hand."""
CARD: Final = 3
"""The worth of each card played."""
MASTER: Final = 3
"""The worth of a card in the hand if at most one unseen card is higher."""
HEIGHT: Final = 2
"""The cost of each step from A to K in the highest card of a play."""
PASSING: Final = 6
"""The cost of passing."""
LATE: Final = 9
"""An opponent with fewer cards than this is about to finish."""
HURRY: Final = 7
"""An additional cost of passing, for each card by which the smallest hand of an opponent is below LATE."""
GOES_OUT: Final = 1 << 20
"""The worth of a play of all cards."""
WINS: Final = 1 << 19
"""The worth of a play that no opponent can answer, if one more combination then empties the hand."""
VOID: Final = -(1 << 19)
"""The worth of passing when the player could lead. Such a pass may end the game without a winner."""


def playout_action(state: RawPosition, rng: Words) -> int:
    """Return a random play with the probabilities of the learned policy."""
    return choose(state, rng)


def opponent_action(state: RawPosition, rng: Words) -> int:
    """Return a random play of an opponent with the probabilities of the learned policy, because opponents know their hands
    but do not always make the best play.
    """
    return choose(state, rng)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """Write a value for each action to `out`. It depends on the cards that are played, and on the turns and high cards that
    stay in the hand.
    """
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
