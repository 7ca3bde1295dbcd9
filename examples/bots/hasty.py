#!/usr/bin/env python3
"""A bot for every game: plays one of the best moves by a simple count, at random. The protocol is in docs/bots.md."""

import random
import sys


def cards(move):
    """Return the number of cards in a move of Cartas."""
    return sum(move.count(suit) for suit in "♠♥♦♣")


def tiles(move):
    """Return the rank of a move of Q!nto: adding tiles, before swapping wilds, before ending the turn, before trading."""
    return "-e~+".index(move[0])


def anything(_):
    return 0


PREFERRED = {"cartas": cards, "qinto": tiles}


def main():
    prefer, legal = None, []
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "ludoteca":
            print("ludoteca 1", flush=True)
        elif word == "game":
            prefer = PREFERRED.get(rest, anything)
        elif word == "legal":
            legal.append(rest)
        elif word == "move":
            most = max(map(prefer, legal))
            print(random.choice([move for move in legal if prefer(move) == most]), flush=True)
            legal = []


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    main()
