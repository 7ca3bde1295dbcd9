#!/usr/bin/env python3
import sys


def value(card):
    return ord(card) % 16


def answer(cards):
    values = sorted(map(value, cards))
    size = len(set(values))
    highest = max(cards, key=value)
    run = list(range(values[0], values[0] + size))
    if size == 1:
        return f"conjunto com {len(cards)} cartas onde a carta mais alta é {highest}"
    if size >= 3 and values == run:
        return f"sequência com {size} cartas onde a carta mais alta é {highest}"
    if size >= 3 and values == sorted(run + run):
        return f"dupla sequência com {size} cartas onde a carta mais alta é {highest}"
    return "Nada!"


number, *lines = sys.stdin.read().split()
for line in lines[: int(number)]:
    print(answer(line))
