"""Heuristics: followers are worth what they promise (`prospects`), most of all those of magics that one will control.

Nothing hidden is read: followers and the board lie open, piles show their backs, and the hand is the mover's own.
"""

from typing import Final

from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.games.conclave.deck import MAGICS, NOTHING, sum_of
from ludoteca.games.conclave.prospects import PROSPECTS, STAGE
from ludoteca.games.conclave.rules import (
    CEDE,
    CEDING,
    DRAW,
    DRAWING,
    HAND,
    KEEP,
    LEFT,
    RIGHT,
    lift,
    of_magic,
    put,
    random_action,
    sum_on,
    won_from,
)

WIDEN: Final = 0.25
CUT: Final = 4
SELDOM: Final = 8
"""A playout considers ceding once in SELDOM turns."""
LOATH: Final = 300
"""The least that a cession must promise, in hundredths of points."""
KEPT: Final = 16
"""The weight of a card kept in the hand, which becomes a follower in the end: divided by 8 + the cards in the piles."""
USUAL: Final = 3
"""The influence of a card, on average."""


def playout_action(state: RawPosition, rng: Words) -> int:
    """Uniform, but followers are seldom given away."""
    if state.phase == CEDING and draw(rng, i64(SELDOM)) != 0:
        return i64(KEEP)
    return random_action(state, rng)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """The gain in what the mover's followers promise, in hundredths of points."""
    phase = i64(state.phase)
    for i in range(count):
        action = i64(actions[i])
        if phase == CEDING:
            out[i] = 0 if action == KEEP else _cession_value(state, action - CEDE)
        elif phase == DRAWING:
            back = i64(state.deck[index(state.top[index(action - DRAW)])])  # it tells the magic
            out[i] = _value_of_more(state, back >> 4, i64(USUAL))
        else:
            out[i] = _sending_value(state, action >> 4, action & 15)


def _cession_value(state: RawPosition, pile: int) -> int:
    """The receiver of a magic has all of it then; followers given away cannot disappoint."""
    magic = pile & 7
    mine, others = _influence(state, i64(state.mover), magic), _strongest_of_others(state, magic)
    return _prospect(state, i64(0), max(mine, others)) - _prospect(state, mine, others) - LOATH


def _sending_value(state: RawPosition, place: int, cell: int) -> int:
    """The followers that it wins, less what the card would be worth in the end if it were kept."""
    card = i64(state.hands[index(HAND * i64(state.mover) + place)])
    kept = _value_of_more(state, card >> 4, sum_of(i64(1) << (card & 15)))
    put(state, card, cell)  # and take it back below
    won = won_from(state, card, cell)
    influence, value = i64(state.influence), i64(0)
    for magic in range(MAGICS):
        caught = won & of_magic(state, magic)
        if caught != 0:
            value += _value_of_more(state, i64(magic), sum_on(influence, caught))
    state.board[index(cell)] = NOTHING
    lift(state, i64(1) << cell)
    return value - KEPT * kept // (8 + _cards_left(state))


def _value_of_more(state: RawPosition, magic: int, more: int) -> int:
    """The gain of the mover from `more` influence in a magic."""
    mine, others = _influence(state, i64(state.mover), magic), _strongest_of_others(state, magic)
    return _prospect(state, mine + more, others) - _prospect(state, mine, others)


def _influence(state: RawPosition, player: int, magic: int) -> int:
    return sum_of(i64(state.followers[index(8 * player + magic)]))


def _strongest_of_others(state: RawPosition, magic: int) -> int:
    strongest = i64(0)
    for player in range(state.players):
        if player != state.mover:
            strongest = max(strongest, _influence(state, i64(player), magic))
    return strongest


def _prospect(state: RawPosition, mine: int, others: int) -> int:
    return i64(PROSPECTS[index(_cards_left(state) >> STAGE), index(mine), index(others)])


def _cards_left(state: RawPosition) -> int:
    """The number of cards in the piles, 38 at most."""
    return i64(state.bottom[LEFT]) - i64(state.top[LEFT]) + i64(state.bottom[RIGHT]) - i64(state.top[RIGHT])
