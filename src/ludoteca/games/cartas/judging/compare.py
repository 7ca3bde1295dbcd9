"""Guião 2: comparable combinations, and their order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import Final

from ludoteca.core.bits import size
from ludoteca.games.cartas.cards import highest, read
from ludoteca.games.cartas.combinations import SHORTEST, SUITS, VALUES, each_of, length_of, shape, shape_of
from ludoteca.games.cartas.judging.branches import GUIAO2
from ludoteca.games.cartas.judging.guiao import Guiao, Test, cards_of
from ludoteca.games.cartas.judging.hands import (
    ACE,
    DIAMOND,
    HEART,
    JACK,
    KNIGHT,
    QUEEN,
    any_combination,
    fewer,
    is_nearly,
    lowest_otherwise,
    nearly,
    nothing,
    profile,
    run,
    some_of,
    top_value,
    ways,
    with_gap,
    with_top,
    without_gaps,
    written,
)
from ludoteca.games.cartas.judging.plays import ace_low
from ludoteca.games.cartas.judging.possible import apart, fault_of_cards
from ludoteca.games.cartas.text.guioes import NOT_EQUAL


def _several(random: Random, length: int, each: int) -> list[int]:
    """Return combinations of one type and size with different highest cards."""
    found = {highest(cards): cards for cards in (run(random, length, each) for _ in range(random.randint(2, 4)))}
    several = list(found.values())
    random.shuffle(several)
    return several


def _of_any_shape(random: Random) -> tuple[int, int]:
    first = shape_of(any_combination(random))
    return length_of(first), each_of(first)


def _same_value(random: Random) -> list[int]:
    """Return two combinations whose highest cards have the same value and different suits. The one with the higher suit
    comes first.
    """
    length, each = _of_any_shape(random)
    each = min(each, 3)
    low = random.randrange(VALUES - length + 1)
    tops = random.sample(range(each - 1, SUITS), min(2, SUITS - each + 1))
    return [with_top(random, length, each, low, suit) for suit in sorted(tops, reverse=True)]


def _red_suits(random: Random) -> list[int]:
    """Return a heart and a diamond of one value, the diamond first."""
    value = SUITS * random.randrange(VALUES)
    return [DIAMOND << value, HEART << value]


def _far(random: Random) -> list[int]:
    """Return three sets, the highest first."""
    each = random.randint(1, SUITS)
    return [run(random, 1, each, value) for value in sorted(random.sample(range(VALUES), 3), reverse=True)]


def _suits_otherwise(random: Random) -> list[int]:
    """Return two combinations of one type and size. The one with the lower values has the higher suit on top, so a program
    that compares suits first gets the order wrong.
    """
    length, each = _of_any_shape(random)
    each = min(each, 3)
    low = random.randrange(VALUES - length)
    higher = random.randrange(low + 1, VALUES - length + 1)
    several = [with_top(random, length, each, low, SUITS - 1), with_top(random, length, each, higher, each - 1)]
    random.shuffle(several)
    return several


def _jack_knight_queen(random: Random) -> list[int]:
    each = random.randint(1, 3)
    several = [some_of(random, each, value) for value in (JACK, KNIGHT, QUEEN)]
    random.shuffle(several)
    return several


def _other_type(random: Random, number: int = 0) -> list[int]:
    """Return combinations of different types with the same number of cards, or with a random number if it is 0."""
    number = number or random.choice((3, 4, 6))
    several = [run(random, 6, 1), run(random, 3, 2)] if number == 6 else [run(random, 1, number), run(random, number, 1)]
    return random.sample(several, 2)


def _other_size(random: Random) -> list[int]:
    """Return sets of two sizes."""
    return [run(random, 1, each) for each in random.sample(range(1, SUITS + 1), 2)]


def _other_length(random: Random, each: int) -> list[int]:
    """Return two sequences, or double ones, of different lengths."""
    return [run(random, length, each) for length in random.sample(range(SHORTEST, 6), 2)]


def _third_differs(random: Random) -> list[int]:
    """Return two comparable combinations and a third one that is not comparable."""
    one, two, other = _of_any_shape(random), random.randint(1, SUITS), _of_any_shape(random)
    if other == one:
        other = (1, two) if one != (1, two) else (SHORTEST, 1)
    return [run(random, *one), run(random, *one), run(random, *other)]


def _double_size(random: Random) -> list[int]:
    """Return a double sequence and a sequence of the same length."""
    length = random.randint(SHORTEST, 5)
    return random.sample([run(random, length, 1), run(random, length, 2)], 2)


def _nothing_among(random: Random) -> list[int]:
    length, each = _of_any_shape(random)
    several = [run(random, length, each) for _ in range(random.randint(1, 2))]
    several.insert(random.randint(0, len(several)), nothing(random))
    return several


def _gap(random: Random) -> list[int]:
    """Return a real sequence or double sequence, and as many cards that have a gap in their values."""
    cards = with_gap(random)
    values = len(profile(cards))
    return random.sample([cards, run(random, values, size(cards) // values)], 2)


BESIDE: Final = {
    "pairs-and-card": (3, 2),
    "pairs-and-third": (3, 2),
    "pairs-on-average": (3, 2),
    "fours": (3, 2),
    "cards-on-average": (3, 1),
}
"""Cards as in NEARLY, with the length of the combination for which a program may take them, and its cards of each value."""


def _beside(random: Random, key: str) -> list[int]:
    """Return cards that are nearly a combination, and a real combination of the shape that a program may see in them."""
    return random.sample([nearly(random, key), run(random, *BESIDE[key])], 2)


def _one_differs(random: Random, place: int) -> list[int]:
    """Return three combinations, of which the one at this place is not comparable with the others."""
    *same, other = _third_differs(random)
    return [*same[:place], other, *same[place:]]


MAKERS: Final[Mapping[str, Callable[[Random], list[int]]]] = {
    "sets": lambda random: _several(random, 1, random.randint(1, SUITS)),
    "sequences": lambda random: _several(random, random.randint(SHORTEST, 6), 1),
    "doubles": lambda random: _several(random, random.randint(SHORTEST, 4), 2),
    "other-type": _other_type,
    "other-size": _other_size,
    "other-length": lambda random: _other_length(random, 1),
    "double-length": lambda random: _other_length(random, 2),
    "third-differs": _third_differs,
    "double-size": _double_size,
    "nothing-among": _nothing_among,
    "all-nothing": lambda random: [nothing(random), nothing(random)],
    "gap": _gap,
    "one": lambda random: [any_combination(random)],
    "not-by-lowest": lowest_otherwise,
    "value-first": _suits_otherwise,
    "ace-low": lambda random: random.sample(ace_low(random), 2),
    "knight": _jack_knight_queen,
    "suit": _same_value,
    "red-suits": _red_suits,
    "far": _far,
    **{f"other-type-{number}": partial(_other_type, number=number) for number in (3, 4, 6)},
    "first-differs": partial(_one_differs, place=0),
    "middle-differs": partial(_one_differs, place=1),
    **{key: partial(_beside, key=key) for key in BESIDE},
}
AFTER: Final[Mapping[str, tuple[str, str]]] = {
    "equal-after-different": ("third-differs", "suit"),
    "different-after-equal": ("far", "other-size"),
    "fewer-after-more": ("far", "suit"),
}
"""The extras of neighbouring tests, with a branch for each of them."""


class Compare(Guiao):
    name = "guiao2"
    whole = "sets"
    branches = GUIAO2
    extras = ("other-type-3", "other-type-4", "other-type-6", "first-differs", "middle-differs", *BESIDE, *AFTER)

    def test(self, random: Random, key: str) -> Test:
        make = MAKERS.get(key) or (lambda random: _several(random, *_of_any_shape(random)))
        several = apart(lambda: make(random))
        return (str(len(several)), *(written(random, cards, self.form) for cards in several))

    def tests(self, random: Random, key: str) -> tuple[Test, ...]:
        return tuple(self.test(random, each) for each in AFTER.get(key, (key,)))

    def has(self, test: Test, before: Test | None) -> dict[str, bool]:
        several = [read(line)[0] for line in test[1:]]
        shapes, earlier = ([shape_of(read(line)[0]) for line in lines[1:]] for lines in (test, before or ()))
        sizes = {size(cards) if shape_of(cards) else 0 for cards in several}
        equal, fewer_lines = len({*shapes}) == 1, len(shapes) < len(earlier)
        was_equal = len({*earlier}) == 1
        return {
            key: any(is_nearly(cards, key) for cards in several) and {*shapes} == {0, shape(*BESIDE[key])} for key in BESIDE
        } | {
            **{f"other-type-{number}": sizes == {number} and len({*shapes}) > 1 for number in (3, 4, 6)},
            "first-differs": len(shapes) == 3 and shapes[0] != shapes[1] == shapes[2],
            "middle-differs": len(shapes) == 3 and shapes[1] != shapes[0] == shapes[2],
            "equal-after-different": fewer_lines and equal and not was_equal,
            "different-after-equal": fewer_lines and not equal and was_equal,
            "fewer-after-more": fewer_lines and equal and was_equal and shapes[0] != earlier[0],
        }

    def fault(self, test: Test) -> str:
        return fault_of_cards([read(line)[0] for line in test[1:]])

    def covers(self, test: Test) -> set[str]:
        several = [read(line)[0] for line in test[1:]]
        shapes = [shape_of(cards) for cards in several]
        if 0 in shapes:
            found = {"nothing-among" if any(shapes) else "all-nothing"}
            found |= {"gap"} if {*map(without_gaps, several)} == {*shapes} - {0} else set()
        elif len(set(shapes)) > 1:
            found = _why_not(several, shapes)
        else:
            found = {"sets" if length_of(shapes[0]) == 1 else "doubles" if each_of(shapes[0]) == 2 else "sequences"}
            found |= of_order(several) | ({"cards-ascending"} if size(several[0]) > 1 else set())
        return found | ways(test[1:])

    def blamed(self, test: Test, covered: set[str], wanted: Sequence[str], got: Sequence[str]) -> set[str]:  # noqa: ARG002
        if got == wanted:
            return covered
        right, found = ([cards_of(line) or 0 for line in lines] for lines in (wanted, got))
        if 0 in found and got != [NOT_EQUAL]:  # other words
            return set()
        if 0 in right:
            return covered
        if right == found:
            return {"cards-ascending"}
        if sorted(right) != sorted(found):
            return covered & {"sets", "sequences", "doubles", "one"}
        first, other = next(pair for pair in zip(right, found, strict=True) if pair[0] != pair[1])
        blamed = {"not-by-lowest" if first & -first > other & -other else "by-highest"}
        values = top_value(first), top_value(other)
        if values[0] == values[1]:
            blamed.add("suit")
        elif highest(first) % SUITS >= highest(other) % SUITS:
            blamed.add("value-first")
        if values[0] == ACE != values[1]:
            blamed.add("ace-low")
        if {*values} == {KNIGHT, QUEEN}:
            blamed.add("knight")
        return blamed

    def smaller(self, test: Test) -> Iterator[Test]:
        lines = test[1:]
        if len(lines) > 1:
            for i in range(len(lines)):
                yield (str(len(lines) - 1), *lines[:i], *lines[i + 1 :])
        for i, line in enumerate(lines):
            for left in fewer(line):
                yield (test[0], *lines[:i], left, *lines[i + 1 :])


def _why_not(several: Sequence[int], shapes: Sequence[int]) -> set[str]:
    """Return the branches that decide that combinations are not comparable."""
    found = set()
    numbers = {size(cards) for cards in several}
    types = {(length_of(each) == 1, each_of(each) == 2 and length_of(each) > 1) for each in shapes}
    if len(numbers) == 1:
        found.add("other-type")
    if len(types) == 1:
        found.add(
            "other-size" if length_of(shapes[0]) == 1 else "double-length" if each_of(shapes[0]) == 2 else "other-length"
        )
    if any(each == shape(length_of(other), 2) != other for each in shapes for other in shapes if length_of(other) > 1):
        found.add("double-size")
    if len(shapes) > 2 and shapes[0] == shapes[1]:
        found.add("third-differs")
    return found or {"other-type"}


def of_order(several: Sequence[int]) -> set[str]:
    """Return the branches that decide the printed order of combinations of one shape."""
    if len(several) == 1:
        return {"one"}
    tops = [highest(cards) for cards in several]
    found = {"by-highest"} if tops != sorted(tops) else set()
    if any(sum(top > tops[place] for top in tops[:place]) > 1 for place in range(len(tops))):
        found.add("far")
    pairs = [(one, other) for one in several for other in several if highest(one) < highest(other)]
    if any(one & -one > other & -other for one, other in pairs):
        found.add("not-by-lowest")
    if any(one // SUITS == other // SUITS and one > other for one, other in pairwise(tops)):
        found.add("suit")
    if any((one - other, one % SUITS) == (1, 2) for one, other in pairwise(tops)):
        found.add("red-suits")
    if any(highest(one) % SUITS > highest(other) % SUITS for one, other in pairs):
        found.add("value-first")
    if length_of(shape_of(several[0])) == 1 and min(tops) // SUITS == ACE != max(tops) // SUITS:
        found.add("ace-low")
    if {KNIGHT, QUEEN} <= set(map(top_value, several)):
        found.add("knight")
    return found
