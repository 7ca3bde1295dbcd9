"""Pairs of a play to answer and an attempted answer, for each sentence about answers."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from ludoteca.core.bits import size
from ludoteca.games.cartas.cards import highest
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    OTHERS,
    SHORTEST,
    SUITS,
    VALUES,
    Group,
    above,
    answers,
    each_of,
    is_of_kings,
    length_of,
    lowest,
    other_shape,
    shape,
    shape_of,
)
from ludoteca.games.cartas.judging.hands import (
    ACE,
    KING,
    KNIGHT,
    QUEEN,
    any_combination,
    kings,
    lowest_otherwise,
    nothing,
    run,
    top_value,
    with_top,
)
from ludoteca.games.cartas.text.lines import PASSED, play_to_answer

Pair = tuple[int, int]
"""The play to answer, and the attempted answer."""


def of_shape(random: Random) -> tuple[int, int]:
    """Return the length of a combination, and the number of cards of each value."""
    shape = shape_of(any_combination(random))
    return length_of(shape), each_of(shape)


def higher(random: Random) -> Pair:
    """Return two of one type and size, the second one with a higher value."""
    length, each = of_shape(random)
    low = random.randrange(VALUES - length)
    return run(random, length, each, low), run(random, length, each, random.randrange(low + 1, VALUES - length + 1))


def overlap(random: Random) -> Pair:
    """Return two sequences of one size, the second one higher by one value."""
    length = random.randint(SHORTEST, 5)
    low = random.randrange(VALUES - length)
    return run(random, length, 1, low), run(random, length, 1, low + 1)


def not_by_lowest(random: Random) -> Pair:
    """Return two of the same values. The one with the higher highest card has the lower lowest one."""
    first, second = lowest_otherwise(random)
    return first, second


def lower(random: Random) -> Pair:
    """Return two of one type and size, the second one with a lower value."""
    high, low = higher(random)
    return low, high


def suit_higher(random: Random) -> Pair:
    """Return two of the same values, the second one with a higher suit on top."""
    length, each = of_shape(random)
    return same_values(random, length, min(each, 3))


def same_values(random: Random, length: int, each: int) -> Pair:
    """Return two combinations of the same values, the second one with a higher suit on top."""
    low = random.randrange(VALUES - length + 1)
    first, second = sorted(random.sample(range(each - 1, SUITS), 2))
    return with_top(random, length, each, low, first), with_top(random, length, each, low, second)


def suit_lower(random: Random) -> Pair:
    """Return two of the same values, the second one with a lower suit on top."""
    high, low = suit_higher(random)
    return low, high


def other_type(random: Random) -> Pair:
    """Return two of different types with the same number of cards, the second one higher."""
    number = random.choice((3, 4, 6))
    low = random.randrange(VALUES - number)
    if number == 6:
        pairs = run(random, 3, 2, low)
        return pairs, run(random, 6, 1, random.randint(max(low - 2, 0), VALUES - 6))
    return run(random, number, 1, low), run(random, 1, number, random.randint(low + number, VALUES - 1))


def other_size(random: Random) -> Pair:
    """Return two of one type and different sizes, the second one higher."""
    if random.random() < 0.5:
        value = random.randrange(VALUES - 2)
        one, other = random.sample(range(1, SUITS + 1), 2)
        return run(random, 1, one, value), run(random, 1, other, random.randrange(value + 1, VALUES))
    each = random.randint(1, 2)
    one, other = random.sample(range(SHORTEST, 6), 2)
    low = random.randrange(3)
    return run(random, one, each, low), run(random, other, each, random.randrange(low + 3, VALUES - other + 1))


def after_kings(random: Random, number: int, *, four: bool = False) -> Pair:
    """Return this many kings, and an exception that answers them."""
    answer = run(random, 1, SUITS, random.randrange(VALUES - 1)) if four else run(random, number + 2, 2)
    return kings(random, number), answer


def kings_other(random: Random) -> Pair:
    """Return kings, and a double sequence that would follow another number of kings."""
    number = random.randint(1, 3)
    length = random.choice([each for each in range(SHORTEST, 7) if each != number + 2])
    return kings(random, number), run(random, length, 2)


def kings_fours(random: Random) -> Pair:
    """Return two or three kings, and four cards, which would follow one king."""
    return kings(random, random.randint(2, 3)), run(random, 1, SUITS, random.randrange(VALUES - 1))


def four_kings(random: Random) -> Pair:
    """Return four kings, and four cards, which would follow one king."""
    return kings(random, SUITS), run(random, 1, SUITS, random.randrange(VALUES - 1))


def no_king(random: Random) -> Pair:
    """Return one to three cards of another value, and the double sequence that would follow the same number of kings."""
    number = random.randint(1, 3)
    value = random.choice((ACE, QUEEN))
    return run(random, 1, number, value), run(random, number + 2, 2)


def ace_low(random: Random) -> Pair:
    """Return a set, and the same number of aces."""
    each = random.randint(1, 3)
    return run(random, 1, each, random.randrange(1, VALUES)), run(random, 1, each, ACE)


def two_combinations(random: Random) -> Pair:
    """Return two combinations, of which the second does not answer the first."""
    while True:
        pair = any_combination(random), any_combination(random)
        if not answers(pair[1], pair[0]):
            return pair


def other_kind(random: Random) -> Pair:
    """Return combinations of different types and sizes."""
    length, each = random.choice(((3, 1), (4, 1), (3, 2)))
    return random.choice((run(random, 1, 1), run(random, 1, 2))), run(random, length, each)


PAIRS: Final[Mapping[str, Callable[[Random], Pair]]] = {
    "higher": higher,
    "overlap": overlap,
    "not-by-lowest": not_by_lowest,
    "lower": lower,
    "ace-low": ace_low,
    "suit-higher": suit_higher,
    "suit-lower": suit_lower,
    "other-type": other_type,
    "other-size": other_size,
    "other-kind": other_kind,
    "no-combination": lambda random: (any_combination(random), nothing(random)),
    "king-four": lambda random: after_kings(random, 1, four=True),
    "king-double": lambda random: after_kings(random, 1),
    "two-kings": lambda random: after_kings(random, 2),
    "three-kings": lambda random: after_kings(random, 3),
    "kings-other": kings_other,
    "kings-fours": kings_fours,
    "four-kings": four_kings,
    "four-kings-pairs": lambda random: (kings(random, SUITS), run(random, SHORTEST, 2)),
    "four-kings-double": lambda random: (kings(random, SUITS), run(random, SUITS + 2, 2)),
    "no-king": no_king,
    "no-king-four": lambda random: (run(random, 1, 1, QUEEN), run(random, 1, SUITS)),
}
Kind = tuple[int, int]
"""The length of a combination, and its cards of each value."""
REFUSED: Final[Mapping[str, tuple[Kind, Kind, int | None]]] = {
    "set-1": ((1, 2), (1, 1), None),
    "set+1": ((1, 2), (1, 3), None),
    "sequence-1": ((4, 1), (3, 1), None),
    "sequence+1": ((3, 1), (4, 1), None),
    "double-1": ((4, 2), (3, 2), None),
    "double+1": ((3, 2), (4, 2), None),
    "king-4": ((1, 1), (4, 2), KING),
    "kings-2-3": ((1, 2), (3, 2), KING),
    "kings-2-5": ((1, 2), (5, 2), KING),
    "kings-2-fours": ((1, 2), (1, 4), KING),
    "kings-3-4": ((1, 3), (4, 2), KING),
    "kings-3-6": ((1, 3), (6, 2), KING),
    "kings-3-fours": ((1, 3), (1, 4), KING),
    "kings-4-4": ((1, 4), (4, 2), KING),
    "kings-4-5": ((1, 4), (5, 2), KING),
    "queen": ((1, 1), (3, 2), QUEEN),
    "queens-2": ((1, 2), (4, 2), QUEEN),
    "queens-3": ((1, 3), (5, 2), QUEEN),
    "knight-queen-king": ((3, 1), (5, 2), KNIGHT),
}
"""Two kinds of combinations, of which the second does not answer the first, and the lowest value of the first.

