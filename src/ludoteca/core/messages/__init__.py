"""Texts in five languages: a message names a text and its arguments, a catalogue has the texts.

A game has `messages/LANGUAGE.json` in its folder, flat objects of templates: `{"refused.wall": "{0} is a wall"}`. English
is enough to begin with: it stands in for the languages in which there is no file.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from ludoteca.core.errors import ContractError
from ludoteca.core.folders import file_path

Message: TypeAlias = str | int | tuple[Any, ...]
"""Something to show: as it stands (a text of the game's notation, a name, a number), or `(key, argument, ...)`, where each
argument is a message again. `(SEAT, player)` is the name of the player in that seat, `(LIST, a, b, c)` is "a, b and c",
`(ROW, a, b, c)` is "a b c". `(PICTURE, message, sprite, angle, classes)` is that message, which the page shows as an item
with that look; its words are shown to those who want codes, and told to screen readers. Where a thing is, is said outside
it, or `named` is among the classes: then the words are shown to everybody."""

LANGUAGES: Final = ("ca", "pt", "ro", "es", "en")
ENGLISH: Final = "en"
SEAT: Final = "@seat"
LIST: Final = "@list"
ROW: Final = "@row"
PICTURE: Final = "@picture"
PLAYER: Final = "player"
"""The key for a seat whose name is not known, such as `"player {0}"`; players are counted from 1 there."""

_PLACE: Final = re.compile(r"\{(\d+)\}")
_SOUNDS_LIKE_I: Final = re.compile("[iI]|[hH][iI](?![aAeE])")
"""Before such a word, Spanish writes "e" for "y" (as Unicode's CLDR has it)."""


@cache
def catalogue(package: str, language: str) -> Mapping[str, str]:
    """A game's templates, with those that all games share: in that language, or the game's in English if it lacks it.

    Raises ContractError when the game has texts, but none in English either.
    """
    shared, own = (
        json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        for file in (_file("ludoteca.core", language), _file(package, language_of(package, language)))
    )
    return {**shared, **own}


@cache
def language_of(package: str, wished: str) -> str:
    """The language of the game's texts when that one is wished for: English, if the game has no texts in it.

    Raises ContractError when the game has texts, but none in English either.
    """
    if _file(package, wished).is_file() or not _file(package, wished).parent.is_dir():
        return wished
    if not _file(package, ENGLISH).is_file():
        raise ContractError(f"{package} has no messages/{ENGLISH}.json")
    return ENGLISH


def _file(package: str, language: str) -> Path:
    return file_path(package, f"messages/{language}.json")


def in_words(message: Message, templates: Mapping[str, str], seats: Sequence[str] = ()) -> str:
    """The message's text; `seats` are the players' names. Raises ContractError for a key that has no template."""
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
        raise ContractError(f"there is no text for {key!r}")
    return _PLACE.sub(lambda found: words[int(found[1])], templates[key])


def _listed(words: Sequence[str], templates: Mapping[str, str]) -> str:
    """The words as a list, as `Intl.ListFormat` writes it in the browser."""
    *others, last = words
    if not others:
        return last
    key = "list.and_i" if _SOUNDS_LIKE_I.match(last) else "list.and"
    return in_words((key, ", ".join(others), last), templates)


def counted(key: str, number: int) -> Message:
    """The message for a number of things, under the key of `form_of`."""
    return form_of(key, number), number


def form_of(key: str, number: int) -> str:
    """The key for a number of things: `KEY.one`, `KEY.few` (0, 2 to 19, 101 to 119, ...) or `KEY.many`.

    These are the plurals of Romanian ("2 linii", "20 de linii"), the language of ours that has most.
    """
    return f"{key}.{'one' if number == 1 else 'few' if number == 0 or number % 100 in range(1, 20) else 'many'}"


def places(template: str) -> set[int]:
    """The numbers of the arguments that a template asks for."""
    return {int(number) for number in _PLACE.findall(template)}
