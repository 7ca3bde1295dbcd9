"""Heuristics: followers are worth what they promise (`prospects`), most of all those of magics that one will control.

Nothing hidden is read: followers and the board lie open, piles show their backs, and the hand is the mover's own.
"""

from typing import Final

from ludoteca.core.bits import first
from ludoteca.core.contract import BY_RESULTS, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.games.conclave.deck import MAGICS, NOTHING, sum_of
from ludoteca.games.conclave.play.prospects import PROSPECTS, STAGE
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


def opponent_action(state: RawPosition, rng: Words) -> int:
    """Of several opponents, each plays what looks best on the hand dealt to them; a single one plays by results."""
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
    """The gain in what the mover's followers promise, in hundredths of points."""
    for i in range(count):
        out[i] = _value_of(state, i64(actions[i]))


def is_obvious(state: RawPosition, action: int) -> bool:
    """Return True for keeping all followers: beginners do not give them away unless they see a reason."""
    return action == KEEP


def _value_of(state: RawPosition, action: int) -> int:
    phase = i64(state.phase)
    if phase == SENDING:
        return _sending_value(state, action >> 4, action & 15)
    if phase == CEDING:
        return i64(0) if action == KEEP else _cession_value(state, action - CEDE)
    back = i64(state.deck[index(state.top[index(action - DRAW)])])  # it tells the magic
    return _value_of_more(state, back >> 4, i64(USUAL))


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
