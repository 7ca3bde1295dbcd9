"""Texts in five languages. A message is a key with arguments, such as `("refused.wall", "b3")`. A catalogue has, for one
language, the text of each key, in which `{0}` is replaced by the first argument.

A game has files `messages/LANGUAGE.json`. Each is one JSON object: `{"refused.wall": "{0} is a wall"}`. A new game needs
English only, because English is shown for every language without a file.
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
words. Use it for a place that has no name for players, such as a cell of a grid without numbers. The board marks that
place."""

LANGUAGES: Final = ("ca", "pt", "ro", "es", "en")
ENGLISH: Final = "en"
SEAT: Final = "@seat"
LIST: Final = "@list"
ROW: Final = "@row"
PICTURE: Final = "@picture"
PLAYER: Final = "player"
"""The key of a name for a seat whose player has none. Its English text is `"player {0}"`. Players count from 1."""

_PLACE: Final = re.compile(r"\{(\d+)\}")
_SOUNDS_LIKE_I: Final = re.compile("[iI]|[hH][iI](?![aAeE])")
"""Words that begin with the sound of "i". Before them, Spanish writes "e" in place of "y" for "and" (CLDR of Unicode)."""


@cache
def catalogue(package: str, language: str) -> Mapping[str, str]:
    """Return the texts of a game in a language, by key, together with the texts that all games share. If the game has no
    file for the language, its texts are English.

    `package` is the import path of the game. Raises LookupError if the game has texts, but neither in this language nor in
    English.
    """
    shared, own = (
        json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        for file in (_file("ludoteca.core", language), _file(package, language_of(package, language)))
    )
    return {**shared, **own}


@cache
def language_of(package: str, wished: str) -> str:
    """Return the language in which a game's texts are shown: `wished`, or English if the game has texts but none in that
    language.

    `package` is the import path of the game. Raises LookupError if the game has texts, but neither in the wished language
    nor in English.
    """
    if _file(package, wished).is_file() or not _file(package, wished).parent.is_dir():
        return wished
    if not _file(package, ENGLISH).is_file():
        raise LookupError(f"{package} has no messages/{ENGLISH}.json")
    return ENGLISH


def language_among(wishes: str) -> str:
    """Return the first of LANGUAGES that a browser lists in its header `Accept-Language`, or English if it lists none of
    them. `wishes` is the value of the header.
    """
    codes = [wish.strip()[:2].lower() for wish in wishes.split(",")]
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def _file(package: str, language: str) -> Path:
    return file_path(package, f"messages/{language}.json")


def in_words(message: Message, templates: Mapping[str, str], seats: Sequence[str] = ()) -> str:
    """Return the text of a message. `templates` are the texts by key (`catalogue`), and `seats` are the players' names by
    seat. Raises LookupError if a key has no text.
    """
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
    """Return the words as a list in a sentence ("a, b and c"), in the same form as `Intl.ListFormat` in the browser."""
    *others, last = words
    if not others:
        return last
    key = "list.and_i" if _SOUNDS_LIKE_I.match(last) else "list.and"
    return in_words((key, ", ".join(others), last), templates)


def counted(key: str, number: int) -> Message:
    """Return a message for a number of things, such as "3 cards". `key` is the key without the ending that
    `form_of` adds.
    """
    return form_of(key, number), number


def form_of(key: str, number: int) -> str:
    """Return the key of the plural form for a number: `KEY.one` for 1, `KEY.few` for 0, 2 to 19, 101 to 119 and so on, and
    `KEY.many` for all others.

    These are the plural forms of Romanian ("2 linii", "20 de linii"). The other languages have fewer, so some of their texts
    are equal.
    """
    return f"{key}.{'one' if number == 1 else 'few' if number == 0 or number % 100 in range(1, 20) else 'many'}"


def places(template: str) -> set[int]:
    """Return the numbers of the arguments that a text uses: {0, 2} for `"{0} and {2}"`."""
    return {int(number) for number in _PLACE.findall(template)}
