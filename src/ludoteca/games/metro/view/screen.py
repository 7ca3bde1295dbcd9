"""Metro in a terminal. Each path has its owner's colour, or one by its number.

The large board draws the tracks. Closed paths are heavy lines. On the small board, a tile is four arrows that show the sides
on which trains leave it. As trains keep to the right, each way in has a corner:

    from above    from the right         ↓ ←
    from the left     from below         → ↑        all tracks go straight on here
"""

from collections.abc import Collection, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT
from ludoteca.core.scene import Say
from ludoteca.games.metro import notation, tiles
from ludoteca.games.metro.board import NOBODY, Place, is_centre, owners, spaces
from ludoteca.games.metro.paths import paths_over
from ludoteca.games.metro.text import drawing
from ludoteca.games.metro.tiles import EAST, NORTH, SOUTH, WEST
from ludoteca.games.metro.view.scene import tile_at

COLOURS: Final = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00")
"""A colour for each player, or for paths in turn: Okabe and Ito's palette, also for people with colour-blindness."""
LOOSE: Final = "dim"
"""The style of tracks that are not part of a train's path."""
ARROWS: Final = "←↓→↑"
CLOSED: Final = "◀▼▶▲"
"""The arrows of closed paths."""
LAST: Final = "*"
MARGIN: Final = 7
"""The width of the numbers of rows and trains on the left of the small board, in characters."""


def draw(view: RawPosition, marked: Collection[str], say: Say) -> RenderableType:
    """Return the board, the tile to be placed in all its rotations, and the hands. Marked tiles have signs at corners."""
    side, players = int(view.side), int(view.players)
    places = [place for place in spaces(side) if tile_at(place) in marked]
    board = Text(no_wrap=True)
    for row in drawing.rows(view, places):
        for character in row:
            board.append(character.text, _style(character, owners(side, players), players == 1))
        board.append("\n")
    board.rstrip()
    shown: list[Text] = []
    if faces := tiles.faces(int(view.tile)):
        shown = [_turn(view, say), Text("\n".join(drawing.tile_lines(faces)), no_wrap=True)]
        shown.append(Text("   ".join(f"   R{turn}  " for turn in tiles.rotations(int(view.tile)))))
    return Group(board, Text(), *shown, *_hands(view, say))


def small(view: RawPosition, marked: Collection[str], say: Say) -> tuple[RenderableType, RenderableType]:
    """Return the small board, and next to it the tile to be placed in all its rotations and the hands."""
    shown: list[Text] = []
    if faces := tiles.faces(int(view.tile)):
        ways = [tiles.exits(face) for face in faces]
        upper = "   ".join(ARROWS[lefts[NORTH]] + ARROWS[lefts[EAST]] for lefts in ways)
        lower = "   ".join(ARROWS[lefts[WEST]] + ARROWS[lefts[SOUTH]] for lefts in ways)
        shown = [_turn(view, say), Text(f"{upper}\n{lower}", no_wrap=True)]
        shown.append(Text("   ".join(f"R{turn}" for turn in tiles.rotations(int(view.tile)))))
    return _small_board(view, marked), Group(*shown, *_hands(view, say))


def sign(view: RawPosition, player: int) -> Text:
    """Return the letter on the player's trains, or an empty text in a game of one player."""
    return Text("" if view.players == 1 else chr(ord("a") + player), COLOURS[player])


def _turn(view: RawPosition, say: Say) -> Text:
    return Text(say(("turn", notation.kind_name(view.tile))), "bold")


def _hands(view: RawPosition, say: Say) -> list[Text]:
    """Return the players' tiles, and the number of tiles to come."""
    players = range(int(view.players) if view.players > 1 else 0)
    hands = [Text(say(("hand", (SEAT, player), notation.hand_of(view, player)))) for player in players]
    return [*hands, Text(say(("stack.endless",) if view.endless else ("stack", int(view.stacked))))]


def _small_board(view: RawPosition, marked: Collection[str]) -> Text:
    """Return the board with two lines per row, and the numbers of columns, rows and trains around it."""
    side, columns = int(view.side), range(1, int(view.side) + 1)
    arrows, labels = _arrows(view), _labels(view)
    width = 3 if view.players == 1 else 4  # a train's number is followed by a letter if there are several players
    board = Text(" " * MARGIN + "".join(f"{x:<{width}}" for x in columns) + "\n" + " " * MARGIN, no_wrap=True)

    def append_label(place: Place, across: int, room: int) -> None:
        text, style = labels[place, across]
        board.append(text.ljust(room), style)

    def append_tiles(y: int, ways: Sequence[int], mark: str) -> None:
        for x in columns:
            for way in ways:
                board.append(*arrows[(x, y), way])
            blank = drawing.CENTRE if is_centre(side, (x, y)) and is_centre(side, (x + 1, y)) else " "
            board.append((mark if tile_at((x, y)) in marked else blank).ljust(width - 2, blank))

    for x in columns:
        append_label((x, 1), NORTH, width)
    for y in columns:
        board.append(f"\n{y:>2}".ljust(MARGIN + 1))
        append_tiles(y, (NORTH, EAST), LAST)
        append_label((side, y), EAST, 0)
        board.append("\n   ")
        append_label((1, y), WEST, MARGIN - 3)
        append_tiles(y, (WEST, SOUTH), " ")
    board.append("\n" + " " * MARGIN)
    for x in columns:
        append_label((x, side), SOUTH, width)
    board.rstrip()
    return board


def _arrows(view: RawPosition) -> dict[tuple[Place, int], tuple[str, str]]:
    """Return the signs of the small board with their styles, by place and way in."""
    side, whose = int(view.side), owners(int(view.side), int(view.players))
    columns = range(1, side + 1)
    signs = {((x, y), way): (drawing.CENTRE, "") for x in columns for y in columns for way in range(tiles.SIDES)}
    for place, face in zip(spaces(side), view.faces.tolist(), strict=False):
        lefts = tiles.exits(face) if face else ()
        for way in range(tiles.SIDES):
            signs[place, way] = (ARROWS[lefts[way]] if lefts else drawing.FREE if way == NORTH else " "), LOOSE
    for path in paths_over(side, view.faces.tolist()):
        for step in path.steps:
            sign = drawing.Sign((CLOSED if path.closed else ARROWS)[step.left], path.number, path.closed)
            signs[step.place, step.entered] = sign.text, _style(sign, whose, view.players == 1)
    return signs


def _labels(view: RawPosition) -> dict[tuple[Place, int], tuple[str, str]]:
    """Return the names of the trains with their styles, by the place and the side on which they enter the board."""
    side, whose = int(view.side), owners(int(view.side), int(view.players))
    labels = {}
    for path in paths_over(side, view.faces.tolist()):
        text = f"{path.number}{drawing.owner_letter(view, path.number)}"
        sign = drawing.Sign(text, path.number, path.closed, train=True)
        labels[path.train.inside, path.train.side] = text, _style(sign, whose, view.players == 1)
    return labels


def _style(character: drawing.Sign, whose: Sequence[int], alone: bool) -> str:
    if character.path == 0:
        return LOOSE
    owner = character.path if alone else whose[character.path - 1]
    colour = "" if owner == NOBODY and not alone else COLOURS[owner % len(COLOURS)]
    return f"bold {colour}" if character.closed or character.train else colour
