"""Combinations, and which combination answers which: sections 1.2 and 1.3 of the document.

Cards are sets of bits, and a card is the bit 4 * (value - 1) + suit: the order of the bits is the order of the cards.

          A     2     3            10     J     C     Q     K       value
       ♠♥♦♣  ♠♥♦♣  ♠♥♦♣   ...   ♠♥♦♣  ♠♥♦♣  ♠♥♦♣  ♠♥♦♣  ♠♥♦♣      suit
       0      4     8            36    40    44    48    52         lowest bit of the four

Every combination is `each` cards of each of `length` consecutive values; the two numbers are its shape. Conjuntos have
length 1, sequências one card of each value, duplas sequências two. So answering is: the same shape, a higher highest card.

These functions are compiled with the rules, and run as they stand in the document's programs: no NumPy in here.
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
"""The fewest values of a sequence, and the fewest pairs of a double one."""

SINGLE: Final = 8 + 1
"""The shape of one card."""
FOUR: Final = 8 + 4
"""The shape of a set of four."""
OTHERS: Final = 2
"""The number of shapes in `other_shape`."""

_ONES: Final = 0x11111111111111
_TWOS: Final = 0x33333333333333
_FIVES: Final = 0x55555555555555


# Cards


def lowest(cards: int) -> int:
    """The bit at which the value of the lowest card begins: 0, 4, .. 52."""
    return size((cards & -cards) - 1) & ~3


def counts(cards: int) -> int:
    """The number of cards of each value, four bits a value."""
    pairs = cards - ((cards >> 1) & _FIVES)
    return (pairs & _TWOS) + ((pairs >> 2) & _TWOS)


def having(cards: int, each: int) -> int:
    """The values of which there are `each` cards or more: the lowest of their four bits is set."""
    return ((counts(cards) + (8 - each) * _ONES) >> 3) & _ONES


def above(cards: int) -> int:
    """The cards that are higher than all of these."""
    below = cards | (cards >> 1)
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    below |= below >> 16
    below |= below >> 32
    return DECK ^ below


# Combinations


def shape(length: int, each: int) -> int:
    """The shape as one number."""
    return 8 * length + each


def length_of(shape: int) -> int:
    """The number of values."""
    return shape >> 3


def each_of(shape: int) -> int:
    """The number of cards of each value."""
    return shape & 7


def shape_of(cards: int) -> int:
    """The shape of a combination; 0 when the cards are none."""
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
    """“Quando a última combinação jogada só contém reis”."""
    return play & ~KINGS == 0


def other_shape(play: int, number: int) -> int:
    """The shapes but its own that answer a play of kings, whatever the height: fours are number 0, double sequences 1.

    "Um rei (K) pode ser seguido de um conjunto de quatro cartas iguais" or "por uma dupla sequência de tamanho três", two
    kings by one of four, three by one of five. 0 where there is no such answer.
    """
    kings = size(play)
    if not is_of_kings(play) or not 1 <= kings <= 3:
        return 0
    if number == 0:
        return FOUR if kings == 1 else 0
    return shape(kings + 2, 2)


def answers(cards: int, play: int) -> bool:
    """True if these cards may follow that combination."""
    found = shape_of(cards)
    if found == 0:
        return False
    if found == shape_of(play) and cards & above(play) != 0:
        return True
    return found in (other_shape(play, 0), other_shape(play, 1))


def ends_of_runs(values: int, length: int) -> int:
    """The values (as `having` gives them) that end a run of `length` consecutive ones."""
    ends = values
    for _ in range(length - 1):
        ends = (ends << SUITS) & values
    return ends


def ends_in(hand: int, shape: int, higher: int) -> int:
    """The values that end combinations of a shape with one of the `higher` cards as the highest."""
    ends = ends_of_runs(having(hand, each_of(shape)), length_of(shape))
    if ends != 0:
        ends &= having(hand & higher, 1)
    return ends


# The turns that a hand takes


def turns(hand: int) -> int:
    """Return about how many turns a hand takes: one for each value, less the turns that (double) sequences save."""
    one, two, three = having(hand, 1), having(hand, 2), having(hand, 3)
    return size(one) - _saved(one, one & ~two) - _saved(two, two & ~three)


def _saved(values: int, last: int) -> int:
    """Return the turns saved by the longest sequences of these values. `last` are the values that they use up.

    A sequence takes one turn instead of a turn for each value that it uses up.
    """
    middles = (values >> SUITS) & values & (values << SUITS)
    rest = (middles | (middles >> SUITS) | (middles << SUITS)) * 15
    saved = 0
    while rest != 0:
        run = rest & ~(rest + (rest & -rest))
        saved += max(0, size(run & last) - 1)
        rest ^= run
    return saved


# Everything that may be played, for the document's programs: hands of any size, in the document's order

Group = tuple[int, int, int]
"""All combinations of one shape whose highest card is among some: length, each, those cards."""
Window = tuple[int, tuple[tuple[int, ...], ...]]
"""The bit at which the lowest value begins; for every value from there on, the sets of suits that may be chosen."""

CHOICES: Final = tuple(
    tuple(
        tuple(sum(bits) for bits in combinations([1 << suit for suit in range(SUITS) if suits >> suit & 1], each))
        for suits in range(1 << SUITS)
    )
    for each in range(SUITS + 1)
)
"""The ways to take `each` of some suits, CHOICES[each][suits]: by the lowest suit, then the next."""

LEADS: Final[tuple[Group, ...]] = (
    *((1, each, DECK) for each in range(1, SUITS + 1)),
    *((length, each, DECK) for each in (1, 2) for length in range(SHORTEST, VALUES + 1)),
)
"""All that may be led, by kind and size."""


def groups(play: int) -> tuple[Group, ...]:
    """All that may follow a play (0: a lead): first combinations of its shape, then the other answers to kings."""
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
    """The parts of a hand from which combinations of a group are made, from the lowest."""
    length, each, among = group
    ends = ends_of_runs(having(hand, each), length)
    for end in range(SUITS * (length - 1), SUITS * VALUES, SUITS):
        if (ends >> end) & 1:
            low = end - SUITS * (length - 1)
            lower = [CHOICES[each][(hand >> at) & 15] for at in range(low, end, SUITS)]
            highest = [suits for suits in CHOICES[each][(hand >> end) & 15] if (suits << end) & among]
            if highest:
                yield low, (*lower, tuple(highest))
