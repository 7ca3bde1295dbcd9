"""The combinations of cards that may be played, and the combinations that may follow a play: sections 1.2 and 1.3 of the
document.

A set of cards is a bit set. A card is the bit 4 * (value - 1) + suit, so the order of the bits is the order of the cards.

          A     2     3            10     J     C     Q     K       value
       ♠♥♦♣  ♠♥♦♣  ♠♥♦♣   ...   ♠♥♦♣  ♠♥♦♣  ♠♥♦♣  ♠♥♦♣  ♠♥♦♣      suit
       0      4     8            36    40    44    48    52         lowest bit of the four

Every combination has `each` cards of each of `length` consecutive values. These two numbers are its *shape*. Sets
(conjuntos) have length 1. Sequences (sequências) have one card of each value, and double sequences (duplas sequências) have
two. So a combination *answers* another, which means that it may follow it, if it has the same shape and a higher highest
card. Kings have further answers.

The rules compile these functions. The document's programs run them as Python, without NumPy.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from ludoteca.core.bits import size

VALUES: Final = 14
SUITS: Final = 4
DECK: Final = (1 << (SUITS * VALUES)) - 1
KINGS: Final = 15 << (SUITS * (VALUES - 1))
SHORTEST: Final = 3
"""The fewest values of a sequence or of a double sequence."""

SINGLE: Final = 8 + 1
"""The shape of one card."""
FOUR: Final = 8 + 4
"""The shape of a set of four."""
OTHERS: Final = 2
"""The number of possible shapes of other answers to kings, as `other_shape` numbers them."""

_ONES: Final = 0x11111111111111
_TWOS: Final = 0x33333333333333
_FIVES: Final = 0x55555555555555


# Cards


def lowest(cards: int) -> int:
    """Return the lowest of the four bits of the value of the lowest card in a set: 0, 4, ... 52."""
    return size((cards & -cards) - 1) & ~3


def counts(cards: int) -> int:
    """Return the number of cards of each value in a set. The result has four bits for each value, with the number in these
    bits.
    """
    pairs = cards - ((cards >> 1) & _FIVES)
    return (pairs & _TWOS) + ((pairs >> 2) & _TWOS)


def having(cards: int, each: int) -> int:
    """Return the set of the values of which a set has at least `each` cards. The lowest of a value's four bits represents
    the value.
    """
    return ((counts(cards) + (8 - each) * _ONES) >> 3) & _ONES


def above(cards: int) -> int:
    """Return the set of the cards that are higher than every card of a set."""
    below = cards | (cards >> 1)
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    below |= below >> 16
    below |= below >> 32
    return DECK ^ below


# Combinations


def shape(length: int, each: int) -> int:
    """Return the shape of combinations with `each` cards of each of `length` consecutive values, as one number."""
    return 8 * length + each


def length_of(shape: int) -> int:
    """Return the number of consecutive values that combinations of a shape have."""
    return shape >> 3


def each_of(shape: int) -> int:
    """Return the number of cards of each value that combinations of a shape have."""
    return shape & 7


def shape_of(cards: int) -> int:
    """Return the shape of a set of cards, or 0 if the cards are no combination."""
    if cards == 0:
        return 0
    low = lowest(cards)
    found = counts(cards) >> low
    each = found & 15
    length = size(having(cards, 1))
    if found != each * (_ONES & ((1 << (SUITS * length)) - 1)):
        return 0
    if length == 1 or (length >= SHORTEST and each <= 2):
        return shape(length, each)
    return 0


def is_of_kings(play: int) -> bool:
    """Return True if all cards of a play are kings: “quando a última combinação jogada só contém reis”."""
    return play & ~KINGS == 0


def other_shape(play: int, number: int) -> int:
    """Return the shape of other answers to a play of kings, or 0 if there are none. Combinations of that shape answer the
    kings, however low their cards are.

    `number` 0 is for the set of four: “um rei (K) pode ser seguido de um conjunto de quatro cartas iguais”. `number` 1 is
    for the double sequence: “uma dupla sequência de tamanho três” answers one king, a double sequence of four values answers
    two kings, and one of five values answers three.
    """
    kings = size(play)
    if not is_of_kings(play) or not 1 <= kings <= 3:
        return 0
    if number == 0:
        return FOUR if kings == 1 else 0
    return shape(kings + 2, 2)


def answers(cards: int, play: int) -> bool:
    """Return True if a set of cards is a combination that may follow the play."""
    found = shape_of(cards)
    if found == 0:
        return False
    if found == shape_of(play) and cards & above(play) != 0:
        return True
    return found in (other_shape(play, 0), other_shape(play, 1))


def ends_of_runs(values: int, length: int) -> int:
    """Return the set of those values that are the highest of `length` consecutive values. Sets of values are as `having`
    returns them.
    """
    ends = values
    for _ in range(length - 1):
        ends = (ends << SUITS) & values
    return ends


def ends_in(hand: int, shape: int, higher: int) -> int:
    """Return the set of the values that are the highest of a combination of this shape in a hand, if at least one of its
    cards of that value is among the `higher` cards.
    """
    ends = ends_of_runs(having(hand, each_of(shape)), length_of(shape))
    if ends != 0:
        ends &= having(hand & higher, 1)
    return ends


# The turns that a hand takes


def turns(hand: int) -> int:
    """Return an estimate of how many turns it takes to play all cards of a hand: one for each value, minus the turns that
    sequences save.
    """
    one, two, three = having(hand, 1), having(hand, 2), having(hand, 3)
    return size(one) - _saved(one, one & ~two) - _saved(two, two & ~three)


def _saved(values: int, last: int) -> int:
    """Return how many turns the longest sequences of these values save.

    A sequence takes one turn, instead of one turn for each value that it uses up. `last` is the set of the values that a
    sequence would use up, because no cards of the value are left afterwards.
    """
    middles = (values >> SUITS) & values & (values << SUITS)
    rest = (middles | (middles >> SUITS) | (middles << SUITS)) * 15
    saved = 0
    while rest != 0:
        run = rest & ~(rest + (rest & -rest))
        saved += max(0, size(run & last) - 1)
        rest ^= run
    return saved


# All possible plays, for the document's programs: of hands of any size, in the document's order

Group = tuple[int, int, int]
"""Combinations of one shape whose highest card is in a set of cards: `length`, `each`, and this set."""
Window = tuple[int, tuple[tuple[int, ...], ...]]
"""The lowest bit of the lowest value, and for each value from there on the sets of suits that may be taken."""

CHOICES: Final = tuple(
    tuple(
        tuple(sum(bits) for bits in combinations([1 << suit for suit in range(SUITS) if suits >> suit & 1], each))
        for suits in range(1 << SUITS)
    )
    for each in range(SUITS + 1)
)
"""The sets of `each` suits out of a set of suits, as CHOICES[each][suits], ordered by their lowest suit, then the next."""

LEADS: Final[tuple[Group, ...]] = (
    *((1, each, DECK) for each in range(1, SUITS + 1)),
    *((length, each, DECK) for each in (1, 2) for length in range(SHORTEST, VALUES + 1)),
)
"""The combinations that may be led, if there is no play to answer: sets by size, then sequences by length."""


def groups(play: int) -> tuple[Group, ...]:
    """Return the groups of combinations that may follow a play: those of the same shape, and then the other answers to
    kings.

    If the play is 0, the player leads, and any combination may be played.
    """
    if play == 0:
        return LEADS
    found = shape_of(play)
    if found == 0:
        return ()
    others = (other_shape(play, number) for number in range(OTHERS))
    return (
        (length_of(found), each_of(found), above(play)),
        *((length_of(each), each_of(each), DECK) for each in others if each),
    )


def windows(hand: int, group: Group) -> Iterator[Window]:
    """Yield the beginning of each run of values in the hand that has combinations of a group, and the choices of suits for
    each of its values. The lowest run comes first.
    """
    length, each, among = group
    ends = ends_of_runs(having(hand, each), length)
    for end in range(SUITS * (length - 1), SUITS * VALUES, SUITS):
        if (ends >> end) & 1:
            low = end - SUITS * (length - 1)
            lower = [CHOICES[each][(hand >> at) & 15] for at in range(low, end, SUITS)]
            highest = [suits for suits in CHOICES[each][(hand >> end) & 15] if (suits << end) & among]
            if highest:
                yield low, (*lower, tuple(highest))
