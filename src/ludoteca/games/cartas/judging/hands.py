"""Random cards of every kind: combinations, cards that are nearly a combination, and lines of cards."""

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from ludoteca.core.bits import members, set_of, size
from ludoteca.games.cartas import cards as texts
from ludoteca.games.cartas.cards import PASSO, PICTURES, WORDS, highest, read
from ludoteca.games.cartas.combinations import (
    DECK,
    SHORTEST,
    SUITS,
    VALUES,
    Group,
    groups,
    lowest,
    shape_of,
    windows,
)

ACE, TEN, JACK, KNIGHT, QUEEN, KING = 0, 9, 10, 11, 12, 13
HEART, DIAMOND = 2, 4
"""The bits of two suits that programs may exchange."""
JOINED: Final = "joined"
SPACED: Final = "spaced"
IN_WORDS: Final = "words"
CONTEST: Final = "contest"
"""The forms of input: Unicode cards together or with blanks, the words of section 3.4.1, and the form of the course's
contest, which is cards together with the number of plays in front."""

_CARD: Final = re.compile(f"(?:10|[A2-9JCQK]) *[{texts.SUITS}]|[{PICTURES[0]}-{PICTURES[-1]}]")


def some_of(random: Random, each: int, value: int) -> int:
    """Return `each` cards of a value."""
    return set_of(SUITS * value + suit for suit in random.sample(range(SUITS), each))


def run(random: Random, length: int, each: int, low: int | None = None) -> int:
    """Return `each` cards of each of `length` consecutive values, from `low` on."""
    start = random.randrange(VALUES - length + 1) if low is None else low
    return sum(some_of(random, each, start + i) for i in range(length))


def kings(random: Random, number: int) -> int:
    """Return `number` kings."""
    return some_of(random, number, KING)


def others(random: Random, number: int, but: int) -> int:
    """Return `number` cards that are not in `but`, or fewer if there are not enough."""
    free = members(DECK & ~but)
    return set_of(random.sample(free, min(number, len(free))))


def any_combination(random: Random, longest: int = 5) -> int:
    """Return a combination of any type. Most are small."""
    if random.random() < 0.5:
        return run(random, 1, random.randint(1, SUITS))
    return run(random, random.randint(SHORTEST, longest), random.choice((1, 1, 2)))


def nothing(random: Random) -> int:
    """Return a few cards that are no combination."""
    kind = random.randrange(4)
    if kind == 0:
        return run(random, 2, random.randint(1, 2))
    if kind == 1:
        return with_gap(random)
    if kind == 2:
        return with_one_more(random)
    return run(random, SHORTEST, 3)


def with_gap(random: Random, first: int = 1, each: int = 0) -> int:
    """Return cards that would be a sequence or double sequence, except that a value is missing after at least `first`
    values.

    Each value has `each` cards. If `each` is 0, it is random.
    """
    length = random.randint(4, 6)
    low = random.randrange(VALUES - length + 1)
    each = each or random.randint(1, 2)
    return run(random, length, each, low) & ~(15 << SUITS * (low + random.randint(first, length - 2)))


def lowest_otherwise(random: Random) -> list[int]:
    """Return two sequences with the same values. The sequence whose highest card is higher has the lower lowest card, so a
    program that compares lowest cards gets the order wrong.
    """
    length = random.randint(SHORTEST, 5)
    low = random.randrange(VALUES - length + 1)
    inner = [run(random, length - 2, 1, low + 1) for _ in range(2)]
    first, second = sorted(random.sample(range(SUITS), 2))
    bottom, top = SUITS * low, SUITS * (low + length - 1)
    several = [inner[0] | 1 << bottom + first | 1 << top + second, inner[1] | 1 << bottom + second | 1 << top + first]
    random.shuffle(several)
    return several


def pairs_and_four(random: Random, length: int, values: int) -> int:
    """Return a double sequence of the lowest `values` values, with all four cards of one of them."""
    low = random.randrange(values - length + 1)
    return run(random, length, 2, low) | 15 << SUITS * random.randrange(low, low + length)


def king_and_ace(random: Random) -> int:
    """Return a run that ends with the king, and goes on with aces and perhaps twos."""
    each = random.randint(1, 2)
    more = random.randint(1, 2)
    length = random.randint(max(1, SHORTEST - more), 4)
    return run(random, length, each, VALUES - length) | run(random, more, each, ACE)


NEARLY: Final = {
    "pairs-and-card": ((2, 2, 2, 1),),
    "card-and-pairs": ((1, 2, 2, 2),),
    "pairs-and-third": ((2, 2, 3), (2, 3, 2), (3, 2, 2)),
    "pairs-but-one": ((2, 2, 1), (2, 1, 2), (1, 2, 2)),
    "pairs-on-average": ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)),
    "cards-on-average": ((2, 0, 1), (1, 0, 2), (2, 1, 0, 1), (1, 0, 2, 1)),
    "pairs-with-gap": ((3, 0, 3), (2, 0, 4), (4, 0, 2)),
    "set-and-card": ((3, 1),),
    "card-and-set": ((1, 3),),
    "fours": ((4, 4, 4),),
}
"""Cards that a program may take for a combination: the number of cards of each value, from the lowest to the highest."""


