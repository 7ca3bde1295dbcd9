"""Heuristics for Conclave, from a formula for the points that the followers of a magic will save or cost at the end of the
game (`prospect`).

The heuristics use only what the mover sees: the followers, the board, the backs of the cards on the piles and the mover's
hand.
"""

import math
from typing import Any, Final

from ludoteca.core.bits import first
from ludoteca.core.contract import BY_RESULTS, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.core.tables import table
from ludoteca.games.conclave.deck import MAGICS, NOTHING, sum_of
from ludoteca.games.conclave.rules import (
    CEDE,
    CEDING,
    DRAW,
    HAND,
    KEEP,
    LEFT,
    RIGHT,
    SENDING,
    cessions,
    lift,
    of_magic,
    put,
    random_action,
    sum_on,
    won_from,
)
from ludoteca.games.conclave.sets import ALL_CELLS, CELLS

WIDEN: Final = 0.25
CUT: Final = 4
CEDES_ONCE_IN: Final = 8
"""A playout considers ceding followers only in one of this many turns."""
LEAST_GAIN: Final = 300
"""The value of ceding followers is reduced by this, so that it must gain at least as much. In hundredths of points."""
KEPT_WEIGHT: Final = 16
"""The weight of keeping a card, which may become a follower in the end. It is divided by 8 + cards in the piles."""
MEAN_INFLUENCE: Final = 3
"""The mean influence of a card."""
INFLUENCE_BOUND: Final = 48
"""A bound of the influence of a player in a magic. All cards of a magic together have 45, and the heuristics may add 3."""
STAGE_BITS: Final = 2
"""`PROSPECTS` has one table for each 2^STAGE_BITS numbers of cards in the piles."""
_STAGES: Final = 10


def prospect(mine: int, others: int, left: float) -> float:
    """Return the points that a magic will probably cost the strongest opponent, minus the points that it will cost the
    player.

    A player whose influence in a magic is not the highest is disappointed in it at the end, and loses points. `mine` is the
    player's influence, `others` the influence of the strongest opponent, and `left` the number of cards in the piles.

    A logistic curve gives the probability of being disappointed. It is flatter if more cards are left, because more can
    still change. It was fitted by least squares to 8,172 magics, as a player saw them in 31 games of two players who
    searched with 2,500 simulations a move. In these games playouts never ceded, and 5 % of the moves were random. The
    formula also serves for three and four players.
    """
    scale = 2.545 + 0.075 * left
    later = 1.921 + 0.146 * left
    lead = (mine - others) / scale
    return (0.868 * others + later) * _logistic(lead) - (0.868 * mine + later) * _logistic(-lead)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


PROSPECTS: Final[Any] = table(
    [
        [
            [round(100 * prospect(mine, others, (stage << STAGE_BITS) + 1.5)) for others in range(INFLUENCE_BOUND)]
            for mine in range(INFLUENCE_BOUND)
        ]
        for stage in range(_STAGES)
    ]
)
"""`prospect` in hundredths of points, by cards in the piles >> STAGE_BITS, the player's and the opponent's influence."""


def playout_action(state: RawPosition, rng: Words) -> int:
    """Return a random action for playouts: all legal actions are equally likely, except that the mover seldom considers
    ceding.
    """
    if state.phase == CEDING and draw(rng, i64(CEDES_ONCE_IN)) != 0:
        return i64(KEEP)
    return random_action(state, rng)


