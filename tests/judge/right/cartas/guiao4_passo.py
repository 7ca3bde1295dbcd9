"""Guiao 4 by the letter: a pass is no combination, so nothing is played after it and the answer is PASSO again."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

EXCEPTIONS = {1: [(1, 4), (3, 2)], 2: [(4, 2)], 3: [(5, 2)]}  # the number of kings; the shapes that may follow


def key(card: str) -> tuple[int, int]:
    return (ord(card) % 16, ord(card) // 16)


def shape(cards: Sequence[str]) -> tuple[int, int] | None:
    """The number of values and of cards of each, or nothing."""
    values = [key(card)[0] for card in cards]
    length = len(set(values))
    each = len(values) // length
    regular = values == [values[0] + i // each for i in range(len(values))] and length * each == len(values)
    return (length, each) if regular and (length == 1 or (length >= 3 and each <= 2)) else None


def plays(hand: list[str], length: int, each: int, above: tuple[int, int]) -> Iterator[list[str]]:
    for low in range(1, 16 - length):
        suits = [combinations([card for card in hand if key(card)[0] == low + i], each) for i in range(length)]
        for parts in product(*suits):
            if key(parts[-1][-1]) > above:
                yield [card for part in parts for card in part]


def answers(last: list[str], hand: list[str]) -> Iterator[list[str]]:
    if form := shape(last):
        yield from plays(hand, *form, key(last[-1]))
    if {key(card)[0] for card in last} == {14}:
        for length, each in EXCEPTIONS.get(len(last), []):
            yield from plays(hand, length, each, (0, 0))


for number in range(1, int(input()) + 1):
    last, hand = input(), sorted(input(), key=key)
    print("Teste", number)
    found = [] if last == "PASSO" else [*answers(sorted(last, key=key), hand)]
    print("\n".join(map(" ".join, found)) or "PASSO")
