"""Guiao 2. Two combinations of a test never have the same highest card, so the order of equal ones is free:
these are sorted by their highest cards, then by the next ones. Every line is sent at once."""

import sys
from collections import Counter

Cards = list[tuple[int, int]]


def parse(line: bytes) -> Cards:
    """(value, suit) of every card, ascending."""
    codes = [ord(card) - 0x1F0A0 for card in line.decode("utf-8").strip()]
    return sorted((code % 16, code // 16) for code in codes)


def kind(cards: Cards) -> tuple[str, int] | None:
    times = Counter(value for value, _ in cards)
    each = set(times.values())
    if len(times) == 1:
        return "set", len(cards)
    if len(times) < 3 or len(each) != 1 or max(times) - min(times) != len(times) - 1:
        return None
    return {1: ("sequence", len(times)), 2: ("double", len(times))}.get(each.pop())


def say(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8") + b"\n")
    sys.stdout.buffer.flush()


def show(cards: Cards) -> str:
    return " ".join(chr(0x1F0A0 + 16 * suit + value) for value, suit in cards)


def main() -> None:
    read = sys.stdin.buffer.readline
    for test in range(1, int(read()) + 1):
        plays = [parse(read()) for _ in range(int(read()))]
        say(f"Teste {test}")
        kinds = {kind(cards) for cards in plays}
        if len(kinds) == 1 and None not in kinds:
            for cards in sorted(plays, key=lambda cards: cards[::-1]):
                say(show(cards))
        else:
            say("Combinações não iguais!")


main()
