"""Guiões 1 and 2 with one sentence of the document broken at a time, for the judge to find.

What is imported here by name stays as it is while a mutant runs, so that a replacement may call what it replaces.
"""

from typing import Final

from ludoteca.core.bits import first, members, size
from ludoteca.core.judging import Mutant
from ludoteca.games.cartas.cards import PICTURES, WORDS, Form, highest, read, write
from ludoteca.games.cartas.combinations import SHORTEST, SUITS, VALUES, each_of, length_of, shape, shape_of
from ludoteca.games.cartas.guioes import describe
from ludoteca.games.cartas.judging.hands import ACE, KING, KNIGHT, QUEEN, circular, profile, top_value

# What is a combination


def ace_is_high(cards: int) -> int:
    """The ace comes after the king too."""
    return shape_of(cards) or (_of_run(cards) if circular(cards) else 0)


def two_pairs(cards: int) -> int:
    values = profile(cards)
    return shape(2, 2) if _consecutive(values) and list(values.values()) == [2, 2] else shape_of(cards)


def two_cards(cards: int) -> int:
    values = profile(cards)
    return shape(2, 1) if _consecutive(values) and list(values.values()) == [1, 1] else shape_of(cards)


def with_gaps(cards: int) -> int:
    values = profile(cards)
    return _of_run(cards) if len(values) >= SHORTEST and set(values.values()) in ({1}, {2}) else shape_of(cards)


def uneven(cards: int) -> int:
    """A value of a sequence may have more cards than one."""
    values = profile(cards)
    return (
        shape(len(values), 1)
        if len(values) >= SHORTEST and _consecutive(values) and 1 in values.values()
        else shape_of(cards)
    )


def triples(cards: int) -> int:
    """Three cards of each value are a double sequence."""
    values = profile(cards)
    return shape(len(values), 2) if len(values) >= SHORTEST and set(values.values()) == {3} else shape_of(cards)


def one_suit(cards: int) -> int:
    found = shape_of(cards)
    return 0 if length_of(found) > 1 and each_of(found) == 1 and len(_suits(cards)) > 1 else found


def five_at_most(cards: int) -> int:
    found = shape_of(cards)
    return 0 if length_of(found) > 5 and each_of(found) == 1 else found


def thirteen_at_most(cards: int) -> int:
    found = shape_of(cards)
    return 0 if length_of(found) == VALUES else found


def three_pairs_only(cards: int) -> int:
    found = shape_of(cards)
    return 0 if length_of(found) > SHORTEST and each_of(found) == 2 else found


def no_set_of_four(cards: int) -> int:
    found = shape_of(cards)
    return 0 if found == shape(1, SUITS) else found


def no_single_cards(cards: int) -> int:
    found = shape_of(cards)
    return 0 if found == shape(1, 1) else found


def any_few_cards(cards: int) -> int:
    """Two to four cards of two values are a set."""
    values = profile(cards)
    return (
        shape(1, size(cards)) if len(values) == 2 and size(cards) <= SUITS and not _consecutive(values) else shape_of(cards)
    )


def knight_after_queen(cards: int) -> int:
    knights, queens = cards >> SUITS * KNIGHT & 15, cards >> SUITS * QUEEN & 15
    rest = cards & ~(255 << SUITS * KNIGHT)
    return shape_of(rest | queens << SUITS * KNIGHT | knights << SUITS * QUEEN)


def without_knights(cards: int) -> int:
    """As in decks of 52 cards: the queen follows the jack."""
    if cards & 15 << SUITS * KNIGHT:
        return shape_of(cards)
    above, below = cards >> SUITS * QUEEN, cards & ((1 << SUITS * KNIGHT) - 1)
    return shape_of(below | above << SUITS * KNIGHT)


def _consecutive(values: dict[int, int]) -> bool:
    return max(values, default=0) - min(values, default=0) == len(values) - 1


def _of_run(cards: int) -> int:
    values = profile(cards)
    return shape(len(values), min(values.values()))


def _suits(cards: int) -> set[int]:
    return {card % SUITS for card in members(cards)}


# The highest card, and the order of combinations


def lowest_suit(cards: int) -> int:
    """A card of the highest value, of whatever suit."""
    top = SUITS * top_value(cards)
    return top + first(cards >> top)


def by_code_point(cards: int) -> int:
    """The highest of Unicode's numbers, which go by suits."""
    return max(members(cards), key=PICTURES.__getitem__)


def ace_on_top(cards: int) -> int:
    """Aces are higher than kings."""
    aces = cards & 15 << SUITS * ACE
    return highest(aces or cards)


def descending(several: list[int]) -> list[int]:
    return sorted(several, key=highest, reverse=True)


def as_they_came(several: list[int]) -> list[int]:
    return several


def by_lowest(several: list[int]) -> list[int]:
    return sorted(several, key=lambda cards: first(cards))


def by_pictures(several: list[int]) -> list[int]:
    return sorted(several, key=lambda cards: PICTURES[highest(cards)])


def by_value(several: list[int]) -> list[int]:
    return sorted(several, key=top_value)


def suits_backwards(several: list[int]) -> list[int]:
    return sorted(several, key=lambda cards: highest(cards) ^ (SUITS - 1))


def queens_below_knights(several: list[int]) -> list[int]:
    order = [*range(KNIGHT), QUEEN, KNIGHT, KING]
    return sorted(several, key=lambda cards: (order.index(top_value(cards)), highest(cards)))


# What is comparable


def numbers_only(several: list[int]) -> bool:
    return all(map(shape_of, several)) and len(set(map(size, several))) <= 1


def types_only(several: list[int]) -> bool:
    return all(map(shape_of, several)) and len(set(map(_type, several))) <= 1


