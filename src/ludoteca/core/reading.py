"""Checks for reading positions, for every game's `string_to_position`.

All functions raise NotationError, which says what was read and expected.
"""

from collections.abc import Mapping
from typing import Final

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError
from ludoteca.core.words import counted, quoted

DASH: Final = "-"
"""The sign for a missing card, an empty list of cards, and the player to move once the game is over."""


def read_parts(text: str, *names: str) -> list[str]:
    """Return the parts of a position, separated by blanks. There must be one for each name."""
    parts = text.split()
    if len(parts) != len(names):
        raise NotationError(f"the position has {counted(len(parts), 'part')}: expected {len(names)}: {', '.join(names)}")
    return parts


def read_list(text: str, sign: str, number: int, noun: str, *, plural: str = "", of: str = "the position") -> list[str]:
    """Return a list of `number` things called `noun`, separated by `sign`. `of` names the owner of the list."""
    things = text.split(sign)
    if len(things) != number:
        raise NotationError(f"{of} has {counted(len(things), noun, plural)}: expected {number}")
    return things


def read_number(text: str, what: str, most: int) -> int:
    """Return a number from 0 to `most`. `what` names it in the error.

    >>> read_number("12", "the score", 99)
    12
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise NotationError(f"{what}: read {quoted(text)}, expected a number from 0 to {most}")
    return int(text)


def read_mover(text: str, over: bool, players: Mapping[str, int], what: str = "the player to move") -> int:
    """Return the player to move, from a mapping of names to players, or TERMINAL when the game is over."""
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
