"""Guião 1: the type of some cards."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.games.cartas.cards import highest, read
from ludoteca.games.cartas.combinations import SHORTEST, SUITS, VALUES, each_of, length_of, shape_of
from ludoteca.games.cartas.judging.branches import GUIAO1
from ludoteca.games.cartas.judging.guiao import UNSORTED, Guiao, Test, cards_of
from ludoteca.games.cartas.judging.hands import (
    ACE,
    DIAMOND,
    HEART,
    JACK,
    KING,
    KNIGHT,
    NEARLY,
    QUEEN,
    TEN,
    any_combination,
    circular,
    fewer,
    is_nearly,
    king_and_ace,
    nearly,
    profile,
    run,
    some_of,
    top_value,
    ways,
    with_gap,
    with_one_more,
    written,
)
from ludoteca.games.cartas.text.guioes import DOUBLE, NO_COMBINATION, SEQUENCE, SET


def _with_knight(random: Random) -> int:
    """Return a sequence or a double one that ends with the knight."""
    length = random.randint(SHORTEST, 6)
    return run(random, length, random.randint(1, 2), KNIGHT - length + 1)


def _without_knight(random: Random) -> int:
    """Return cards whose values would be consecutive without knights."""
    length = random.randint(SHORTEST + 1, 6)
    low = random.randint(QUEEN - length + 1, min(JACK, VALUES - length))
    return run(random, length, random.randint(1, 2), low) & ~(15 << SUITS * KNIGHT)


def _strangers(random: Random) -> int:
    """Return cards of two values that are no combination."""
    value = random.randrange(VALUES)
    cards = some_of(random, random.randint(1, 3), value)
    other = random.choice([each for each in range(VALUES) if abs(each - value) > 1])
    return cards | some_of(random, 1, other)


MAKERS: Final[Mapping[str, Callable[[Random], int]]] = {
    "set-1": lambda random: run(random, 1, 1),
    "set-2": lambda random: run(random, 1, 2),
    "set-3": lambda random: run(random, 1, 3),
    "set-4": lambda random: run(random, 1, 4),
    "sequence-3": lambda random: run(random, SHORTEST, 1),
    "sequence-long": lambda random: run(random, random.randint(SHORTEST + 1, VALUES - 1), 1),
    "sequence-14": lambda random: run(random, VALUES, 1),
    "double-3": lambda random: run(random, SHORTEST, 2),
    "double-long": lambda random: run(random, random.randint(SHORTEST + 1, 7), 2),
    "two-pairs": lambda random: run(random, 2, 2),
    "two-cards": lambda random: run(random, 2, 1),
    "gap": lambda random: with_gap(random, 2),
    "uneven": with_one_more,
    "triples": lambda random: run(random, random.randint(SHORTEST, 4), 3),
    "strangers": _strangers,
    "king-ace": king_and_ace,
    "ace-low": lambda random: run(random, random.randint(SHORTEST, 5), random.randint(1, 2), ACE),
    "knight": _with_knight,
    "no-knight": _without_knight,
    "queen": lambda random: run(random, SHORTEST, random.randint(1, 2), QUEEN - SHORTEST + 1),
    "suit": lambda random: run(random, random.choice((1, SHORTEST)), 2),
    "red-suits": lambda random: (HEART | DIAMOND) << SUITS * random.randrange(VALUES),
    "many-suits": lambda random: run(random, 4, 1),
    **{key: partial(nearly, key=key) for key in NEARLY},
}
AFTER: Final[Mapping[str, Callable[[Random], tuple[int, int]]]] = {
    "combination-after-nothing": lambda random: (with_gap(random), run(random, 1, 2)),
    "nothing-after-combination": lambda random: (run(random, SHORTEST, 1), run(random, 2, 1)),
    "lower-after-higher": lambda random: (run(random, 4, 1, TEN), run(random, SHORTEST, 1, ACE)),
}
"""The extras of neighbouring tests."""

Answer = tuple[str, int, int]
"""A type, a number and the highest card."""
NOTHING: Final[Answer] = ("", 0, 0)
"""The answer for cards that are no combination."""
ORDER: Final = {"ace-low", "knight", "queen"}
"""Branches about the order of the values."""


class Classify(Guiao):
    name = "guiao1"
    whole = "unsorted"
    headed = False
    branches = GUIAO1
    extras = (*NEARLY, *AFTER)

    def test(self, random: Random, key: str) -> Test:
        return (written(random, MAKERS.get(key, any_combination)(random), self.form),)

    def tests(self, random: Random, key: str) -> tuple[Test, ...]:
        if key not in AFTER:
            return super().tests(random, key)
        return tuple((written(random, cards, self.form),) for cards in AFTER[key](random))

    def has(self, test: Test, before: Test | None) -> dict[str, bool]:
        cards, earlier = read(test[0])[0], read(before[0])[0] if before else 0
        kind, kind_before, fewer_cards = shape_of(cards), shape_of(earlier), size(cards) < size(earlier)
        return {key: is_nearly(cards, key) for key in NEARLY} | {
            "combination-after-nothing": fewer_cards and kind > 0 and kind_before == 0,
            "nothing-after-combination": fewer_cards and kind == 0 and kind_before > 0,
            "lower-after-higher": fewer_cards and 0 not in (kind, kind_before) and highest(cards) < highest(earlier),
        }

    def fault(self, test: Test) -> str:
        return "" if read(test[0])[0] else "a line has no card"

    def covers(self, test: Test) -> set[str]:
        cards = read(test[0])[0]
        return (of_combination(cards) if shape_of(cards) else of_nothing(cards)) | ways(test)

    def blamed(self, test: Test, covered: set[str], wanted: Sequence[str], got: Sequence[str]) -> set[str]:  # noqa: ARG002
        if got == wanted:
            return covered
        right, found = _said(wanted[0]), _said(got[0] if got else "")
        if right == NOTHING:
            return covered if found else set()
        sizes = {key for key in covered if key.startswith(("set", "sequence", "double"))}
        kinds = {"double-long" if key == "double-3" else key for key in sizes}
        if not right or not found:  # other words, or a type that the program does not know
            return set() if got and wanted[0].split()[-1] in got[0] else kinds
        (kind, number, card), (other_kind, other_number, other_card) = right, found
        if kind != other_kind:
            return kinds | covered & ORDER
        if number != other_number:
            return sizes
        if top_value(card) == top_value(other_card):
            return {"suit", UNSORTED}
        by_suits = highest(other_card) % SUITS > highest(card) % SUITS
        return covered & ORDER | ({"value-first", UNSORTED} if by_suits else {UNSORTED})

    def smaller(self, test: Test) -> Iterator[Test]:
        return ((line,) for line in fewer(test[0]))


def _said(line: str) -> Answer | None:
    """Return the answer in a line, or None if it has other words."""
    if line == NO_COMBINATION:
        return NOTHING
    for kind in (SET, SEQUENCE, DOUBLE):
        found = re.fullmatch(kind.format("([0-9]{1,9})", "(.+)"), line)
        if found and (card := cards_of(found[2])):
            return kind, int(found[1]), card
    return None


def of_combination(cards: int) -> set[str]:
    """Return the branches that decide the type of a combination."""
    shape = shape_of(cards)
    length, each = length_of(shape), each_of(shape)
    values = profile(cards)
    found = {"suit"} if each > 1 else set()
    if cards >> (SUITS * max(values)) == HEART | DIAMOND:
        found.add("red-suits")
    if any(card % SUITS > highest(cards) % SUITS for card in members(cards)):
        found.add("value-first")
    if length == 1:
        return found | {f"set-{each}"}
    if each == 2:
        found.add("double-3" if length == SHORTEST else "double-long")
    else:
        found.add({SHORTEST: "sequence-3", VALUES: "sequence-14"}.get(length, "sequence-long"))
        if len({card % SUITS for card in members(cards)}) > 1:
            found.add("many-suits")
    if ACE in values:
        found.add("ace-low")
    if KNIGHT in values and KING not in values:
        found.add("queen" if QUEEN in values else "knight")
    return found


def of_nothing(cards: int) -> set[str]:
    """Return the branches that decide that cards are no combination."""
    values = profile(cards)
    consecutive = max(values) - min(values) == len(values) - 1
    numbers = set(values.values())
    if circular(cards):
        return {"king-ace", "gap"}
    if len(values) == 2:
        if consecutive and numbers in ({1}, {2}):
            return {"two-cards" if 1 in numbers else "two-pairs"}
        return {"strangers"}
    if not consecutive:
        lacking = {value for value in range(min(values), max(values)) if value not in values}
        return {"no-knight", "gap"} if lacking == {KNIGHT} else {"gap"}
    return {"triples"} if len(numbers) == 1 else {"uneven"}
