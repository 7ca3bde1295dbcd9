"""Checks that the games share when they read a position from text (`string_to_position` in a game's notation).

If the text is wrong, each function raises NotationError. The message quotes the text and says which form was expected.
"""

from collections.abc import Mapping
from typing import Final

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError
from ludoteca.core.words import counted, quoted

DASH: Final = "-"
"""The sign for a missing card, an empty list of cards, and the player to move once the game is over."""


def read_parts(text: str, *names: str) -> list[str]:
    """Return the parts of a position's text, which are separated by blanks. `names` says what each part is, for the error.
    Raises NotationError if there are more or fewer parts than names.
    """
    parts = text.split()
    if len(parts) != len(names):
        raise NotationError(f"the position has {counted(len(parts), 'part')}: expected {len(names)}: {', '.join(names)}")
    return parts


def read_list(text: str, sign: str, number: int, noun: str, *, plural: str = "", of: str = "the position") -> list[str]:
    """Return the items of a list in a text. There must be exactly `number` of them, separated by `sign`.

    In the error, `noun` is the name of one item, `plural` the name of several (by default the noun with an s), and `of` is
    the name of the thing that has the list. Raises NotationError if the list has another number of items.
    """
    things = text.split(sign)
    if len(things) != number:
        raise NotationError(f"{of} has {counted(len(things), noun, plural)}: expected {number}")
    return things


def read_number(text: str, what: str, most: int) -> int:
    """Return the number from 0 to `most` that a text contains. `what` is its name in the error. Raises NotationError if the
    text is not such a number.

    >>> read_number("12", "the score", 99)
    12
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise NotationError(f"{what}: read {quoted(text)}, expected a number from 0 to {most}")
    return int(text)


def read_mover(text: str, over: bool, players: Mapping[str, int], what: str = "the player to move") -> int:
    """Return the number of the player to move, or TERMINAL if `over` is True.

    `players` maps the texts that a position may have here to the numbers of the players. When the game is over, the text
    must be `-`. `what` is the name of this part in the error. Raises NotationError for any other text.
    """
    check_end(text, over, what)
    if over:
        return TERMINAL
    if text not in players:
        raise NotationError(f"{what} is {quoted(text)}: expected one of {', '.join(players)}")
    return players[text]


def check_end(text: str, over: bool, what: str = "the player to move") -> None:
    """Check that a text is `-` exactly if the game is over. `what` is the name of this part of the position in the error.
    Raises NotationError if the text and `over` do not agree.
    """
    if over != (text == DASH):
        raise NotationError(f"{what} is {quoted(text)}: the game is {f'over: expected {DASH}' if over else 'not over'}")
