"""The player of the tournament (section 3.4). It reads its hand and the plays so far, and prints a play.

To choose, it deals the unseen cards at random, plays on with four beginners, and counts the points. It tries every play in
each deal. From time to time it drops the worse half of the plays. Points of other players count against a play, but for
less: in a tournament the share of all points matters.
"""

import re
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from random import Random
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.core.console import Console, ConsoleError, Dialogue
from ludoteca.games.cartas.cards import PASSO, Form, write
from ludoteca.games.cartas.combinations import DECK, SUITS, above, groups, is_of_kings, shape_of, windows
from ludoteca.games.cartas.play import beginner
from ludoteca.games.cartas.text.lines import NOTHING, PASSED, Lines, play_to_answer

SECONDS: Final = 0.2
"""The time for the trials of a move. The program takes another tenth of a second."""
MOST_SECONDS: Final = 60
OPTION: Final = "--seconds"
TIME: Final = f"um número de segundos até {MOST_SECONDS}, por exemplo 0.5"
HAND: Final = "a mão"
HAND_OR_COUNT: Final = "a mão, ou o número de jogadas"
CARDS_OF_HAND: Final = "as cartas da mão"
PLAY: Final = f"uma jogada ou {PASSO}"

PLAYERS: Final = 4
DEALT: Final = 14
"""The cards of a hand before the first play."""
DEALS_TO_FIRST_DROP: Final = 12
"""Deals until the worse half of the plays is dropped for the first time. Until the next time it takes twice as many."""
LOSS: Final = 0.25
"""The cost of each point that another player wins."""


# The program


def answer(io: Console, arguments: list[str]) -> Dialogue[None]:
    """Read one position and print one line. For input that cannot be read, print PASSO and raise ConsoleError.

    The arguments may give the time for a move: `--seconds 0.5`, also written `--seconds=0.5`. Otherwise it is SECONDS.
    """
    seconds = _read_seconds(io, arguments)
    lines = Lines(io)
    try:
        hand, plays = yield from _read_position(lines)
    except ConsoleError:
        io.print(PASSO)
        raise
    io.print(said(hand, plays, lines.form, seconds))


def said(hand: int, plays: list[int], form: Form, seconds: float) -> str:
    """Return the line to print in a position."""
    play = choose(hand, plays, seconds)
    return write(play, form) if play else PASSO


def _read_seconds(io: Console, arguments: list[str]) -> float:
    """Return the time for a move. Raises ConsoleError for unexpected arguments."""
    if not arguments:
        return SECONDS
    option, text = arguments[0].partition("=")[::2] if len(arguments) == 1 else arguments[:2]
    if option != OPTION or len(arguments) > 2:
        raise io.wrong_argument(" ".join(arguments), f"{OPTION} N")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", text) or not 0 < float(text) <= MOST_SECONDS:
        raise io.wrong_argument(text, TIME)
    return float(text)


def _read_position(lines: Lines) -> Dialogue[tuple[int, list[int]]]:
    """Return the hand, “uma linha com as suas cartas”, and the plays so far, one a line. Their number may come first."""
    text = yield from lines.text(HAND_OR_COUNT)
    if text.isascii() and text.isdigit():
        text = yield from lines.text(HAND)
    hand = lines.read(text)
    if not hand:
        raise lines.io.wrong(text, CARDS_OF_HAND)
    plays: list[int] = []
    empty = 0  # the number of the first empty line
    while (line := (yield from lines.line())) is not None:
        if line and empty:
            raise lines.io.wrong("", PLAY, number=empty)
        if line:
            plays.append(lines.read_play(line))
        else:
            empty = empty or lines.io.lines_read
    return hand, plays


# The choice


def choose(hand: int, plays: Sequence[int], seconds: float, deals: int | None = None) -> int:
    """Return the cards to play, or 0 for a pass.

    `plays` are those so far, oldest first, as `Lines.read_play` returns them. `deals` is the number of deals to try. Without
    it, the program tries as many as the time allows.
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
    """Yield the possible plays. Of plays that differ in suits alone, yield the lowest, and the one with the highest top."""
    for group in groups(to_answer):
        for low, choices in windows(hand, group):
            least = sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices[:-1]))
            top = low + SUITS * (len(choices) - 1)
            yield from {least | (choices[-1][0] << top), least | (choices[-1][-1] << top)}


class Trials:
    """Trials of plays for the player to move, who knows only one hand. This player is number 0, and the next one is number
    1.
    """

    def __init__(self, hand: int, plays: Sequence[int]) -> None:
        self.hand = hand
        self.to_answer = play_to_answer(plays)
        self.passes = next((ago for ago, play in enumerate(reversed(plays)) if play != PASSED), len(plays)) % PLAYERS
        self.unseen = DECK & ~hand
        self.sizes = [DEALT] * PLAYERS
        for ago, play in enumerate(reversed(plays), 1):
            if play not in (PASSED, NOTHING):
                self.unseen &= ~play
                self.sizes[-ago % PLAYERS] -= size(play)
        self._known: dict[tuple[int, int], int] = {}
        """A beginner's play by the hand and the play to answer."""

    def best(self, plays: list[int], deals: int | None, end: float) -> int:
        """Return the play with most points, the first of equal ones. Trials stop after `deals` deals, and at time `end`."""
        random, drop = Random(self.unseen), DEALS_TO_FIRST_DROP
        totals = dict.fromkeys(plays, 0.0)
        for deal in count(1) if deals is None else range(1, deals + 1):
            hands, points = self.deal(random), dict[int, float]()
            for play in totals:  # at least the first, and the others while there is time
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
        """Return the player's hand, and random hands of the others from the unseen cards."""
        cards = [1 << card for card in members(self.unseen)]
        random.shuffle(cards)
        hands = [self.hand]
        for held in self.sizes[1:]:
            hands.append(sum(cards[: max(held, 1)]))
            del cards[: max(held, 1)]
        return hands

    def points_after(self, play: int, hands: list[int]) -> float:
        """Return the player's points if all players go on like beginners after this play. If another player wins, return
        what that costs.
        """
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
    """Return the play of a beginner. A quick test recognizes most hands that cannot answer."""
    if to_answer == PASSED:
        return beginner.lead(hand) if hand else PASSED  # a hand is empty if the input's plays do not fit 56 cards
    kind, higher = _shape_and_higher(to_answer)
    if not is_of_kings(to_answer) and (hand & higher == 0 or hand.bit_count() < to_answer.bit_count()):
        return PASSED
    return beginner.answer(hand, to_answer, kind, higher)


@cache
def _shape_and_higher(play: int) -> tuple[int, int]:
    """Return the shape of a play, and the cards above it."""
    return shape_of(play), above(play)