def opponent_action(state: RawPosition, rng: Words) -> int:
    """Return the action with the highest value for one of several opponents, with the hand that was dealt to it at random.
    If there is only one opponent, return BY_RESULTS, so that the search chooses by the results of its simulations.
    """
    if state.players == 2:
        return i64(BY_RESULTS)
    phase, base, places = i64(state.phase), i64(0), 1
    if phase == SENDING:
        options, places = ALL_CELLS & ~i64(state.occupied), HAND
    elif phase == CEDING:
        options, base = cessions(state, i64(state.mover)) | (i64(1) << (KEEP - CEDE)), i64(CEDE)
    else:
        options, base = i64(3), i64(DRAW)
    best, most, equal = i64(-1), i64(0), i64(0)
    for place in range(places):
        rest = options
        while rest != 0:
            action = base + CELLS * place + first(rest)
            rest &= rest - 1
            value = _value_of(state, action)
            if equal == 0 or value > most:
                best, most, equal = action, value, i64(1)
            elif value == most:
                equal += 1
                best = action if draw(rng, equal) == 0 else best
    return best


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """Write a value for each action to `out`, in hundredths of points: how much it improves the prospects of the mover's
    followers.
    """
    for i in range(count):
        out[i] = _value_of(state, i64(actions[i]))


def is_obvious(state: RawPosition, action: int) -> bool:
    """Return True if the action cedes nothing. Weak levels cede followers only if they notice that action."""
    return action == KEEP


def _value_of(state: RawPosition, action: int) -> int:
    phase = i64(state.phase)
    if phase == SENDING:
        return _sending_value(state, action >> 4, action & 15)
    if phase == CEDING:
        return i64(0) if action == KEEP else _cession_value(state, action - CEDE)
    back = i64(state.deck[index(state.top[index(action - DRAW)])])
    return _value_of_more(state, back >> 4, i64(MEAN_INFLUENCE))


def _cession_value(state: RawPosition, pile: int) -> int:
    """Return the value of ceding followers. `pile` is 8 * receiver + magic. Ceded followers cannot cost the mover points any
    more.
    """
    magic = pile & 7
    mine, others = influence_in(state, i64(state.mover), magic), strongest_opponent(state, i64(state.mover), magic)
    return _prospect(state, i64(0), max(mine, others)) - _prospect(state, mine, others) - LEAST_GAIN


def _sending_value(state: RawPosition, place: int, cell: int) -> int:
    """Return the value of sending the card at a place of the hand to a cell: the value of the followers that it wins, minus
    the value of keeping the card, which could become a follower in the end.
    """
    card = i64(state.hands[index(HAND * i64(state.mover) + place)])
    kept = _value_of_more(state, card >> 4, sum_of(i64(1) << (card & 15)))
    put(state, card, cell)  # and remove it again below
    won = won_from(state, card, cell)
    influence, value = i64(state.influence), i64(0)
    for magic in range(MAGICS):
        caught = won & of_magic(state, magic)
        if caught != 0:
            value += _value_of_more(state, i64(magic), sum_on(influence, caught))
    state.board[index(cell)] = NOTHING
    lift(state, i64(1) << cell)
    return value - KEPT_WEIGHT * kept // (8 + cards_left(state))


def _value_of_more(state: RawPosition, magic: int, more: int) -> int:
    """Return how much the mover's prospect in a magic improves with `more` influence in it, in hundredths of points."""
    mine, others = influence_in(state, i64(state.mover), magic), strongest_opponent(state, i64(state.mover), magic)
    return _prospect(state, mine + more, others) - _prospect(state, mine, others)


def influence_in(state: RawPosition, player: int, magic: int) -> int:
    """Return the influence of a player's followers of a magic."""
    return sum_of(i64(state.followers[index(8 * player + magic)]))


def strongest_opponent(state: RawPosition, player: int, magic: int) -> int:
    """Return the highest influence that one of the player's opponents has in a magic."""
    strongest = i64(0)
    for other in range(state.players):
        if other != player:
            strongest = max(strongest, influence_in(state, i64(other), magic))
    return strongest


def _prospect(state: RawPosition, mine: int, others: int) -> int:
    return i64(PROSPECTS[index(cards_left(state) >> STAGE_BITS), index(mine), index(others)])


def cards_left(state: RawPosition) -> int:
    """Return the number of cards in the piles, at most 38."""
    return i64(state.bottom[LEFT]) - i64(state.top[LEFT]) + i64(state.bottom[RIGHT]) - i64(state.top[RIGHT])
