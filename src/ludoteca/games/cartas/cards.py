"""Reads and writes the cards of Jogo de Cartas: as Unicode's playing cards (🂪🃛🃌), or in the words of the document's section
3.4 (10 ♠ J ♥ C ♦).

A set of cards is a bit set, as in `combinations`. This module does not import NumPy, so that the document's programs start
quickly.
"""

import re
from collections.abc import Sequence
from typing import Final

from ludoteca.core.bits import members
from ludoteca.core.console import BLANKS
from ludoteca.core.errors import NotationError
from ludoteca.core.words import quoted

PASSO: Final = "PASSO"
VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "C", "Q", "K")
SUITS: Final = "♠♥♦♣"
LETTERS: Final = "ecop"
"""The letters of the suits (espadas, copas, ouros, paus), for keyboards that have no signs for them."""
MOST_QUOTED: Final = 20
"""If a text is no card, the error quotes its first character and at most this many characters more."""

Form = Sequence[str]
"""The texts of the 56 cards, in the order of the cards."""
PICTURES: Final[Form] = tuple(chr(0x1F0A0 + 16 * suit + value) for value in range(1, 15) for suit in range(4))
WORDS: Final[Form] = tuple(f"{value} {suit}" for value in VALUES for suit in SUITS)

_CARD: Final = {text.replace(" ", ""): 1 << card for form in (PICTURES, WORDS) for card, text in enumerate(form)}
_TYPED: Final = {f"{value}{letter}": 4 * i + j for i, value in enumerate(VALUES) for j, letter in enumerate(LETTERS)}
_BLANK: Final = re.compile(f"[{BLANKS}]*")
_TOKEN: Final = re.compile(f"(10|[A2-9JCQK])[{BLANKS}]*([{SUITS}])|[{PICTURES[0]}-{PICTURES[-1]}]")
_TYPED_TOKEN: Final = re.compile(f"(?:10|[A2-9JCQK])[{LETTERS}]")


class NoCardError(NotationError):
    """The error for a text that is no card. `read` is the text, and `character` the number of its first character, which
    counts from 1.
    """

    def __init__(self, read: str, character: int) -> None:
        super().__init__(f"read {quoted(read)} at character {character}, expected a card")
        self.read = read
        self.character = character


class TwiceError(NotationError):
    """The error for a card that occurs twice. `character` is the number of the first character of the second occurrence,
    from 1.
    """

    def __init__(self, card: str, character: int) -> None:
        super().__init__(f"{card} stands twice, again at character {character}")
        self.card = card
        self.character = character


def read(text: str) -> tuple[int, bool]:
    """Return the set of the cards in a text, and True if at least one of them is in words. Blanks between cards do not
    matter.

    Raises NoCardError if a part of the text is no card, and TwiceError if a card occurs twice, whichever comes first in the
    text.
    """
    cards, words, at = 0, False, _skip(text, 0)
    while at < len(text):
        found = _TOKEN.match(text, at)
        card = _CARD.get("".join(found.groups()) if found[1] else found[0]) if found else None
        if not found or not card:
            rest = text[at + 1 : at + 1 + MOST_QUOTED]  # the quotation ends before the next blank or card
            end = next((i for i, sign in enumerate(rest) if sign in BLANKS or sign in PICTURES), len(rest))
            raise NoCardError(text[at : at + 1 + end], at + 1)
        if cards & card:
            raise TwiceError(found[0], at + 1)
        cards |= card
        words = words or found[1] is not None
        at = _skip(text, found.end())
    return cards, words


def typed(text: str) -> str:
    """Return the text with each card such as `10e` or `Jc`, as one types it on a keyboard, replaced by the
    document's words.
    """
    return _TYPED_TOKEN.sub(lambda found: WORDS[_TYPED[found[0]]], text)


def write(cards: int, form: Form = PICTURES, between: str = " ") -> str:
    """Return the cards of a set as text, in ascending order. `form` has the texts of the cards, and `between` comes between
    two cards.
    """
    return between.join(form[card] for card in members(cards))


def highest(cards: int) -> int:
    """Return the highest card of a set, or -1 if it is empty."""
    return cards.bit_length() - 1


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
