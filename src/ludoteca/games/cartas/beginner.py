"""The player that beginners write: sequences are led first, the lowest play answers, and no pair is broken for a single card
if another card answers too. What becomes of a position when all play like this tells a lot about it, and takes little time.

These functions are compiled with the heuristics, and run as they stand in `jogador`: no NumPy in here.
"""

from ludoteca.core.bits import size
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    SINGLE,
    SUITS,
    each_of,
    ends_in,
    having,
    is_answered_by_fours,
    is_of_kings,
    length_of,
    lowest,
    pairs_that_answer,
    shape,
)


def lead(hand: int) -> int:
    """The lowest double sequence, as long as it goes on, else such a sequence, else the largest set."""
    for each in range(2, 0, -1):
        values = having(hand, each)
        starts = values & (values >> SUITS) & (values >> 2 * SUITS)
        if starts != 0:
            run = run_from(values, starts & -starts)
            length = size(run)
            return cheapest(hand, shape(length, each), lowest(run) + SUITS * (length - 1), DECK)
    return largest_set(hand)


def answer(hand: int, play: int, kind: int, higher: int) -> int:
    """The lowest play that answers, 0 when there is none: `kind` is the shape to answer, `higher` the cards above it."""
    cards = lowest_card(hand, higher) if kind == SINGLE else lowest_of(hand, kind, higher)
    return lowest_besides(hand, play) if cards == 0 and is_of_kings(play) else cards


def run_from(values: int, low: int) -> int:
    """The consecutive values from `low` on; both as `having` gives them."""
    full = values * 15
    return values & full & ~(full + low)


def largest_set(hand: int) -> int:
    """All cards of a value of which there are most; of equal ones the lowest."""
    values = having(hand, 1)
    for each in range(2, SUITS + 1):
        more = having(hand, each)
        values = more if more != 0 else values
    return hand & (15 << lowest(values))


def lowest_card(hand: int, higher: int) -> int:
    """The lowest of the higher cards, if possible one that stands alone; 0 when there is none."""
    cards = hand & higher
    alone = cards & ~(having(hand, 2) * 15)
    return alone & -alone if alone != 0 else cards & -cards


def lowest_of(hand: int, kind: int, higher: int) -> int:
    """The lowest combination of a kind with one of the higher cards; 0 when there is none."""
    ends = ends_in(hand, kind, higher)
    return cheapest(hand, kind, lowest(ends), higher) if ends != 0 else 0


def lowest_besides(hand: int, play: int) -> int:
    """The lowest combination of another kind that answers kings; 0 when there is none."""
    four = lowest_of(hand, FOUR, DECK) if is_answered_by_fours(play) else 0
    length = pairs_that_answer(play)
    return lowest_of(hand, shape(length, 2), DECK) if four == 0 and length > 0 else four


def cheapest(hand: int, kind: int, end: int, higher: int) -> int:
    """The lowest combination of a kind that ends with a value and has one of the higher cards there."""
    each, cards = each_of(kind), 0
    for i in range(1, length_of(kind)):
        cards |= lowest_cards(hand & (15 << (end - SUITS * i)), each)
    last = hand & (15 << end)
    cards |= lowest_cards(last, each - 1)
    top = last & ~cards & higher
    return cards | (top & -top)


def lowest_cards(cards: int, n: int) -> int:
    """So many of them, from the lowest."""
    rest = cards
    for _ in range(n):
        rest &= rest - 1
    return cards ^ rest
