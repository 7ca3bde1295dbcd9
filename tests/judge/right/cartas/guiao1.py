"""Guiao 1. There is no newline after the last line, and the exit status is 1: neither makes an answer wrong."""

import sys


def order(card: str) -> tuple[int, int]:
    suit, value = divmod(ord(card) - 0x1F0A0, 16)
    return value, suit


def describe(cards: list[str]) -> str:
    values = sorted(order(card)[0] for card in cards)
    n = len(values)
    if n and values[0] == values[-1]:
        kind = "conjunto"
    elif n >= 3 and values == list(range(values[0], values[0] + n)):
        kind = "sequência"
    elif n >= 6 and values == sorted(list(range(values[0], values[0] + n // 2)) * 2):
        kind = "dupla sequência"
        n //= 2
    else:
        return "Nada!"
    return f"{kind} com {n} cartas onde a carta mais alta é {max(cards, key=order)}"


number, *rest = sys.stdin.read().split("\n")
lines = [describe(list(text.strip())) for text in rest[: int(number)]]
sys.stdout.write("\n".join(lines))
sys.exit(1)
