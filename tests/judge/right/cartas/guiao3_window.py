"""Guiao 3. The play to answer is the last one that is not PASSO among the last three lines; without one, all is free."""

import sys


def card_key(card: str) -> int:
    suit, value = divmod(ord(card) - 0x1F0A0, 16)
    return 4 * value + suit


def classify(cards: str) -> tuple[str, int] | None:
    """Type and size (of a double sequence: its pairs)."""
    values = sorted(card_key(card) // 4 for card in cards)
    n = len(values)
    if n == 0:
        return None
    first = values[0]
    if values[-1] == first:
        return "set", n
    if n >= 3 and values == [first + i for i in range(n)]:
        return "sequence", n
    if n >= 6 and n % 2 == 0 and values == [first + i // 2 for i in range(n)]:
        return "double", n // 2
    return None


ABOVE_KINGS = {1: [("set", 4), ("double", 3)], 2: [("double", 4)], 3: [("double", 5)]}


def may_follow(play: str, last: str | None) -> bool:
    kind = classify(play)
    if kind is None:
        return False
    if last is None:
        return True
    wanted = classify(last)
    if wanted is None:
        return False
    if kind == wanted:
        return max(map(card_key, play)) > max(map(card_key, last))
    kings = all(card_key(card) // 4 == 14 for card in last)
    return kings and kind in ABOVE_KINGS.get(len(last), [])


def after(hand: str, plays: list[str], play: str) -> list[str]:
    cards = sorted(hand, key=card_key)
    if play == "PASSO" or not set(play) <= set(hand):
        return cards
    window = [line for line in plays[-3:] if line != "PASSO"]
    if may_follow(play, window[-1] if window else None):
        cards = [card for card in cards if card not in play]
    return cards


lines = iter(sys.stdin.buffer.read().decode("utf-8").split("\n"))
output = []
for test in range(1, int(next(lines)) + 1):
    k = int(next(lines))
    hand = next(lines)
    plays = [next(lines) for _ in range(k)]
    output += [f"Teste {test}", " ".join(after(hand, plays, next(lines)))]
sys.stdout.buffer.write("".join(line + "\n" for line in output).encode("utf-8"))
