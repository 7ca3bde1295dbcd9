"""Guiao 3. All plays are played again from a free table: one that cannot follow counts as PASSO, and after three
PASSO in a row the table is free. With fewer than three plays, all PASSO, it still is."""

from __future__ import annotations

import sys

KING = 14


class Combination:
    def __init__(self, text: str) -> None:
        codes = [ord(symbol) - 0x1F0A0 for symbol in text]
        self.cards = sorted((code & 15, code >> 4) for code in codes)
        groups: dict[int, int] = {}
        for value, _ in self.cards:
            groups[value] = groups.get(value, 0) + 1
        self.values = sorted(groups)
        self.repeats = set(groups.values())
        self.type = self.find_type()

    def find_type(self) -> str:
        length = len(self.values)
        if length == 1:
            return "conjunto"
        if length < 3 or self.values[-1] - self.values[0] != length - 1:
            return ""
        if self.repeats == {1}:
            return "sequência"
        if self.repeats == {2}:
            return "dupla"
        return ""

    def only_kings(self) -> bool:
        return self.values == [KING]

    def beats(self, other: Combination) -> bool:
        """Whether this one may be played on the other."""
        if self.type == other.type and len(self.cards) == len(other.cards):
            return self.cards[-1] > other.cards[-1]
        if not other.only_kings():
            return False
        kings = len(other.cards)
        if self.type == "dupla":
            return kings <= 3 and len(self.values) == kings + 2
        return kings == 1 and self.type == "conjunto" and len(self.cards) == 4


class Table:
    def __init__(self) -> None:
        self.top: Combination | None = None
        self.passes = 0

    def accepts(self, text: str) -> bool:
        if text == "PASSO":
            return False
        play = Combination(text)
        return play.type != "" and (self.top is None or play.beats(self.top))

    def put(self, text: str) -> None:
        if self.accepts(text):
            self.top = Combination(text)
            self.passes = 0
            return
        self.passes += 1
        if self.passes == 3:
            self.top = None
            self.passes = 0


def read_line() -> str:
    return sys.stdin.buffer.readline().decode("utf-8").rstrip("\n")


def main() -> None:
    for test in range(1, int(read_line()) + 1):
        table = Table()
        k = int(read_line())
        hand = Combination(read_line()).cards
        for _ in range(k):
            table.put(read_line())
        text = read_line()
        if table.accepts(text):
            play = Combination(text).cards
            if all(card in hand for card in play):
                hand = [card for card in hand if card not in play]
        answer = " ".join(chr(0x1F0A0 + (suit << 4) + value) for value, suit in hand)
        sys.stdout.buffer.write(f"Teste {test}\n{answer}\n".encode())


main()
