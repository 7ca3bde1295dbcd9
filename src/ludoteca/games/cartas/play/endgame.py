"""Endings of Jogo de Cartas that can be solved exactly (`core.contract.Endgame`): with all hands open, or with only the
mover's hand open.

The game ends with the first empty hand, so four hands are left until then. But some hands may not matter: a player passes to
the end if none of the others' possible plays can be answered from the hand. If all hands are open and at most two matter,
this is a game of two players with opposite interests. The winner gets points, and the other player gets none. So each player
prefers to win with many points, then a game without a winner, then a win of the other with few points. The player for whom
an ending is solved does not pass to end the game without a winner, but the opponents may.

If the other hands are concealed, the solver looks for a sure win: a play leads to another lead of the same player if no hand
that the others may have answers it. A player who can play all cards in this way has won, and gets all possible points.
"""

from typing import Final

from ludoteca.core.bits import mixed, size
from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.cartas.combinations import (
    DECK,
    KINGS,
    OTHERS,
    SUITS,
    each_of,
    ends_in,
    ends_of_runs,
    having,
    length_of,
    lowest,
    other_shape,
)
from ludoteca.games.cartas.rules import LEAD_SHAPES, PLAYERS, is_terminal, winners

NOWHERE: Final = 64
"""A number above that of every card."""


def endgame_size(state: RawPosition) -> int:
    """Return the size of the ending, from which a search decides whether to solve it: the number of cards in the hands that
    matter. If the other hands are concealed, it is the number of cards in the mover's hand.

    Return -1 if the ending cannot be solved: more than two hands matter, the mover's hand is not one of them, or it is not
    known.
    """
    mover = i64(state.mover)
    if not _is_known(state, mover):
        return i64(-1)
    for player in range(PLAYERS):
        if not _is_known(state, i64(player)):
            return i64(state.sizes[index(mover)])
    matter = _hands_that_matter(state)
    if size(matter) > 2 or (matter >> mover) & 1 == 0:
        return i64(-1)
    cards = i64(0)
    for player in range(PLAYERS):
        cards += i64(state.sizes[player]) * ((matter >> player) & 1)
    return cards


def position_key(state: RawPosition) -> int:
    """Return a hash of the parts of a position that decide its result: the hands and their sizes, the cards played, the play
    to answer, the passes and the mover.
    """
    hands, sizes = state.hands, state.sizes
    few = i64(state.mover) << 3 | i64(state.passes)
    for player in range(PLAYERS):
        few = few << 4 | i64(sizes[player])
    key = mixed(few, i64(state.play))
    for player in range(PLAYERS):
        key = mixed(key, i64(hands[player]))
    return mixed(key, i64(state.played))


def advantage(state: RawPosition, player: int) -> int:
    """Return the player's points if the player has won, minus the winner's points if another has, and 0 if the game is not
    over or has no winner.
    """
    if not is_terminal(state):
        return i64(0)
    won = winners(state)
    if won == 0:
        return i64(0)
    return _cards_left(state) if (won >> player) & 1 else -_cards_left(state)


def most_gain(state: RawPosition, player: int) -> int:
    """Return the most points that a player can still win: the number of all cards in the other hands."""
    return _cards_left(state) - i64(state.sizes[index(player)])


def most_loss(state: RawPosition, player: int) -> int:
    """Return the most points that another player can still win: one less than the number of cards left, because the winner
    plays at least one.
    """
    return _cards_left(state) - 1


def tells_actions(state: RawPosition) -> bool:
    """Return True if the legal actions are certain although hands are concealed: the mover's hand is known, or none of the
    hands that the mover may have can answer the play.
    """
    mover = i64(state.mover)
    if _is_known(state, mover):
        return True
    not_seen = DECK ^ i64(state.played)
    for player in range(PLAYERS):
        not_seen ^= i64(state.hands[player])
    return not _may_answer(state, not_seen, i64(state.sizes[index(mover)]))


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """Write the number of cards of each action, so that a search tries plays of many cards first."""
    for i in range(count):
        out[i] = size(i64(actions[i]))


def _is_known(state: RawPosition, player: int) -> bool:
    return i64(state.hands[index(player)]) != 0 or i64(state.sizes[index(player)]) == 0


def _cards_left(state: RawPosition) -> int:
    left = i64(0)
    for player in range(PLAYERS):
        left += i64(state.sizes[player])
    return left


def _may_answer(state: RawPosition, cards: int, most: int) -> bool:
    """Return True if a hand of `most` of these cards may answer the play. This is always so if the player leads."""
    play = i64(state.play)
    if play == 0:
        return True
    if most >= size(play) and ends_in(cards, i64(state.kind), i64(state.higher)) != 0:
        return True
    return _may_answer_kings(cards, play, most)


def _may_answer_kings(cards: int, play: int, most: int) -> bool:
    """Return True if a hand of `most` of these cards may answer a play of kings with a combination of another shape."""
    for number in range(OTHERS):
        other = other_shape(play, number)
        if other != 0 and most >= length_of(other) * each_of(other) and ends_in(cards, other, i64(DECK)) != 0:
            return True
    return False


# Hands that matter


def _hands_that_matter(state: RawPosition) -> int:
    """Return the bit set of the players whose hands can still affect the game: players who may lead or answer now, and
    players who can answer a play of such a player.
    """
    hands, matter, before = state.hands, i64(0), i64(-1)
    for player in range(PLAYERS):
        answers = state.play != 0 and _may_answer(state, i64(hands[player]), i64(state.sizes[player]))
        if answers or _may_lead(state, player):
            matter |= i64(1) << player
    while matter != before:
        before = matter
        for i in range(PLAYERS * PLAYERS):
            player, other = i64(i) >> 2, i64(i) & (PLAYERS - 1)
            if (before >> other) & ~(before >> player) & 1 and _answers_some(i64(hands[player]), i64(hands[other])):
                matter |= i64(1) << player
    return matter


def _may_lead(state: RawPosition, player: int) -> bool:
    """Return True if the player leads next if the others pass. Before the first play this may be any player, later it is the
    player who made the last play.
    """
    if state.play == 0:
        return i64(state.passes) < PLAYERS - 1 or i64(state.mover) == player
    return (i64(state.mover) - 1 - i64(state.passes)) & (PLAYERS - 1) == player


def _answers_some(hand: int, other: int) -> bool:
    """Return True if the hand can answer at least one combination of the other hand.

    Kings can also be answered by another shape. It is enough to test one king, because every hand that answers two or three
    kings in this way also answers one king.
    """
    for i in range(len(LEAD_SHAPES)):
        if _highest(hand, i64(LEAD_SHAPES[i])) > _lowest(other, i64(LEAD_SHAPES[i])):
            return True
    kings = other & KINGS
    return _may_answer_kings(hand, kings & -kings, size(hand))


def _highest(hand: int, shape: int) -> int:
    """Return the highest card of the highest combination of a shape in a hand, as the number of its bit, or -1 if there is
    none.
    """
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
    """Return the highest card of the lowest combination of a shape in a hand, as the number of its bit, or NOWHERE if there
    is none.
    """
    ends = ends_of_runs(having(hand, each_of(shape)), length_of(shape))
    if ends == 0:
        return i64(NOWHERE)
    end, taken = lowest(ends), i64(0)
    for suit in range(SUITS):
        taken += (hand >> (end + suit)) & 1
        if taken == each_of(shape):
            return end + suit
    return i64(NOWHERE)