The second combination is nearly an exception. If the value is None, it is higher than the first but of another size.
"""


def refused(random: Random, key: str) -> Pair:
    """Return combinations as in REFUSED."""
    kind, other, low = REFUSED[key]
    if low is not None:
        return run(random, *kind, low), run(random, *other)
    low = random.randrange(VALUES - max(kind[0], other[0]))
    least = low + max(1, kind[0] - other[0] + 1)
    return run(random, *kind, low), run(random, *other, random.randint(least, VALUES - other[0]))


def is_refused(play: int, key: str, holds: Callable[[Group], bool]) -> bool:
    """Return True for a first combination as in REFUSED, if a hand, or an attempted play, `holds` a second one."""
    kind, other, low = REFUSED[key]
    if shape_of(play) != shape(*kind) or low not in (None, lowest(play) // SUITS):
        return False
    return holds((*other, above(play) if low is None else DECK))


PAIRS_3: Final = shape(SHORTEST, 2)
"""The shape of three pairs."""
PAIRS_6: Final = shape(SUITS + 2, 2)
"""The shape that would answer four kings, if there were an exception for them."""
SPECIAL: Final = (FOUR, *(shape(length, 2) for length in range(SHORTEST, SHORTEST + 3)))
"""The shapes of exceptions that may follow kings."""
EXCEPTIONS: Final = ("king-four", "king-double", "two-kings", "three-kings")


def exception_of(play: int, answer: int) -> str:
    """Return the key of the exception by which `answer` follows `play`, or an empty text if no exception allows it."""
    kind = shape_of(answer)
    if not kind or kind not in [other_shape(play, number) for number in range(OTHERS)]:
        return ""
    return "king-four" if kind == FOUR else {1: "king-double", 2: "two-kings", 3: "three-kings"}[size(play)]


def of_answer(play: int, answer: int) -> set[str]:
    """Return the branches that decide whether some cards follow a combination."""
    kind, wanted, number = shape_of(answer), shape_of(play), size(play)
    if not kind:
        return {"no-combination"}
    kings_before = number if is_of_kings(play) else 0
    higher, same_top = highest(answer) > highest(play), top_value(answer) == top_value(play)
    exception, was_set, is_set = exception_of(play, answer), length_of(wanted) == 1, length_of(kind) == 1
    may_be_kings = number < SUITS and (was_set or top_value(play) == KING)
    if_kings = exception_of(kings(Random(0), number), answer) if may_be_kings else ""
    like_exception = kind == FOUR or (not is_set and each_of(kind) == 2)
    same, same_type = kind == wanted, was_set == is_set and (is_set or each_of(kind) == each_of(wanted))
    other = not same and not exception and not (kings_before and like_exception)
    special = kings_before != SUITS and wanted in SPECIAL and (kind in SPECIAL or is_of_kings(answer))
    by_king = special and is_of_kings(answer) and kind != FOUR
    facts = {
        "higher": same and higher and not same_top,
        "lower": same and not higher and not same_top,
        "suit-higher": same and higher and same_top,
        "suit-lower": same and not higher and same_top,
        "not-by-lowest": same and same_top and (answer & -answer > play & -play) != higher,
        "ace-low": same and not same_top and top_value(answer) == ACE,
        "overlap": same and higher and lowest(answer) + SUITS <= highest(play),
        "other-size": other and higher and same_type,
        "other-type": other and higher and not same_type and size(answer) == number,
        "other-kind": other and (not higher or (not same_type and size(answer) != number)),
        exception: bool(exception),
        "kings-fours": 1 < kings_before < SUITS and kind == FOUR,
        "kings-other": 0 < kings_before < SUITS and like_exception and kind != FOUR and not exception,
        "four-kings": kings_before == SUITS and kind not in (PAIRS_3, PAIRS_6),
        "four-kings-pairs": kings_before == SUITS and kind == PAIRS_3,
        "four-kings-double": kings_before == SUITS and kind == PAIRS_6,
        "no-king": other and if_kings not in ("", "king-four"),
        "no-king-four": other and if_kings == "king-four",
        "king-after": by_king,
        "king-after-fours": by_king and wanted == FOUR,
        "exception-higher": special and not by_king and same and higher,
        "after-exception": special and not by_king and not (same and higher),
        "double-after-fours": special and (wanted, kind) == (FOUR, PAIRS_3),
        "fours-after-double": special and (wanted, kind) == (PAIRS_3, FOUR),
    }
    return {key for key, holds in facts.items() if holds}


def blamed_for(play: int, answer: int) -> set[str]:
    """Return the branches that a program may break if it wrongly accepts or refuses an answer."""
    found = of_answer(play, answer)
    for key in ("higher", "lower"):
        found |= {key} if f"suit-{key}" in found else set()
    if is_of_kings(play) and not is_of_kings(answer):
        number, kind = size(play), shape_of(answer)
        four = number == 1 and (length_of(kind) == 1 or size(answer) == SUITS)
        found.add("four-kings" if number == SUITS else "king-four" if four else EXCEPTIONS[number])
        found |= {"kings-other"} if kind == FOUR or (length_of(kind) > 1 and each_of(kind) == 2) else set()
        found |= {"other-size"} if kind == FOUR else set()
    return found


def of_history(before: Sequence[int]) -> set[str]:
    """Return the branches that decide the play to answer after some plays."""
    first = next((number for number, play in enumerate(before) if play != PASSED), len(before))
    found = {"few-passes"} if first in (1, 2) else set()
    if play_to_answer(before) == PASSED:
        return found | ({"lead"} if not before else {"three-passes"} if len(before) >= 3 else set())
    passes = next(ago for ago, play in enumerate(reversed(before)) if play != PASSED)
    found.add(("no-pass", "one-pass", "two-passes")[passes])
    if len(before) < 3:
        found.add("few-plays")
    return found


def follows_exception(before: Sequence[int]) -> bool:
    """Return True if the play to answer is itself an exception that followed kings."""
    last = next((place for place in range(len(before) - 1, -1, -1) if before[place] != PASSED), 0)
    earlier = play_to_answer(before[:last])
    return earlier > 0 and bool(exception_of(earlier, before[last]))
