"""Endings that can be played exactly (`core.contract.Endgame`): with all hands open, and with none open but one's own.

The game ends with the first empty hand, so four hands are left to its end. But a hand may be out of it: who can never answer
what the others can still play passes for ever. When all hands are open and two at most are not out of it, the game is one
between two, and strictly against each other: whoever wins gets points and the other none, so each wants to win with many,
else nobody to win, else the other to win with few.

Seen from one hand, with the others concealed: a play that nobody can answer, whatever he holds, leads to another lead. Who
can play all his cards so has won, and gets all points there are.
"""

from typing import Final

from ludoteca.core.bits import mixed, size
from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.core.tables import table
from ludoteca.games.cartas.combinations import (
    DECK,
    KINGS,
    LEADS,
    SHORTEST,
    SUITS,
    each_of,
    ends_in,
    ends_of_runs,
    having,
    is_answered_by_fours,
    length_of,
    lowest,
    pairs_that_answer,
    shape,
)
from ludoteca.games.cartas.rules import PLAYERS, is_terminal, winners

NOWHERE: Final = 64
"""Beyond every card."""
_SHAPES: Final = table([shape(length, each) for length, each, _ in LEADS])


def endgame_size(state: RawPosition) -> int:
    """How many cards are in the hands that matter; -1 when they are too many hands, or the mover's is not known."""
    mover = i64(state.mover)
    if not _is_known(state, mover):
        return i64(-1)
    for player in range(PLAYERS):
        if not _is_known(state, i64(player)):
            return i64(state.sizes[index(mover)])
    return _size_of_open(state, mover)


def position_key(state: RawPosition) -> int:
    """The hands and their sizes, the cards played, the play to answer, the passes, the mover."""
    hands, sizes = state.hands, state.sizes
    few = i64(state.mover) << 3 | i64(state.passes)
    for player in range(PLAYERS):
        few = few << 4 | i64(sizes[player])
    key = mixed(few, i64(state.play))
    for player in range(PLAYERS):
        key = mixed(key, i64(hands[player]))
    return mixed(key, i64(state.played))


def advantage(state: RawPosition, player: int) -> int:
    """The points, less those of the others: nothing before the end."""
    if not is_terminal(state):
        return i64(0)
    won = winners(state)
    if won == 0:
        return i64(0)
    return _cards_left(state) if (won >> player) & 1 else -_cards_left(state)


def most_gain(state: RawPosition, player: int) -> int:
    """All cards of the others."""
    return _cards_left(state) - i64(state.sizes[index(player)])


def most_loss(state: RawPosition, player: int) -> int:
    """All cards but one, for somebody has won with it."""
    return _cards_left(state) - 1


def tells_actions(state: RawPosition) -> bool:
    """The mover's hand is known, or nothing that he may hold answers the play."""
    mover = i64(state.mover)
    return _is_known(state, mover) or not _may_answer(state, _not_seen(state), i64(state.sizes[index(mover)]))


def action_values(state: RawPosition, actions: Integers, count_: int, out: Integers) -> None:
    """Many cards first."""
    for i in range(count_):
        out[i] = size(i64(actions[i]))


def _is_known(state: RawPosition, player: int) -> bool:
    return i64(state.hands[index(player)]) != 0 or i64(state.sizes[index(player)]) == 0


def _cards_left(state: RawPosition) -> int:
    left = i64(0)
    for player in range(PLAYERS):
        left += i64(state.sizes[player])
    return left


def _not_seen(state: RawPosition) -> int:
    """The cards that the hands not known are made of."""
    cards = DECK ^ i64(state.played)
    for player in range(PLAYERS):
        cards ^= i64(state.hands[player])
    return cards


def _may_answer(state: RawPosition, cards: int, most: int) -> bool:
    """Can a hand of so many of these cards answer the play, or lead?"""
    play = i64(state.play)
    if play == 0:
        return True
    if most >= size(play) and ends_in(cards, i64(state.kind), i64(state.higher)) != 0:
        return True
    if is_answered_by_fours(play) and most >= SUITS and having(cards, SUITS) != 0:
        return True
    pairs = pairs_that_answer(play)
    return pairs > 0 and most >= 2 * pairs and ends_of_runs(having(cards, 2), pairs) != 0


# Hands that are out of it


def _size_of_open(state: RawPosition, mover: int) -> int:
    """The cards in the hands that matter; -1 when they are more than two, or the mover's is not one of them."""
    matter = _those_who_matter(state)
    if size(matter) > 2 or (matter >> mover) & 1 == 0:
        return i64(-1)
    cards = i64(0)
    for player in range(PLAYERS):
        cards += i64(state.sizes[player]) * ((matter >> player) & 1)
    return cards


def _those_who_matter(state: RawPosition) -> int:
    """Who may lead or answer now, and whoever can answer anything that one of them can play: a bit set."""
    hands, matter, before = state.hands, i64(0), i64(-1)
    for player in range(PLAYERS):
        if _may_lead(state, player) or _may_answer(state, i64(hands[player]), i64(state.sizes[player])):
            matter |= i64(1) << player
    while matter != before:
        before = matter
        for i in range(PLAYERS * PLAYERS):
            player, other = i64(i) >> 2, i64(i) & (PLAYERS - 1)
            if (before >> other) & ~(before >> player) & 1 and _answers_some(i64(hands[player]), i64(hands[other])):
                matter |= i64(1) << player
    return matter


def _may_lead(state: RawPosition, player: int) -> bool:
    """Before the first play everybody may, if the others pass; then who made the last one."""
    if state.play == 0:
        return i64(state.passes) < PLAYERS - 1 or i64(state.mover) == player
    return (i64(state.mover) - 1 - i64(state.passes)) & (PLAYERS - 1) == player


def _answers_some(hand: int, other: int) -> bool:
    """Can the hand answer anything that can be played from the other?"""
    for i in range(len(_SHAPES)):
        if _reaches(hand, other, i64(_SHAPES[i])):
            return True
    return _answers_kings(hand, size(other & KINGS))


def _reaches(hand: int, other: int, shape: int) -> bool:
    """Is the hand's highest combination of a shape higher than the other's lowest?"""
    return _highest(hand, shape) > _lowest(other, shape)


def _highest(hand: int, shape: int) -> int:
    """The highest card of the highest combination of a shape; -1 when there is none."""
    end, highest = i64(-1), i64(-1)
    ends = ends_of_runs(having(hand, each_of(shape)), length_of(shape))
    while ends != 0:
        end = lowest(ends)
        ends &= ends - 1
    for suit in range(SUITS):
        if end >= 0 and (hand >> (end + suit)) & 1:
            highest = end + suit
    return highest


def _lowest(hand: int, shape: int) -> int:
    """The highest card of the lowest combination of a shape; NOWHERE when there is none."""
    ends = ends_of_runs(having(hand, each_of(shape)), length_of(shape))
    if ends == 0:
        return i64(NOWHERE)
    end, taken = lowest(ends), i64(0)
    for suit in range(SUITS):
        taken += (hand >> (end + suit)) & 1
        if taken == each_of(shape):
            return end + suit
    return i64(NOWHERE)


def _answers_kings(hand: int, kings: int) -> bool:
    """Can the hand answer some of so many kings with what is not of their shape? If it can answer two, it can one."""
    return kings > 0 and (having(hand, SUITS) != 0 or ends_of_runs(having(hand, 2), SHORTEST) != 0)
