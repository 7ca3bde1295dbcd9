"""How `jogador` chooses: it deals the unseen cards at random, lets all four play on like beginners, and counts the points.

Every deal is tried with every play that is still in question; from time to time the worse half of them is dropped. Points
that others win count against a play, though less: in a tournament the share of all points matters.
"""

import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from random import Random
from typing import Final

from ludoteca.core.bits import size
from ludoteca.games.cartas.combinations import DECK, SUITS, above, groups, is_of_kings, shape_of, windows
from ludoteca.games.cartas.play import beginner
from ludoteca.games.cartas.text.lines import NOTHING, PASSED, play_to_answer

PLAYERS: Final = 4
HAND: Final = 14
FIRST: Final = 12
"""Deals after which the worse half of the plays is dropped for the first time; then after twice as many, and so on."""
LOSS: Final = 0.25
"""The cost of each point that another player wins."""


def choose(hand: int, plays: Sequence[int], seconds: float, deals: int | None = None) -> int:
    """The cards to play, 0 for a pass. `plays` are those so far, oldest first, each a set of cards, PASSED or NOTHING.

    Deals are tried while there is time, or as many as are given.
    """
    end = time.perf_counter() + seconds
    to_answer = play_to_answer(plays)
    if to_answer == NOTHING:
        return PASSED
    found = sorted(set(options(hand, to_answer)), key=lambda play: (-size(play), play))
    if hand in found:
        return hand
    if to_answer != PASSED:
        found.append(PASSED)
    return found[0] if len(found) == 1 else Trials(hand, plays).best(found, deals, end)


def options(hand: int, to_answer: int) -> Iterator[int]:
    """All plays, but of those that differ in suits only the one that gives least away, and the highest."""
    for group in groups(to_answer):
        for low, choices in windows(hand, group):
            least = sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices[:-1]))
            top = low + SUITS * (len(choices) - 1)
            yield from {least | (choices[-1][0] << top), least | (choices[-1][-1] << top)}


class Trials:
    """All that the player knows, and trials of plays. The player is number 0, the next to play is number 1."""

    def __init__(self, hand: int, plays: Sequence[int]) -> None:
        self.hand = hand
        self.to_answer = play_to_answer(plays)
        self.passes = next((ago for ago, play in enumerate(reversed(plays)) if play != PASSED), len(plays)) % PLAYERS
        self.unseen = DECK & ~hand
        self.sizes = [HAND] * PLAYERS
        for ago, play in enumerate(reversed(plays), 1):
            if play not in (PASSED, NOTHING):
                self.unseen &= ~play
                self.sizes[-ago % PLAYERS] -= size(play)
        self._known: dict[tuple[int, int], int] = {}

    def best(self, plays: list[int], deals: int | None, end: float) -> int:
        """The play with most points over `deals` deals, or those for which there is time; the first of equal ones."""
        random, drop = Random(self.unseen), FIRST
        totals = dict.fromkeys(plays, 0.0)
        for deal in count(1) if deals is None else range(1, deals + 1):
            hands, points = self.deal(random), dict[int, float]()
            for play in totals:  # one at least, the others only while there is time
                points[play] = self.points_after(play, hands)
                if time.perf_counter() > end:
                    break
            if len(points) < len(totals):
                return max(totals, key=lambda play: totals[play]) if deal > 1 else max(points, key=lambda play: points[play])
            totals = {play: total + points[play] for play, total in totals.items()}
            if deal == drop and len(totals) > 2:
                kept = sorted(totals.items(), key=lambda item: -item[1])
                totals, drop = dict(kept[: (len(kept) + 1) // 2]), 2 * drop
        return max(totals, key=lambda play: totals[play])

    def deal(self, random: Random) -> list[int]:
        """The player's hand, and hands of their sizes that the others may hold."""
        cards = [1 << card for card in range(DECK.bit_length()) if self.unseen >> card & 1]
        random.shuffle(cards)
        hands = [self.hand]
        for held in self.sizes[1:]:
            hands.append(sum(cards[: max(held, 1)]))
            del cards[: max(held, 1)]
        return hands

    def points_after(self, play: int, hands: list[int]) -> float:
        """The player's points, less a share of others' points, after this play when all go on like beginners."""
        hands = [hands[0] ^ play, *hands[1:]]
        to_answer, passes, mover = (play, 0, 1) if play else (self.to_answer, self.passes + 1, 1)
        known = self._known
        while True:
            if passes == PLAYERS - 1:
                to_answer, passes = PASSED, 0
            hand = hands[mover]
            if (cards := known.get((hand, to_answer))) is None:
                cards = known[hand, to_answer] = _beginners_play(hand, to_answer)
            if cards:
                hands[mover] = hand ^ cards
                if hand == cards:
                    left = sum(cards.bit_count() for cards in hands)
                    return -LOSS * left if mover else left
                to_answer, passes = cards, 0
            else:
                passes += 1
            mover = (mover + 1) % PLAYERS


def _beginners_play(hand: int, to_answer: int) -> int:
    """The play of a beginner; most hands that cannot answer are recognised at once."""
    if to_answer == PASSED:
        return beginner.lead(hand) if hand else PASSED  # a hand is empty when the plays told do not fit 56 cards
    kind, higher = _kind(to_answer)
    if not is_of_kings(to_answer) and (hand & higher == 0 or hand.bit_count() < to_answer.bit_count()):
        return PASSED
    return beginner.answer(hand, to_answer, kind, higher)


@cache
def _kind(play: int) -> tuple[int, int]:
    """The shape of a play, and the cards above it."""
    return shape_of(play), above(play)
