"""Texts in five languages. A message is a key with arguments, and a catalogue has the templates of the keys.

A game has files `messages/LANGUAGE.json`. Each is a flat object of templates: `{"refused.wall": "{0} is a wall"}`. A new
game needs English only. English is used for every language without a file.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from ludoteca.core.folders import file_path

Message: TypeAlias = str | int | tuple[Any, ...]
"""A text to show, in one of these forms. All arguments are messages too.

- a text or a number, shown unchanged: a move in the game's notation, a name
- `(key, argument, ...)`: the template of the key with the arguments
- `(SEAT, player)`: the name of the player in that seat
- `(LIST, a, b, c)`: "a, b and c"
- `(ROW, a, b, c)`: "a b c"
- `(PICTURE, message, sprite, angle, classes)`: the page shows this message as an item with this look

Screen readers read the words of a picture. The page shows them to players who want codes, and to all players if `named` is
among the classes. Name the place of a thing outside its picture, or use `named`. Without a sprite, there are only these
words. Use it for a place that has no name for players, such as a cell of a grid without numbers. The board marks that place.
"""

LANGUAGES: Final = ("ca", "pt", "ro", "es", "en")
ENGLISH: Final = "en"
SEAT: Final = "@seat"
LIST: Final = "@list"
ROW: Final = "@row"
PICTURE: Final = "@picture"
PLAYER: Final = "player"
"""The key for a seat without a known name. Its template, such as `"player {0}"`, counts players from 1."""

_PLACE: Final = re.compile(r"\{(\d+)\}")
_SOUNDS_LIKE_I: Final = re.compile("[iI]|[hH][iI](?![aAeE])")
"""Before such words Spanish uses "e" instead of "y", as in the CLDR of Unicode."""


@cache
def catalogue(package: str, language: str) -> Mapping[str, str]:
    """Return a game's templates in a language, or in English if the game lacks it, and the templates for all games.

    Raises LookupError if the game has texts, but none in this language and none in English.
    """
    shared, own = (
        json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        for file in (_file("ludoteca.core", language), _file(package, language_of(package, language)))
    )
    return {**shared, **own}


@cache
def language_of(package: str, wished: str) -> str:
    """Return the wished language, or English if the game has texts, but none in the wished language.

    Raises LookupError if it has none in English either.
    """
    if _file(package, wished).is_file() or not _file(package, wished).parent.is_dir():
        return wished
    if not _file(package, ENGLISH).is_file():
        raise LookupError(f"{package} has no messages/{ENGLISH}.json")
    return ENGLISH


def language_among(wishes: str) -> str:
    """Return the first language with texts in the header `Accept-Language`, or English."""
    codes = [wish.strip()[:2].lower() for wish in wishes.split(",")]
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def _file(package: str, language: str) -> Path:
    return file_path(package, f"messages/{language}.json")


def in_words(message: Message, templates: Mapping[str, str], seats: Sequence[str] = ()) -> str:
    """Return the text of a message. `seats` are the players' names. Raises LookupError for a key without a template."""
    if not isinstance(message, tuple):
        return str(message)
    key, *arguments = message
    if key == SEAT:
        player = int(arguments[0])
        return seats[player] if player < len(seats) else in_words((PLAYER, player + 1), templates)
    if key == PICTURE:
        return in_words(arguments[0], templates, seats)
    words = [in_words(argument, templates, seats) for argument in arguments]
    if key == LIST:
        return _listed(words, templates)
    if key == ROW:
        return " ".join(words)
    if key not in templates:
        raise LookupError(f"there is no text for {key!r}")
    return _PLACE.sub(lambda found: words[int(found[1])], templates[key])


def _listed(words: Sequence[str], templates: Mapping[str, str]) -> str:
    """Return the words as a list, as `Intl.ListFormat` writes it in the browser."""
    *others, last = words
    if not others:
        return last
    key = "list.and_i" if _SOUNDS_LIKE_I.match(last) else "list.and"
    return in_words((key, ", ".join(others), last), templates)


def counted(key: str, number: int) -> Message:
    """Return the message for a number of things, with the key of `form_of`."""
    return form_of(key, number), number


def form_of(key: str, number: int) -> str:
    """Return the key for a number of things: `KEY.one`, `KEY.few` (0, 2 to 19, 101 to 119, ...), or `KEY.many` for others.

    These are the plural forms of Romanian ("2 linii", "20 de linii"). The other languages have fewer.
    """
    return f"{key}.{'one' if number == 1 else 'few' if number == 0 or number % 100 in range(1, 20) else 'many'}"


def places(template: str) -> set[int]:
    """Return the numbers of the arguments in a template."""
    return {int(number) for number in _PLACE.findall(template)}
