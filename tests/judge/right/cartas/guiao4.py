"""Guiao 4, line by line: all combinations with which the last one may be answered, or that may be led."""

import sys
from collections.abc import Iterator
from itertools import chain, combinations, product

Card = tuple[int, int]  # value, suit
KINGS = {1: [("set", 4), ("double", 3)], 2: [("double", 4)], 3: [("double", 5)]}
LEADS = [("set", n) for n in range(1, 5)] + [(kind, n) for kind in ("sequence", "double") for n in range(3, 15)]
TEXT = {(v, s): chr(0x1F0A0 + 16 * s + v) for v in range(1, 15) for s in range(4)}
CARD = {text: card for card, text in TEXT.items()}


def classify(cards: list[Card]) -> tuple[str, int] | None:
    """Type and size of sorted cards."""
    values = [value for value, _ in cards]
    different = sorted(set(values))
    size = len(different)
    if size == 1:
        return "set", len(cards)
    if size < 3 or different[-1] - different[0] >= size:
        return None
    if values == different:
        return "sequence", size
    return ("double", size) if values[::2] == values[1::2] == different else None


def generate(kind: str, size: int, hand: list[Card], floor: Card = (0, 0)) -> Iterator[tuple[Card, ...]]:
    """All combinations of a type and size whose highest card is above the floor, in lexicographic order."""
    each = {"set": size, "sequence": 1, "double": 2}[kind]
    length = 1 if kind == "set" else size
    choices = [list(combinations([card for card in hand if card[0] == value], each)) for value in range(15)]
    for start in range(1, 16 - length):
        run = choices[start : start + length]
        tops = [part for part in run[-1] if part[-1] > floor]
        if tops and all(run):
            yield from map(tuple, map(chain.from_iterable, product(*run[:-1], tops)))


def answers(last: str, hand: list[Card]) -> Iterator[tuple[Card, ...]]:
    if last == "PASSO":
        for kind, size in LEADS:
            yield from generate(kind, size, hand)
        return
    cards = sorted(CARD[text] for text in last)
    form = classify(cards)
    if form is None:
        return
    yield from generate(*form, hand, cards[-1])
    if form[0] == "set" and cards[0][0] == 14:
        for kind, size in KINGS.get(len(cards), []):
            yield from generate(kind, size, hand)


def main() -> None:
    lines = (line.decode("utf-8").strip() for line in sys.stdin.buffer)
    out = sys.stdout.buffer
    for test in range(1, int(next(lines)) + 1):
        last, hand = next(lines), next(lines, "")
        out.write(f"Teste {test}\n".encode())
        some = False
        for play in answers(last, sorted(CARD[text] for text in hand)):
            out.write((" ".join([TEXT[card] for card in play]) + "\n").encode())
            some = True
        if not some:
            out.write(b"PASSO\n")


main()
