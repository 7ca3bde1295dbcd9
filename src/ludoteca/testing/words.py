"""Checks that a game's texts exist in all languages, and that its messages name texts that exist."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final
from xml.etree import ElementTree

from ludoteca.core import registry, svg
from ludoteca.core.game import State
from ludoteca.core.messages import ENGLISH, LANGUAGES, LIST, PICTURE, ROW, SEAT, Message, catalogue, places
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import broken, require

_ELSEWHERE: Final = re.compile(r"@import|url\((?!['\"]?#)|<script|\bon[a-z]+=|href=['\"](?!#)", re.IGNORECASE)
_SYMBOL: Final = "{http://www.w3.org/2000/svg}symbol"


class Words:
    """The texts and drawn symbols of a game, to check its messages. Making it checks the texts and symbols themselves."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self.symbols = _symbols(spec)
        self._texts = _texts(spec)

    def check_sentence(self, message: Message, what: str, state: State | None) -> None:
        """Check a message that must be translated. `what` describes it in the error, and `state` is the position in which it
        is shown.

        Raises BrokenLawError if it is a plain text, which cannot be translated, or if it names a text, argument, seat or
        symbol that does not exist.
        """
        require(isinstance(message, tuple), self._spec, f"{what} is {message!r}: expected a key, for all languages", state)
        self.check(message, what, state.game.num_players() if state else 0, state)

    def check(self, message: Message, what: str, players: int, state: State | None = None) -> None:
        """Check a message, which may be a plain text or a number. `players` is the number of players.

        Raises BrokenLawError if it names a text, argument, seat or symbol that does not exist.
        """
        if not isinstance(message, tuple):
            if type(message) not in (str, int):
                raise broken(self._spec, f"{what} is {message!r}: expected a message", state)
            return
        if not message or not isinstance(message[0], str):
            raise broken(self._spec, f"{what} is {message!r}: expected a key", state)
        key, *arguments = message
        if key == SEAT:
            known = len(arguments) == 1 and type(arguments[0]) is int and 0 <= arguments[0] < players
            require(known, self._spec, f"{what} names the seat {arguments}: expected a number below {players}", state)
            return
        if key == PICTURE:
            text, sprite, angle, classes = arguments
            known = not sprite or sprite in self.symbols
            require(known, self._spec, f"{what} shows {sprite!r}: there is no such symbol", state)
            require(
                type(angle) is int and type(classes) is str,
                self._spec,
                f"{what} shows {arguments}: expected a text, a symbol, an angle and classes",
                state,
            )
            self.check(text, what, players, state)
            return
        if key in (LIST, ROW):
            require(bool(arguments), self._spec, f"{what} lists nothing", state)
        else:
            require(key in self._texts, self._spec, f"{what}: there is no text for {key!r}", state)
            lacking = self._texts[key] - set(range(len(arguments)))
            if lacking:
                raise broken(self._spec, f"{what}: {message} has no arguments {lacking}", state)
        for argument in arguments:
            self.check(argument, what, players, state)


def _symbols(spec: GameSpec) -> set[str]:
    """Return the ids of the game's drawn symbols. Raises BrokenLawError if symbols or styles load other files or run
    scripts.
    """
    text = svg.sprites(spec)
    strange = _ELSEWHERE.findall(text + svg.style(spec))
    require(not strange, spec, f"{svg.SPRITES} or {svg.STYLE} has {strange}: expected no scripts and no other files")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  # a file of the game's own folder
    except ElementTree.ParseError as error:
        raise broken(spec, f"{svg.SPRITES} is no XML: {error}") from None
    names = Counter(element.get("id", "") for element in root.iter() if element.get("id") or element.tag == _SYMBOL)
    doubled = [name for name, number in names.items() if number > 1 or not name]
    require(not doubled, spec, f"{svg.SPRITES} has ids that are empty or occur twice: {doubled}")
    return {element.get("id", "") for element in root.iter(_SYMBOL)}


def _texts(spec: GameSpec) -> dict[str, set[int]]:
    """Return the numbers of the arguments of each of the game's texts, by key. Raises BrokenLawError if they differ between
    languages.

    A game of this repository must have texts in all LANGUAGES. Another game needs only English.
    """
    there = [language for language in LANGUAGES if spec.file(f"messages/{language}.json").is_file()]
    wanted = set(LANGUAGES) if spec.package.startswith(f"{registry.GROUP}.") else {ENGLISH}
    lacking = sorted(wanted.difference(there))
    require(not lacking, spec, f"it has no messages in {', '.join(lacking)}")
    catalogues = {language: catalogue(spec.package, language) for language in there}
    texts = {key: places(template) for key, template in catalogues[ENGLISH].items()}
    for language, templates in catalogues.items():
        different = templates.keys() ^ texts.keys()
        require(not different, spec, f"messages/{language}.json and another one do not both have {sorted(different)}")
        for key, template in templates.items():
            require(bool(template.strip()), spec, f"messages/{language}.json: {key} is empty")
            same = places(template) == texts[key]
            require(same, spec, f"messages/{language}.json: {key} has other arguments: {template!r}")
    _check_translations(spec, there)
    return texts


def _check_translations(spec: GameSpec, languages: Sequence[str]) -> None:
    """Require that no two languages have equal texts for more than half of the keys, as they have if a file was copied and
    not translated.
    """
    texts = {name: json.loads(spec.file(f"messages/{name}.json").read_text(encoding="utf-8")) for name in languages}
    worded = [key for key, text in texts[ENGLISH].items() if any(map(str.isalpha, text))]
    for one, other in combinations(languages, 2):
        shared = sum(texts[one][key] == texts[other][key] for key in worded)
        what = f"messages/{one}.json and messages/{other}.json share {shared} of {len(worded)} texts: translate them"
        require(2 * shared <= len(worded), spec, what)
