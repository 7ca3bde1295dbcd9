"""A whole turn as a person writes it in the text program, on one line.

+ 5b@4,2 2Y@4,3     add the tiles, in any order: 5b in row 4, column 2 as printed
~ 4Y@5,2 WB@6,3     swap them for the wilds that lie there, one after another
- 1G 2R             put them under the pile, one after another, and pass
-                   pass
"""

import re
from enum import Enum
from typing import Final, NamedTuple

from ludoteca.core.errors import NotationError
from ludoteca.core.words import quoted
from ludoteca.games.qinto.grid import Place
from ludoteca.games.qinto.names import KIND_OF

EXPECTED: Final = "uma jogada começa por + (juntar), ~ (trocar) ou - (passar)"
NOTHING: Final = f"a linha está vazia, e {EXPECTED}"
NO_SORT: Final = f"não percebi {{}}: {EXPECTED}"
NO_TILES: Final = "falta dizer que peças, e onde, como em {} 5b@4,2"
JOKERS: Final = [name for name in KIND_OF if "W" in name]
NO_TILE: Final = "não há peça {}: a forma é 1 a 5 e a cor b, B, G, R ou Y, como em 5b; os jóqueres são " + " ".join(JOKERS)
NO_PLACE: Final = "não percebi {}: depois de cada peça vem @linha,coluna, como em 5b@4,2"
A_PLACE: Final = "não percebi {}: debaixo da pilha põem-se peças sem lugar, como em - 1G 2R"


class Sort(Enum):
    """What a turn does."""

    ADD = "+"
    SWAP = "~"
    PASS = "-"  # noqa: S105  # no password


class Turn(NamedTuple):
    """A line that was read."""

    sort: Sort
    tiles: tuple[str, ...]
    """In the order written."""
    places: tuple[Place, ...]
    """Of each tile, as printed; none for a pass."""


def read_turn(line: str) -> Turn:
    """The turn that a line writes. Raises NotationError, in Portuguese."""
    text = line.strip()
    if not text:
        raise NotationError(NOTHING)
    if text[0] not in "+~-":
        raise NotationError(NO_SORT.format(quoted(text)))
    sort, words = Sort(text[0]), text[1:].split()
    if sort is Sort.PASS:
        return Turn(sort, tuple(map(_read_tile, words)), ())
    if not words:
        raise NotationError(NO_TILES.format(text))
    tiles, places = zip(*map(_read_placing, words), strict=True)
    return Turn(sort, tiles, places)


def _read_tile(word: str) -> str:
    if "@" in word:
        raise NotationError(A_PLACE.format(quoted(word)))
    if word not in KIND_OF:
        raise NotationError(NO_TILE.format(quoted(word)))
    return word


def _read_placing(word: str) -> tuple[str, Place]:
    tile, _, place = word.partition("@")
    _read_tile(tile)
    found = re.fullmatch("(-?[0-9]{1,3}),(-?[0-9]{1,3})", place)
    if not found:
        raise NotationError(NO_PLACE.format(quoted(word)))
    return tile, (int(found[1]), int(found[2]))
