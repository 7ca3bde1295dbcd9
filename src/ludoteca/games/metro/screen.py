"""Metro in a terminal: closed paths are heavy lines, and every path has a colour of its own or of its owner."""

from collections.abc import Collection, Iterable
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.words import counted
from ludoteca.games.metro import drawing, notation, rules, tiles
from ludoteca.games.metro.actions import DECLINE, space_of
from ludoteca.games.metro.board import NOBODY, Place, owners, place_of
from ludoteca.games.metro.paths import paths_of

HELP: Final = (
    "Place the tile by x, y and its rotation, such as 3 2 R1, on a free space on the edge of the board or beside a tile, "
    "but not so that a train goes straight out through that tile alone. A path that reaches a station scores a point for "
    "each tile, two for each if it ends in the centre. Heavy lines are closed paths. With several players, decline keeps "
    "the tile and draws another one, which must be placed."
)

COLOURS: Final = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00")
"""One a player, or one a path in turn: Okabe and Ito's palette, which people with colour-blindness tell apart."""
LOOSE: Final = "dim"
"""Tracks that no train has reached."""


def player_name(player: int) -> str:
    """What a player is called: his trains carry the letter."""
    return f"player {player + 1}"


def draw(view: RawPosition, lit: Collection[int] = ()) -> RenderableType:
    """The board, the tile to be placed in all its rotations, and the players; tiles placed by `lit` have marked corners."""
    side = int(view.side)
    places = [place_of(side, space_of(action)) for action in lit if 0 <= action < DECLINE]
    parts: list[RenderableType] = [_board(view, places), Text(), *_tile(view)]
    return Group(*parts, _players(view)) if view.players > 1 else Group(*parts, Text(_score(view)))


def ending(view: RawPosition) -> str:
    """How the game ended."""
    if view.players == 1:
        paths = [path for path in paths_of(view) if path.closed]
        central = sum(path.central for path in paths)
        return f"{counted(len(paths), 'closed path')}, {central} of them in the centre: {_points(view, 0)}."
    won = int(rules.winners(view))
    best = [player for player in range(view.players) if won >> player & 1]
    names = " and ".join(player_name(player) for player in best)
    others = "; ".join(
        f"{player_name(player)} has {view.points[player]}" for player in range(view.players) if player not in best
    )
    text = f"{names} {'win' if len(best) > 1 else 'wins'} with {_points(view, best[0])}{'; ' if others else ''}{others}."
    return text[0].upper() + text[1:]


def _board(view: RawPosition, lit: Iterable[Place]) -> Text:
    whose = owners(int(view.side), int(view.players))
    text = Text(no_wrap=True)
    for row in drawing.rows(view, lit):
        for sign in row:
            text.append(sign.text, _style(sign, whose, view.players == 1))
        text.append("\n")
    text.rstrip()
    return text


def _style(sign: drawing.Sign, whose: list[int], alone: bool) -> str:
    if sign.path == 0:
        return LOOSE
    owner = sign.path if alone else whose[sign.path - 1]
    colour = "" if owner == NOBODY and not alone else COLOURS[owner % len(COLOURS)]
    return f"bold {colour}" if sign.closed or sign.train else colour


def _tile(view: RawPosition) -> Iterable[Text]:
    """The tile to be placed, as it can be turned."""
    if view.tile == tiles.NONE:
        return
    times = tiles.rotations(int(view.tile))
    yield Text(f"tile {notation.kind_name(view.tile)}", "bold")
    yield Text("\n".join(drawing.tile_lines(int(tiles.FACE_OF[view.tile, turn]) for turn in times)), no_wrap=True)
    yield Text("   ".join(f"   R{turn}  " for turn in times))


def _score(view: RawPosition) -> str:
    rest = "" if view.endless else f"; {counted(int(view.stacked), 'tile')} in the stack"
    return f"{_points(view, 0)}{rest}"


def _points(view: RawPosition, player: int) -> str:
    return counted(int(view.points[player]), "point")


def _players(view: RawPosition) -> Table:
    table = Table("", "trains", "points", "hand", box=None, header_style="bold", title_justify="left",
                  caption=f"{counted(int(view.stacked), 'tile')} in the stack", caption_justify="left")  # fmt: skip
    for player in range(view.players):
        name = Text(f"{'>' if player == view.mover else ' '} {player_name(player)}", COLOURS[player])
        table.add_row(name, chr(ord("a") + player), str(view.points[player]), notation.hand_of(view, player))
    return table
