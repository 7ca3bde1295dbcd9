#!/usr/bin/env python3
"""A bot for every game: plays a random one of the moves that get most done. The protocol is in docs/bots.md."""

import random
import sys


def cards(move):
    """Cartas: as many cards as possible."""
    return sum(move.count(suit) for suit in "♠♥♦♣")


def tiles(move):
    """Q!nto: add tiles, then swap wilds, then end the turn; trade only where nothing else can be done."""
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
