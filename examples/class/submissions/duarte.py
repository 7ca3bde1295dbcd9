#!/usr/bin/env python3
import sys

KINDS = {1: "sequência", 2: "dupla sequência"}


def value(card):
    return ord(card) % 16


def answer(cards):
    values = {value(card) for card in cards}
    highest = max(cards, key=lambda card: (value(card), card))
    if len(values) == 1:
        return f"conjunto com {len(cards)} cartas onde a carta mais alta é {highest}"
    times = [sum(value(card) == each for card in cards) for each in values]
    if len(values) < 3 or max(values) - min(values) >= len(values) or min(times) < max(times):
        return "Nada!"
    return f"{KINDS[times[0]]} com {len(values)} cartas onde a carta mais alta é {highest}"


number, *lines = sys.stdin.read().split()
for line in lines[: int(number)]:
    print(answer(line))
