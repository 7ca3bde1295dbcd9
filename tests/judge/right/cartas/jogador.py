"""A player for the tournament, in the form of section 3.4: the hand in words, then the plays so far, one a line.

It gets rid of as many cards as it can when it leads, and answers with the lowest combination that it has."""

import re
import sys
from itertools import combinations, product

VALUES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "C", "Q", "K"]
SUITS = "♠♥♦♣"
KING = VALUES.index("K")

Card = tuple[int, int]  # value and suit, from 0
Play = tuple[Card, ...]


def parse(line: str) -> Play:
    found = re.findall(r"(10|[A2-9JCQK])\s*([♠♥♦♣])", line)
    return tuple(sorted((VALUES.index(value), SUITS.index(suit)) for value, suit in found))


def show(play: Play) -> str:
    return " ".join(f"{VALUES[value]} {SUITS[suit]}" for value, suit in play)


def everything(hand: Play) -> list[tuple[str, Play]]:
    """Every combination in the hand, with its type."""
    groups = [[card for card in hand if card[0] == value] for value in range(14)]
    found = [("set", play) for group in groups for n in range(1, 5) for play in combinations(group, n)]
    for name, each in (("sequence", 1), ("double", 2)):
        for first, last in combinations(range(14), 2):
            if last - first >= 2:
                parts = [list(combinations(group, each)) for group in groups[first : last + 1]]
                found += [(name, sum(choice, ())) for choice in product(*parts)]
    return found


def type_of(play: Play) -> str:
    """The type of a combination that another player has made."""
    values = [value for value, _ in play]
    if len(set(values)) == 1:
        return "set"
    return "double" if values[0] == values[1] else "sequence"


def follows(name: str, play: Play, last: Play) -> bool:
    if name == type_of(last) and len(play) == len(last):
        return play[-1] > last[-1]
    if {value for value, _ in last} != {KING}:
        return False
    if name == "double":
        return len(last) <= 3 and len(play) == 2 * (len(last) + 2)
    return name == "set" and len(last) == 1 and len(play) == 4


def choose(hand: Play, plays: list[str]) -> Play | None:
    table = next((parse(play) for play in reversed(plays[-3:]) if play != "PASSO"), None)
    possible = [play for name, play in everything(hand) if table is None or follows(name, play, table)]
    whole = [play for play in possible if len(play) == len(hand)]
    if whole:
        return whole[0]
    if table is None:
        possible.sort(key=lambda play: (-len(play), play[-1]))
    else:
        possible.sort(key=lambda play: (play[-1], len(play)))
    return possible[0] if possible else None


def main() -> None:
    first, *plays = sys.stdin.buffer.read().decode("utf-8").splitlines()
    play = choose(parse(first), [line.strip() for line in plays if line.strip()])
    sys.stdout.buffer.write((show(play) if play else "PASSO").encode() + b"\n")


main()
