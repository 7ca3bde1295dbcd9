"""What looks good to a player of Conclave: followers of magics that one will control, by what they promise (`prospects`).

Nobody's hidden cards are looked at: followers and the board lie open, piles show their backs, a hand is its owner's.
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
SELDOM: Final = 8
"""One time in so many a player thinks of ceding in a playout."""
LOATH: Final = 300
"""Hundredths of points that a cession must promise."""
KEPT: Final = 16
"""The weight of a card that is kept in the hand, over 8 and the cards in the piles: in the end it follows."""
USUAL: Final = 3
"""The influence of a card, on average."""


def playout_action(state: RawPosition, rng: Words) -> int:
    """Uniform, but followers are seldom given away."""
    if state.phase == CEDING and draw(rng, i64(SELDOM)) != 0:
        return i64(KEEP)
    return random_action(state, rng)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """What the mover's followers promise more after the action, in hundredths of points."""
    phase = i64(state.phase)
    for i in range(count):
        action = i64(actions[i])
        if phase == CEDING:
            out[i] = 0 if action == KEEP else _cession_value(state, action - CEDE)
        elif phase == DRAWING:
            out[i] = _draw_value(state, action - DRAW)
        else:
            out[i] = _sending_value(state, action >> 4, action & 15)


def _cession_value(state: RawPosition, pile: int) -> int:
    """The player who is ceded a magic has it all; what one gave away cannot disappoint."""
    magic = pile & 7
    mine, others = _influence(state, i64(state.mover), magic), _strongest_of_others(state, magic)
    return _prospect(state, i64(0), max(mine, others)) - _prospect(state, mine, others) - LOATH


def _draw_value(state: RawPosition, pile: int) -> int:
    """The back tells the magic."""
    top = i64(state.deck[index(state.top[index(pile)])])
    return _value_of_more(state, top >> 4, i64(USUAL))


def _sending_value(state: RawPosition, place: int, cell: int) -> int:
    """The followers that it wins, less what the card would be worth in the end if it were kept."""
    card = i64(state.hands[index(HAND * i64(state.mover) + place)])
    kept = _value_of_more(state, card >> 4, sum_of(i64(1) << (card & 15)))
    return _catch_value(state, card, cell) - KEPT * kept // (8 + _cards_left(state))


def _catch_value(state: RawPosition, card: int, cell: int) -> int:
    """The followers that a card wins from a cell. It is put there and taken back."""
    put(state, card, cell)
    won = won_from(state, card, cell)
    influence, value = i64(state.influence), i64(0)
    for magic in range(MAGICS):
        caught = won & of_magic(state, magic)
        if caught != 0:
            value += _value_of_more(state, i64(magic), sum_on(influence, caught))
    state.board[index(cell)] = NOTHING
    lift(state, i64(1) << cell)
    return value


def _value_of_more(state: RawPosition, magic: int, more: int) -> int:
    """What more influence in a magic promises to the mover."""
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
    """In the piles; 38 at most."""
    return i64(state.bottom[LEFT]) - i64(state.top[LEFT]) + i64(state.bottom[RIGHT]) - i64(state.top[RIGHT])