def nearly(random: Random, key: str) -> int:
    """Return cards as in NEARLY."""
    numbers = random.choice(NEARLY[key])
    low = random.randrange(VALUES - len(numbers) + 1)
    return sum(some_of(random, number, low + place) for place, number in enumerate(numbers))


def is_nearly(cards: int, key: str) -> bool:
    """Return True for cards as in NEARLY."""
    values = profile(cards)
    return tuple(values.get(value, 0) for value in range(min(values), max(values) + 1)) in NEARLY[key]


def with_one_more(random: Random) -> int:
    """Return a sequence with a second card of one of its values."""
    cards = run(random, random.randint(SHORTEST, 5), 1)
    taken = random.choice(members(cards))
    return cards | 1 << random.choice([card for card in range(taken & ~3, (taken & ~3) + SUITS) if card != taken])


def with_top(random: Random, length: int, each: int, low: int, suit: int) -> int:
    """Return a combination whose highest card has this suit. `suit` is at least `each - 1`."""
    at = SUITS * (low + length - 1)
    lower = random.sample(range(suit), each - 1)
    below = run(random, length - 1, each, low) if length > 1 else 0
    return below | set_of(at + each_suit for each_suit in (*lower, suit))


# Legal plays


def some_play(random: Random, hand: int, play: int) -> int:
    """Return a random play, or 0 if there is none. Its type and size are drawn first."""
    possible = list(groups(play))
    random.shuffle(possible)
    for group in possible:
        if found := list(windows(hand, group)):
            low, choices = random.choice(found)
            return sum(random.choice(suits) << (low + SUITS * i) for i, suits in enumerate(choices))
    return 0


def has_shape(hand: int, group: Group) -> bool:
    """Return True if a hand has a combination of the group's shape with one of the group's cards as the highest."""
    return next(windows(hand, group), None) is not None


def profile(cards: int) -> dict[int, int]:
    """Return the number of cards of each present value, ascending."""
    numbers = ((value, size(cards >> SUITS * value & 15)) for value in range(VALUES))
    return {value: number for value, number in numbers if number}


def top_value(cards: int) -> int:
    """Return the highest value."""
    return highest(cards) // SUITS


def circular(cards: int) -> bool:
    """Return True for cards that would be a combination only if an ace followed the king."""
    if shape_of(cards) or not cards & 15 << SUITS * KING or not cards & 15 << SUITS * ACE:
        return False
    turned = cards
    for _ in range(VALUES):
        turned = turned >> SUITS | (turned & 15) << SUITS * KING
        if shape_of(turned):
            return True
    return False


def without_gaps(cards: int) -> int:
    """Return the shape that cards would have if their values followed each other."""
    numbers = profile(cards).values()
    return shape_of(sum(((1 << number) - 1) << SUITS * place for place, number in enumerate(numbers)))


# Lines


def written(random: Random, cards: int, form: str) -> str:
    """Return a line with the cards in random order."""
    order = members(cards)
    random.shuffle(order)
    return _in_order(order, form)


def in_form(cards: int, form: str) -> str:
    """Return a line with the cards in ascending order."""
    return _in_order(members(cards), form)


def _in_order(order: Sequence[int], form: str) -> str:
    names = WORDS if form == IN_WORDS else PICTURES
    return ("" if form in (JOINED, CONTEST) else " ").join(names[card] for card in order)


def form_of(line: str) -> str:
    """Return the form of a line. It is JOINED for a single Unicode card."""
    return IN_WORDS if read(line)[1] else SPACED if " " in line else JOINED


def plainly(line: str) -> str:
    """Return the line with its cards in ascending order, in the same form."""
    return line if line == PASSO or line.isdigit() else in_form(read(line)[0], form_of(line))


def ways(lines: Sequence[str]) -> set[str]:
    """Return the branch of lines that are not in ascending order."""
    names = ([name.replace(" ", "") for name in _CARD.findall(line)] for line in lines)
    sorted_names = ([name.replace(" ", "") for name in _CARD.findall(plainly(line))] for line in lines)
    return {"unsorted"} if any(one != other for one, other in zip(names, sorted_names, strict=True)) else set()


def in_short(line: str) -> str:
    """Return a line with its pictures of cards as `10♠ J♥`, because many terminals show them too small."""
    return " ".join(WORDS[PICTURES.index(sign)].replace(" ", "") for sign in line if sign in PICTURES)


def fewer(line: str) -> list[str]:
    """Return plain forms of the line with fewer cards: without a value, or without a card."""
    cards, form = read(line)[0], form_of(line)
    whole = [cards & ~(1 << card) for card in members(cards)]
    values = [cards & ~(15 << SUITS * value) for value in profile(cards)]
    ends = [cards & ~(15 << lowest(cards)), cards & ~(15 << SUITS * top_value(cards))] if cards else []
    shorter = {left: None for left in (*ends, *values, *whole) if left and left != cards}
    return [in_form(left, form) for left in shorter]
