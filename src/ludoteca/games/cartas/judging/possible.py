"""The check that a game can produce a case: 56 different cards (1.1), and plays that follow each other (1.2, 1.3)."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from ludoteca.core.bits import size
from ludoteca.games.cartas.combinations import answers, shape_of
from ludoteca.games.cartas.text.lines import PASSED, play_to_answer

PLAYERS: Final = 4
HAND: Final = 14
Several = TypeVar("Several", bound=Sequence[int])


def fault_of_cards(several: Sequence[int]) -> str:
    """Return why one deck cannot give all these sets of cards. Empty if it can."""
    seen = 0
    for cards in several:
        if not cards or cards & seen:
            return "a card occurs twice" if cards else "a line has no card"
        seen |= cards
    return ""


def fault_of_plays(plays: Sequence[int]) -> str:
    """Return why no game has these plays from the first lead on. Empty if a game can have them, and continues."""
    left = [HAND] * PLAYERS
    for number, play in enumerate(plays):
        to_answer = play_to_answer(plays[:number])
        if play != PASSED and not (shape_of(play) if to_answer == PASSED else answers(play, to_answer)):
            return "a play does not follow the one before"
        left[number % PLAYERS] -= size(play)
        if left[number % PLAYERS] <= 0 or (number >= PLAYERS - 1 and not any(plays[number - PLAYERS + 1 : number + 1])):
            return "the game was over before"
    return fault_of_cards([play for play in plays if play != PASSED])


def apart(make: Callable[[], Several]) -> Several:
    """Make sets of cards until no two of them share a card."""
    found = make()
    while fault_of_cards([cards for cards in found if cards]):
        found = make()
    return found
