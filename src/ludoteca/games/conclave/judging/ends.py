"""Rare endings, with the functions that found them.

A crisis without followers leaves a full board, which ends the game. This is one random game in 23,000. In some deals the
first four turns can do it. In about one of a hundred games several players have the best points.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random
from typing import Final, NamedTuple

import numpy as np

from ludoteca.games.conclave import deck, rules
from ludoteca.games.conclave.deck import NOTHING
from ludoteca.games.conclave.judging.outcomes import brotherhood, influence, outcome
from ludoteca.games.conclave.judging.plans import Plan, opening
from ludoteca.games.conclave.judging.walks import GREEDY, Walk
from ludoteca.games.conclave.sets import CELLS

Sent = tuple[int, int]
"""A place of the hand, and a cell."""

_INNER: Final = tuple(cell for cell in range(CELLS) if cell not in rules.BORDER)


class Ending(NamedTuple):
    """A deal and four turns after which the board is full."""

    players: int
    seed: int
    turns: tuple[Sent, Sent, Sent, Sent]


def dead_ends(players: int, seeds: Sequence[int]) -> Iterator[Ending]:
    """Yield an ending for each of these deals in which the first four turns can end the game.

    Drawn cards are not played, so the choice of piles does not matter.
    """
    for seed in seeds:
        cards = np.array(deck.ordered_deck())
        deck.shuffle_as_documented(cards, seed)
        dealt = cards[: 42 + 6 * players][::-1].tolist()
        hands = [dealt[rules.HAND * player : rules.HAND * (player + 1)] for player in range(players)]
        board = [NOTHING] * CELLS
        for cell, card in zip(rules.BORDER, dealt[rules.HAND * players :], strict=False):
            board[cell] = card
        for last in _INNER:
            if _is_hopeful(board, last) and (turns := _way(board, hands, last)):
                yield Ending(players, seed, turns)
                break


def _is_hopeful(board: Sequence[int], last: int) -> bool:
    """Return True if the border allows one brotherhood and a sum of at most 9 in the last hole's row and column."""
    row, column = last & ~3, last & 3
    across, down = (board[row], board[row + 3]), (board[column], board[column + 12])
    if len({brotherhood(card) for card in across + down}) > 1:
        return False
    return all(sum(map(influence, pair)) <= 7 for pair in (across, down))


def _way(board: Sequence[int], hands: Sequence[Sequence[int]], last: int) -> "tuple[Sent, Sent, Sent, Sent] | None":
    """Return four turns that fill the inner cells, ending with the last hole, and end the game. None if there are none."""
    others = [cell for cell in _INNER if cell != last]
    for cells in permutations(others):
        for places in product(range(rules.HAND), repeat=4):
            order = (*cells, last)
            if _ends(board, hands, order, places):
                one, two, three, four = zip(places, order, strict=True)
                return one, two, three, four
    return None


def _ends(board: Sequence[int], hands: Sequence[Sequence[int]], cells: Sequence[int], places: Sequence[int]) -> bool:
    """Return True if these four cards are all dealt, win no followers, and end the game."""
    after, players = [*board], len(hands)
    sent = [(number % players, place) for number, place in enumerate(places)]
    if len({*sent}) < len(sent):
        return False
    for number, (cell, (player, place)) in enumerate(zip(cells, sent, strict=True), 1):
        card = hands[player][place]
        come = outcome(after, card, cell)
        if come.taken or ("dead-end" in come.branches) != (number == len(cells)):
            return False
        after[cell] = card
    return True


DEAD_ENDS: Final = (
    Ending(2, 265, ((0, 6), (0, 9), (3, 5), (2, 10))),
    Ending(2, 1672, ((2, 6), (0, 9), (0, 10), (3, 5))),
    Ending(3, 39, ((1, 6), (0, 10), (1, 9), (3, 5))),
    Ending(3, 112, ((0, 6), (1, 9), (2, 10), (2, 5))),
    Ending(4, 57, ((2, 9), (0, 10), (0, 6), (3, 5))),
    Ending(4, 239, ((0, 9), (1, 10), (1, 5), (2, 6))),
)
"""Some endings that `dead_ends` finds among the first 2^15 deals of each number of players."""


def whole(plan: Plan) -> Walk:
    """Play a whole game from a deal, in which each move takes as many cards as possible."""
    walk = Walk(plan, frozenset(), Random(plan.seed), GREEDY)
    while not walk.over:
        walk.turn()
    return walk


def ties(players: int, seeds: Sequence[int]) -> Iterator[int]:
    """Yield the seeds whose game (`whole`) ends with several players with the best points."""
    for seed in seeds:
        if "winner-tie" in whole(opening(Random(seed), frozenset(), players, seed)).reached:
            yield seed


TIED: Final = ((2, 7), (2, 86), (2, 121), (3, 72), (3, 109), (3, 111), (4, 34), (4, 39), (4, 45))
"""Players and seeds of some deals that `ties` finds."""
