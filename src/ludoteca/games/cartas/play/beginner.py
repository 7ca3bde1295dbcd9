"""A simple strategy, as beginners program it: lead sequences first, and answer with the lowest play.

A game in which four such players finish a position is quick to play, and its result is a good estimate of the position. So
the heuristics compile these functions for playouts. The document's program `jogador` runs them as Python, without NumPy.

Hands and plays are sets of cards, as bits. `combinations` explains the numbers of cards and of shapes.
"""

from ludoteca.core.bits import size
from ludoteca.games.cartas.combinations import (
    DECK,
    OTHERS,
    SINGLE,
    SUITS,
    each_of,
    ends_in,
    having,
    is_of_kings,
    length_of,
    lowest,
    other_shape,
    shape,
)


def lead(hand: int) -> int:
    """Return the play with which a beginner leads: the lowest double sequence in full length, or else the lowest sequence in
    full length, or else the largest set.
    """
    for each in range(2, 0, -1):
        values = having(hand, each)
        starts = values & (values >> SUITS) & (values >> 2 * SUITS)
        if starts != 0:
            full = values * 15
            run = values & full & ~(full + (starts & -starts))  # the consecutive values from the first start on
            length = size(run)
            return cheapest(hand, shape(length, each), lowest(run) + SUITS * (length - 1), DECK)
    return largest_set(hand)


def answer(hand: int, play: int, kind: int, higher: int) -> int:
    """Return the lowest play that answers `play`, or 0 if there is none. `kind` is the shape of `play`, and `higher` the set
    of the cards that are higher than all its cards.
    """
    cards = lowest_card(hand, higher) if kind == SINGLE else lowest_of(hand, kind, higher)
    return lowest_of_others(hand, play) if cards == 0 and is_of_kings(play) else cards


def largest_set(hand: int) -> int:
    """Return all cards of the value of which the hand has the most cards. If several values have as many, take
    the lowest.
    """
    values = having(hand, 1)
    for each in range(2, SUITS + 1):
        more = having(hand, each)
        values = more if more != 0 else values
    return hand & (15 << lowest(values))


def lowest_card(hand: int, higher: int) -> int:
    """Return the lowest of the `higher` cards in a hand. Cards whose value occurs only once in the hand are preferred, so
    that no pair is broken. Return 0 if there is none.
    """
    cards = hand & higher
    alone = cards & ~(having(hand, 2) * 15)
    return alone & -alone if alone != 0 else cards & -cards


def lowest_of(hand: int, kind: int, higher: int) -> int:
    """Return the lowest combination of a shape in a hand whose highest card is one of the `higher` cards, or 0 if there is
    none.
    """
    ends = ends_in(hand, kind, higher)
    return cheapest(hand, kind, lowest(ends), higher) if ends != 0 else 0


def lowest_of_others(hand: int, play: int) -> int:
    """Return the lowest combination that answers a play of kings although it has another shape, or 0 if there is none. A set
    of four is preferred to a double sequence.
    """
    for number in range(OTHERS):
        other = other_shape(play, number)
        cards = lowest_of(hand, other, DECK) if other != 0 else 0
        if cards != 0:
            return cards
    return 0


def cheapest(hand: int, kind: int, end: int, higher: int) -> int:
    """Return the lowest combination of a shape whose highest value begins at bit `end`, and whose highest card is one of the
    `higher` cards.
    """
    each, cards = each_of(kind), 0
    for i in range(1, length_of(kind)):
        cards |= lowest_cards(hand & (15 << (end - SUITS * i)), each)
    last = hand & (15 << end)
    cards |= lowest_cards(last, each - 1)
    top = last & ~cards & higher
    return cards | (top & -top)


def lowest_cards(cards: int, n: int) -> int:
    """Return the n lowest of the cards."""
    rest = cards
    for _ in range(n):
        rest &= rest - 1
    return cards ^ rest
