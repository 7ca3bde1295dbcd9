"""Metro in a terminal: closed paths are heavy lines, and every path has a colour of its own or of its owner."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT
from ludoteca.core.screen import Say
from ludoteca.games.metro import notation, tiles
from ludoteca.games.metro.board import DECLINE, NOBODY, Place, owners, place_of, space_of
from ludoteca.games.metro.text import drawing

COLOURS: Final = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00")
"""One per player, or one per path in turn: Okabe and Ito's palette, which people with colour-blindness tell apart."""
LOOSE: Final = "dim"
"""Tracks that no train has reached."""


def draw(view: RawPosition, highlighted: Collection[int], say: Say) -> RenderableType:
    """The board, the tile to be placed in all its rotations, and the tiles of all; highlighted tiles have marked corners."""
    side = int(view.side)
    places = [place_of(side, space_of(action)) for action in highlighted if 0 <= action < DECLINE]
    stack = ("stack.endless",) if view.endless else ("stack", int(view.stacked))
    return Group(_board(view, places), Text(), *_tile(view, say), *_hands(view, say), Text(say(stack)))


def sign(view: RawPosition, player: int) -> Text:
    """The letter that the player's trains carry, where there are several players."""
    return Text("" if view.players == 1 else chr(ord("a") + player), COLOURS[player])


def _board(view: RawPosition, marked: Iterable[Place]) -> Text:
    whose = owners(int(view.side), int(view.players))
    text = Text(no_wrap=True)
    for row in drawing.rows(view, marked):
        for sign in row:
            text.append(sign.text, _style(sign, whose, view.players == 1))
        text.append("\n")
    text.rstrip()
    return text


def _style(sign: drawing.Sign, whose: Sequence[int], alone: bool) -> str:
    if sign.path == 0:
        return LOOSE
    owner = sign.path if alone else whose[sign.path - 1]
    colour = "" if owner == NOBODY and not alone else COLOURS[owner % len(COLOURS)]
    return f"bold {colour}" if sign.closed or sign.train else colour


def _tile(view: RawPosition, say: Say) -> Iterator[Text]:
    """The tile to be placed, as it can be turned."""
    if view.tile != tiles.NONE:
        times = tiles.rotations(int(view.tile))
        yield Text(say(("turn", notation.kind_name(view.tile))), "bold")
        yield Text("\n".join(drawing.tile_lines(int(tiles.FACE_OF[view.tile, turn]) for turn in times)), no_wrap=True)
        yield Text("   ".join(f"   R{turn}  " for turn in times))


def _hands(view: RawPosition, say: Say) -> Iterator[Text]:
    for player in range(view.players if view.players > 1 else 0):
        yield Text(say(("hand", (SEAT, player), notation.hand_of(view, player))))
