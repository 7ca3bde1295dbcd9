"""Guião 4: all legal plays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from random import Random
from types import MappingProxyType
from typing import Final

from ludoteca.core.bits import set_of, size
from ludoteca.games.cartas.cards import PASSO, highest, read
from ludoteca.games.cartas.combinations import (
    DECK,
    KINGS,
    SHORTEST,
    SUITS,
    VALUES,
    above,
    each_of,
    groups,
    is_of_kings,
    length_of,
    lowest,
    shape_of,
    windows,
)
from ludoteca.games.cartas.judging.branches import GUIAO4
from ludoteca.games.cartas.judging.guiao import Guiao, Test, cards_of
from ludoteca.games.cartas.judging.hands import (
    ACE,
    KING,
    circular,
    fewer,
    has_shape,
    kings,
    others,
    pairs_and_four,
    profile,
    run,
    top_value,
    ways,
    written,
)
from ludoteca.games.cartas.judging.plays import (
    EXCEPTIONS,
    PAIRS,
    REFUSED,
    Pair,
    blamed_for,
    higher,
    is_refused,
    refused,
)
from ludoteca.games.cartas.judging.possible import apart, fault_of_cards
from ludoteca.games.cartas.text.lines import PASSED

FOUR_KINGS: Final = {"four-kings": (1, SUITS), "four-kings-pairs": (SHORTEST, 2), "four-kings-double": (SUITS + 2, 2)}
"""Branches, with the shapes that would answer another number of kings."""
MORE: Final = 3
"""The largest number of other cards in a hand."""
MANY: Final = 500
"""The number of lines from which an answer is long."""
LONG_TESTS: Final = 20
"""The number of tests in the case with long answers."""


def _answer(random: Random, lengths: Sequence[int], each: int) -> Pair:
    length = random.choice(lengths)
    low = random.randrange(VALUES - length)
    return run(random, length, each, low), run(random, length, each, random.randrange(low + 1, VALUES - length + 1))


def _all_suits(random: Random) -> Pair:
    """Return a hand with several cards for the lower values."""
    each, length = random.choice(((1, 3), (1, 4), (2, 3)))
    low = random.randrange(VALUES - length)
    play = run(random, length, each, low)
    at = random.randrange(low + 1, VALUES - length + 1)
    return play, run(random, length, each, at) | run(random, 2, each + 1, at)


def _nothing(random: Random) -> Pair:
    """Return a combination, and a hand without an answer to it."""
    while True:
        play, answer = PAIRS[random.choice(("lower", "other-size", "suit-lower"))](random)
        if not is_of_kings(play) and not _found(answer, play):
            return play, answer


def _kings(random: Random) -> Pair:
    """Return a king, and a hand that answers it in each way."""
    play, four = PAIRS["king-four"](random)
    return play, four | run(random, SHORTEST, 2) | (KINGS & above(play))


def _many_kings(random: Random, number: int) -> Pair:
    """Return this many kings, and a hand with the answers to another number of them."""
    return kings(random, number), pairs_and_four(random, number + 2, KING)


def _kings_higher(random: Random) -> Pair:
    """Return kings, and a hand with higher ones."""
    suits = random.sample(range(SUITS), random.choice((2, 4)))
    low, high = sorted((suits[: len(suits) // 2], suits[len(suits) // 2 :]), key=max)
    return set_of(SUITS * KING + suit for suit in low), set_of(SUITS * KING + suit for suit in high)


def _king_and_ace(random: Random) -> Pair:
    """Return a sequence, and a hand that would answer it if the ace came after the king."""
    length, each = random.choice(((3, 1), (4, 1), (3, 2)))
    over = random.randint(1, length - 1)
    play = run(random, length, each, random.randrange(VALUES - length))
    return play, run(random, length - over, each, VALUES - length + over) | run(random, over, each, ACE)


def _many(random: Random) -> Pair:
    """Return a double sequence of five pairs, and a hand with three cards each of many higher values."""
    low = random.randrange(3)
    play, hand = run(random, 5, 2, low), run(random, 7, 3, random.randint(low + 5, VALUES - 7))
    return play, hand | others(random, 2, play | hand)


def _between_suits(random: Random) -> Pair:
    """Return two cards, and a hand with a card of the same value between them, and a higher one."""
    last = 0b101 << SUITS * random.randrange(VALUES - 1)
    return last, last << 1


def _refused(random: Random, key: str) -> Pair:
    """Return a combination, and a hand with one that does not answer it. After kings, it has four cards of a value, too."""
    last, hand = refused(random, key)
    return last, hand | (run(random, 1, SUITS, random.randrange(KING)) if is_of_kings(last) else 0)


MAKERS: Final[Mapping[str, Callable[[Random], Pair]]] = {
    **{key: PAIRS[key] for key in ("suit-higher", "suit-lower", "lower", "ace-low", "no-king", "no-king-four", *EXCEPTIONS)},
    "answer-set": lambda random: _answer(random, (1,), random.randint(1, SUITS)),
    "answer-sequence": lambda random: _answer(random, (3, 4, 5), 1),
    "answer-double": lambda random: _answer(random, (3, 4), 2),
    "all-suits": _all_suits,
    "nothing": _nothing,
    "kings-fours": lambda random: _many_kings(random, random.randint(2, 3)),
    **dict.fromkeys(FOUR_KINGS, lambda random: _many_kings(random, SUITS)),
    "kings-order": _kings,
    "kings-higher": _kings_higher,
    "king-ace": _king_and_ace,
    "after-passo": lambda random: (PASSED, run(random, SHORTEST, 1)),
    "many": _many,
    "between-suits": _between_suits,
    **{key: partial(_refused, key=key) for key in REFUSED},
}
NEXT: Final[Mapping[str, tuple[str, str]]] = {
    "plays-after-nothing": ("nothing", "answer-set"),
    "nothing-after-plays": ("answer-set", "nothing"),
    "other-after-kings": ("king-double", "queen"),
}
"""The extras of neighbouring tests, with a branch or an extra for each of them."""


class Listing(Guiao):
    name = "guiao4"
    whole = "nothing"
    branches = GUIAO4
    alone = MappingProxyType({"many": LONG_TESTS})
    extras = ("between-suits", *REFUSED, *NEXT)

    def tests(self, random: Random, key: str) -> tuple[Test, ...]:
        return tuple(self.test(random, each) for each in NEXT.get(key, (key,)))

    def has(self, test: Test, before: Test | None) -> dict[str, bool]:
        lines = (*test, *(before or test))
        last, hand, earlier, hand_before = (PASSED if line == PASSO else read(line)[0] for line in lines)
        plays, plays_before = _found(hand, last), _found(hand_before, earlier)
        like_kings = not is_of_kings(last) and bool(_of_kings(hand, last) & {"no-king", "no-king-four"})
        return {
            **{key: is_refused(last, key, partial(has_shape, hand)) for key in REFUSED},
            "between-suits": last == 0b101 << lowest(last) and not is_of_kings(last) and last << 1 & ~hand == 0,
            "plays-after-nothing": plays > 0 == plays_before,
            "nothing-after-plays": plays == 0 < plays_before,
            "other-after-kings": like_kings and is_of_kings(earlier),
        }

    def test(self, random: Random, key: str) -> Test:
        last, hand = apart(lambda: MAKERS.get(key, higher)(random))
        if key not in ("nothing", "many"):
            hand |= others(random, random.randint(0, MORE), hand | last)
        return (written(random, last, self.form) if last else PASSO), written(random, hand, self.form)

    def fault(self, test: Test) -> str:
        last, hand = (PASSED if line == PASSO else read(line)[0] for line in test)
        if last != PASSED and not shape_of(last):
            return "the last play is no combination"
        return fault_of_cards([cards for cards in (last, hand) if cards != PASSED])

    def covers(self, test: Test) -> set[str]:
        decided = {"after-passo"} if test[0] == PASSO else of_plays(read(test[1])[0], read(test[0])[0])
        return ways(test) | decided

    def blamed(self, test: Test, covered: set[str], wanted: Sequence[str], got: Sequence[str]) -> set[str]:
        if got == wanted:
            return covered | {"many"} if len(got) > 1 else covered
        right, found = ([cards_of(line) for line in lines] for lines in (wanted, got))
        if None in found:
            return set()
        if wanted == [PASSO] and not any(found):
            return {"nothing"}
        if right == found:
            return {"cards-ascending"}
        last = read(test[0])[0]
        due, listed = {*right}, {*found}
        if extra := next((play for play in found if play and play not in due), None):
            return _blamed_for(last, extra)
        if missing := next((play for play in right if play and play not in listed), None):
            others = [profile(play) for play in found if play]
            blamed = _blamed_for(last, missing) | ({"many"} if others else set())
            return blamed | {"all-suits"} if profile(missing) in others else blamed
        first, other = next((pair for pair in zip(right, found, strict=False) if pair[0] != pair[1]), (0, 0))
        if not first or not other:  # PASSO next to plays, or plays again at the end
            return {"nothing"}
        if profile(first) == profile(other):
            return {"all-suits"}
        if is_of_kings(last) and shape_of(first) != shape_of(other):
            return {"kings-order"}
        return _blamed_for(last, first)

    def smaller(self, test: Test) -> Iterator[Test]:
        for hand in fewer(test[1]):
            yield test[0], hand
        for last in fewer(test[0]):
            yield last, test[1]


def _kind(shape: int) -> str:
    return "set" if length_of(shape) == 1 else "double" if each_of(shape) == 2 else "sequence"


def _blamed_for(last: int, play: int) -> set[str]:
    """Return the branches that a program may break if it lists this play, or omits it, by mistake."""
    if circular(play):
        return {"king-ace"}
    found = blamed_for(last, play)
    if found & {"higher", "suit-higher"}:
        found.add("lower")
    if found & {"higher", "suit-higher", "other-size", "other-type", "other-kind", "no-combination"}:
        found.add(f"answer-{_kind(shape_of(last))}")
    if "overlap" in found and size(last) > 1:
        found.add("lower")
    if "suit-higher" in found and is_of_kings(last):
        found.add("kings-higher")
    if found & {"kings-other", "kings-fours"}:
        found.add("four-kings")
    return found


def _found(hand: int, last: int) -> int:
    """Return the number of legal plays."""
    return sum(prod(map(len, choices)) for group in groups(last) for _, choices in windows(hand, group))


def of_plays(hand: int, last: int) -> set[str]:
    """Return the branches that decide which plays of a hand may follow a combination."""
    length, each = length_of(shape_of(last)), each_of(shape_of(last))
    higher_cards, top = above(last), 15 << (highest(last) & ~3)
    found = set()
    if has_shape(hand, (length, each, higher_cards)):
        found.add(f"answer-{_kind(shape_of(last))}")
    if has_shape(hand, (length, each, higher_cards & top)) and not is_of_kings(last):
        found.add("suit-higher")
    if has_shape(hand, (length, each, top & ~higher_cards)) and not hand & top & higher_cards:
        found.add("suit-lower")
    if has_shape(hand, (length, each, DECK & ~higher_cards & ~top)):
        found.add("lower")
    if any(max(map(len, choices[:-1])) > 1 for _, choices in windows(hand, (length, each, higher_cards)) if choices[1:]):
        found.add("all-suits")
    if length == 1 and top_value(last) != ACE and has_shape(hand, (1, each, 15)):
        found.add("ace-low")
    if length > 1 and _goes_round(hand, length, each):
        found.add("king-ace")
    if number := _found(hand, last):
        found |= {"cards-ascending"} if size(last) > 1 else set()
    else:
        found.add("nothing")
    if number >= MANY:
        found.add("many")
    return found | _of_kings(hand, last)


def _of_kings(hand: int, last: int) -> set[str]:
    """Return the branches of the exceptions, and of cases without an exception."""
    number = size(last)
    if is_of_kings(last):
        if number == SUITS:
            return {key for key, (length, each) in FOUR_KINGS.items() if has_shape(hand, (length, each, DECK))}
        doubles = "king-double" if number == 1 else "two-kings" if number == 2 else "three-kings"
        found = {"king-four"} if number == 1 and has_shape(hand, (1, SUITS, DECK)) else set()
        found |= {"kings-fours"} if number > 1 and has_shape(hand, (1, SUITS, DECK)) else set()
        found |= {"kings-higher"} if has_shape(hand, (1, number, KINGS & above(last))) else set()
        found |= {doubles} if has_shape(hand, (number + 2, 2, DECK)) else set()
        return found | ({"kings-order"} if {"king-four", "king-double"} <= found else set())
    others_than_kings = number < SUITS and (length_of(shape_of(last)) == 1 or top_value(last) == KING)
    doubles_too = others_than_kings and has_shape(hand, (number + 2, 2, DECK))
    fours_too = others_than_kings and number == 1 and has_shape(hand, (1, SUITS, DECK))
    return ({"no-king"} if doubles_too else set()) | ({"no-king-four"} if fours_too else set())


def _goes_round(hand: int, length: int, each: int) -> bool:
    """Return True if the hand has a run of this shape that passes from the king to the ace."""
    values = profile(hand)
    return any(
        all(values.get((first + i) % VALUES, 0) >= each for i in range(length)) for first in range(KING - length + 2, VALUES)
    )