def lengths_only(several: list[int]) -> bool:
    """Sequences and double ones are comparable if they have as many values."""
    shapes = set(map(shape_of, several))
    kinds = {(length_of(each), each_of(each) if length_of(each) == 1 else 0) for each in shapes}
    return 0 not in shapes and len(kinds) <= 1


def equally_nothing(several: list[int]) -> bool:
    return len(set(map(shape_of, several))) <= 1


def leaves_nothing_out(several: list[int]) -> bool:
    return len({shape_of(cards) for cards in several} - {0}) == 1


def first_two_only(several: list[int]) -> bool:
    shapes = list(map(shape_of, several))
    return 0 not in shapes and len(set(shapes[:2])) <= 1


def two_at_least(several: list[int]) -> bool:
    shapes = set(map(shape_of, several))
    return len(several) > 1 and 0 not in shapes and len(shapes) == 1


def _type(cards: int) -> tuple[bool, bool]:
    found = shape_of(cards)
    return length_of(found) == 1, length_of(found) > 1 and each_of(found) == 2


# Lines


def ascending_only(text: str) -> tuple[int, bool]:
    """Reading ends with the highest card."""
    cards, words = read(text)
    form = WORDS if words else PICTURES
    places = {text.replace(" ", "").find(form[card].replace(" ", "")): card for card in members(cards)}
    order = [places[place] for place in sorted(places)]
    return sum(1 << card for card in order[: order.index(max(order)) + 1]), words


def counts_cards(cards: int, form: Form) -> str:
    found = shape_of(cards)
    text = describe(cards, form)
    return text.replace(str(length_of(found)), str(size(cards)), 1) if each_of(found) == 2 and length_of(found) > 1 else text


def wide(cards: int, form: Form) -> str:
    return describe(cards, form).replace(" ", "  ")


def unsorted(cards: int, form: Form = PICTURES, between: str = " ") -> str:
    """From the highest card down."""
    return between.join(form[card] for card in reversed(members(cards)))


def blank_at_the_end(cards: int, form: Form = PICTURES, between: str = " ") -> str:
    return write(cards, form, between) + " "


GUIAO1: Final = (
    Mutant("single cards are nothing", "set-1", "combinations", "shape_of", no_single_cards),
    Mutant("four cards are no set", "set-4", "combinations", "shape_of", no_set_of_four),
    Mutant("a set may have cards of another value", "strangers", "combinations", "shape_of", any_few_cards),
    Mutant("two cards are a sequence", "two-cards", "combinations", "shape_of", two_cards),
    Mutant("two pairs are a double sequence", "two-pairs", "combinations", "shape_of", two_pairs),
    Mutant("a sequence has five cards at most", "sequence-long", "combinations", "shape_of", five_at_most),
    Mutant("a sequence lacks a value", "sequence-14", "combinations", "shape_of", thirteen_at_most),
    Mutant("a sequence is of one suit", "many-suits", "combinations", "shape_of", one_suit),
    Mutant("a sequence may have gaps", "gap", "combinations", "shape_of", with_gaps),
    Mutant("a sequence may have a card more of a value", "uneven", "combinations", "shape_of", uneven),
    Mutant("a double sequence has three pairs", "double-long", "combinations", "shape_of", three_pairs_only),
    Mutant("three cards of each value are a double sequence", "triples", "combinations", "shape_of", triples),
    Mutant("the number of a double sequence is that of its cards", "double-3", "guioes", "describe", counts_cards),
    Mutant("the ace follows the king", "king-ace", "combinations", "shape_of", ace_is_high),
    Mutant("the ace is the highest card", "ace-low", "cards", "highest", ace_on_top),
    Mutant("the knight follows the queen", "knight", "combinations", "shape_of", knight_after_queen),
    Mutant("the queen follows the jack", "no-knight", "combinations", "shape_of", without_knights),
    Mutant("suits do not tell which card is highest", "suit", "cards", "highest", lowest_suit),
    Mutant("suits go before values", "many-suits", "cards", "highest", by_code_point),
    Mutant("cards are read in ascending order only", "unsorted", "cards", "read", ascending_only),
    Mutant("two blanks for each", "", "guioes", "describe", wide),
)
GUIAO2: Final = (
    Mutant("as many cards of any type are comparable", "other-type", "guioes", "compatible", numbers_only),
    Mutant("any sizes of one type are comparable", "other-size", "guioes", "compatible", types_only),
    Mutant("sequences and double ones are comparable", "double-size", "guioes", "compatible", lengths_only),
    Mutant("what is nothing is comparable with what is nothing", "all-nothing", "guioes", "compatible", equally_nothing),
    Mutant("what is nothing is not looked at", "nothing-among", "guioes", "compatible", leaves_nothing_out),
    Mutant("only the first two are compared", "third-differs", "guioes", "compatible", first_two_only),
    Mutant("one alone is not comparable", "one", "guioes", "compatible", two_at_least),
    Mutant("the highest comes first", "by-highest", "guioes", "in_order", descending),
    Mutant("nothing is sorted", "by-highest", "guioes", "in_order", as_they_came),
    Mutant("sorted by the lowest card", "not-by-lowest", "guioes", "in_order", by_lowest),
    Mutant("suits go before values", "value-first", "guioes", "in_order", by_pictures),
    Mutant("suits do not count", "suit", "guioes", "in_order", by_value),
    Mutant("spades are the highest suit", "suit", "guioes", "in_order", suits_backwards),
    Mutant("the queen is below the knight", "knight", "guioes", "in_order", queens_below_knights),
    Mutant("cards are printed from the highest down", "cards-ascending", "cards", "write", unsorted),
    Mutant("a blank at the end of a line", "", "cards", "write", blank_at_the_end),
)
