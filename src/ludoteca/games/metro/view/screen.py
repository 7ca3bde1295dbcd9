"""Metro in a terminal. Closed paths are heavy lines. Each path has its owner's colour, or one by its number."""

from collections.abc import Collection, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT
from ludoteca.core.screen import Say
from ludoteca.games.metro import notation, tiles
from ludoteca.games.metro.board import DECLINE, NOBODY, owners, place_of, space_of
from ludoteca.games.metro.text import drawing

COLOURS: Final = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00")
"""One for each player, or one for each path in turn. Okabe and Ito's palette is for people with colour-blindness, too."""
LOOSE: Final = "dim"
"""The style of tracks that no train has reached."""


def draw(view: RawPosition, highlighted: Collection[int], say: Say) -> RenderableType:
    """Return the board, the tile to be placed in all its rotations, and the hands. Highlighted tiles have marked corners."""
    side, players = int(view.side), int(view.players)
    places = [place_of(side, space_of(action)) for action in highlighted if 0 <= action < DECLINE]
    board = Text(no_wrap=True)
    for row in drawing.rows(view, places):
        for character in row:
            board.append(character.text, _style(character, owners(side, players), players == 1))
        board.append("\n")
    board.rstrip()
    shown = [board, Text()]
    if faces := tiles.faces(int(view.tile)):
        shown.append(Text(say(("turn", notation.kind_name(view.tile))), "bold"))
        shown.append(Text("\n".join(drawing.tile_lines(faces)), no_wrap=True))
        shown.append(Text("   ".join(f"   R{turn}  " for turn in tiles.rotations(int(view.tile)))))
    if players > 1:
        shown += (Text(say(("hand", (SEAT, player), notation.hand_of(view, player)))) for player in range(players))
    stack = ("stack.endless",) if view.endless else ("stack", int(view.stacked))
    return Group(*shown, Text(say(stack)))


def sign(view: RawPosition, player: int) -> Text:
    """Return the letter on the player's trains, or an empty text in a game of one player."""
    return Text("" if view.players == 1 else chr(ord("a") + player), COLOURS[player])


def _style(character: drawing.Sign, whose: Sequence[int], alone: bool) -> str:
    if character.path == 0:
        return LOOSE
    owner = character.path if alone else whose[character.path - 1]
    colour = "" if owner == NOBODY and not alone else COLOURS[owner % len(COLOURS)]
    return f"bold {colour}" if character.closed or character.train else colour
