"""Reading positions: the checks that every game's `string_to_position` needs.

All raise NotationError, which says what was read and what was expected.
"""

from collections.abc import Mapping
from typing import Final

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError
from ludoteca.core.words import counted, quoted

DASH: Final = "-"
"""In the place of what is not there: a card, a list of cards, the player to move once the game is over."""


def read_parts(text: str, *names: str) -> list[str]:
    """The parts of a position, with blanks between them: as many as there are names."""
    parts = text.split()
    if len(parts) != len(names):
        raise NotationError(f"the position has {counted(len(parts), 'part')}: expected {len(names)}: {', '.join(names)}")
    return parts


def read_list(text: str, sign: str, number: int, noun: str, *, plural: str = "", of: str = "the position") -> list[str]:
    """A list of `number` things called `noun`, with `sign` between them; `of` says what has that list."""
    things = text.split(sign)
    if len(things) != number:
        raise NotationError(f"{of} has {counted(len(things), noun, plural)}: expected {number}")
    return things


def read_number(text: str, what: str, most: int) -> int:
    """A number from 0 to `most`; `what` says what it counts."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise NotationError(f"{what}: read {quoted(text)}, expected a number from 0 to {most}")
    return int(text)


def read_mover(text: str, over: bool, players: Mapping[str, int], what: str = "the player to move") -> int:
    """The player to move, by the names of those who may be to move; TERMINAL when the game is over."""
    check_end(text, over, what)
    if over:
        return TERMINAL
    if text not in players:
        raise NotationError(f"{what} is {quoted(text)}: expected one of {', '.join(players)}")
    return players[text]


def check_end(text: str, over: bool, what: str = "the player to move") -> None:
    """Refuse a player to move when the game is over, and `-` when it is not."""
    if over != (text == DASH):
        raise NotationError(f"{what} is {quoted(text)}: the game is {f'over: expected {DASH}' if over else 'not over'}")
