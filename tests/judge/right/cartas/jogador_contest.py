"""A player for the contest: the number of plays, the hand and the plays so far, in Unicode cards.

It answers with the highest combination that costs the fewest kings, and leads with the lowest card that it has."""

import sys
from itertools import combinations

BACK = 0x1F0A0


def value(card: str) -> int:
    return (ord(card) - BACK) % 16


def rank(card: str) -> tuple[int, int]:
    return value(card), ord(card)


def runs(groups: list[list[str]], length: int, each: int) -> list[list[str]]:
    """All runs of so many consecutive values, with 1 or 2 cards of each."""
    found: list[list[str]] = []
    for start in range(1, 16 - length):
        partial: list[list[str]] = [[]]
        for group in groups[start : start + length]:
            partial = [[*before, *cards] for before in partial for cards in combinations(group, each)]
        found += partial
    return found


def sets(groups: list[list[str]], size: int) -> list[list[str]]:
    return [list(cards) for group in groups for cards in combinations(group, size)]


def led(groups: list[list[str]]) -> list[list[str]]:
    found = [play for size in range(1, 5) for play in sets(groups, size)]
    for length in range(3, 15):
        found += runs(groups, length, 1) + runs(groups, length, 2)
    return found


def answers(groups: list[list[str]], last: list[str]) -> list[list[str]]:
    size = len(last)
    if value(last[0]) == value(last[-1]):
        same = sets(groups, size)
    elif value(last[0]) == value(last[1]):
        same = runs(groups, size // 2, 2)
    else:
        same = runs(groups, size, 1)
    found = [play for play in same if rank(play[-1]) > rank(last[-1])]
    if value(last[0]) == 14 and size < 4:  # only kings
        found += runs(groups, size + 2, 2)
        if size == 1:
            found += sets(groups, 4)
    return found


def main() -> None:
    text = sys.stdin.buffer.read().decode("utf-8").split()
    hand, plays = sorted(text[1], key=rank), text[2:]
    groups: list[list[str]] = [[card for card in hand if value(card) == v] for v in range(15)]
    passes = 0
    while passes < len(plays) and plays[-1 - passes] == "PASSO":
        passes += 1
    if passes == len(plays) or passes >= 3:
        lowest = [play for play in led(groups) if play[0] == hand[0]]
        play = max(lowest, key=len)
    else:
        possible = answers(groups, sorted(plays[-1 - passes], key=rank))
        if not possible:
            sys.stdout.buffer.write(b"PASSO\n")
            return
        play = min(possible, key=lambda play: (sum(value(card) == 14 for card in play), -rank(play[-1])[0]))
    sys.stdout.buffer.write(" ".join(play).encode() + b"\n")


main()
