"""Q!nto in a terminal: tiles as the document writes them, `5b`, on their colour, so that colour is never the only sign."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.words import counted
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.grid import Place, Window, window_around
from ludoteca.games.qinto.hidden import pile_of
from ludoteca.games.qinto.names import HIDDEN, hand_of, pile_names, place_name, place_near, tiles_of
from ludoteca.games.qinto.positions import traces_of
from ludoteca.games.qinto.rim import CELLS

HELP: Final = (
    "A tile is a shape (1 ♠, 2 !, 3 ♦, 4 ♥, 5 ♣) and a colour (b black, B blue, G green, R red, Y yellow). W is wild: 1W "
    "has any colour, WG any shape, WW both, in each direction its own. A line of 2 to 5 tiles has colours that are all "
    "equal or all different, and so are its shapes. A turn goes tile by tile until you type end: +5b@-1,2 adds 5b in row "
    "-1, column 2, and more can follow in one row or column; or ~4Y@0,1 swaps 4Y for the wild there; or -1G puts 1G under "
    "your pile; end at once passes. Rows and columns are counted from the first tile, at 0,0. Light: a line of five, a "
    "Q!nto, gives another turn, and who has no tiles left wins. Classic and Plus: every line made or made longer scores its "
    "length, and 5 more each for a Q!nto, for adding five tiles and for ending the game; in Plus diagonals of three to five "
    "score, too."
)

COLOURS: Final = {
    "b": "bold #ffffff on #000000",
    "B": "bold #ffffff on #0072b2",
    "G": "bold #000000 on #009e73",
    "R": "bold #ffffff on #a01010",
    "Y": "bold #000000 on #f0e442",
    "W": "bold #000000 on #d0d0d0",
    HIDDEN: "dim",
}
EMPTY: Final = "·"
DIM: Final = "dim"
LIT: Final = "*"
WIDTHS: Final = {4: 1, 3: 2, 2: 4}
"""Characters a cell, as many as there is room for; and of how many columns one is numbered."""
MARGIN: Final = 4


def player_name(player: int) -> str:
    """What a player is called."""
    return f"player {player + 1}"


def draw(view: RawPosition, lit: Collection[int] = ()) -> RenderableType:
    """The grid above the players; the cells of the actions in `lit` are marked."""
    tiles = tiles_of(view)
    marked = {place_near(tiles, action % CELLS) for action in lit if 0 <= action < rules.TRADE}
    return Group(_Grid(tiles, marked), Text(), _players(view), *_traces(view), Text(), Text(_task(view)))


def ending(view: RawPosition) -> str:
    """How the game ended."""
    players = range(int(view.players))
    bits = int(rules.winners(view))
    winners = [player_name(player) for player in players if bits >> player & 1]
    *others, last = winners
    names = f"{', '.join(others)} and {last} share the win" if others else f"{last} wins"
    why = "" if any(view.in_hand[player] == 0 for player in players) else "Nobody adds a tile any more. "
    results = "; ".join(f"{player_name(player)} has {_result(view, player)}" for player in players)
    return f"{why}{names[0].upper()}{names[1:]}: {results}."


def _result(view: RawPosition, player: int) -> str:
    if view.variant == rules.LIGHT:
        return f"{counted(int(rules.tiles_left(view, player)), 'tile')} left"
    return counted(int(view.points[player]), "point")


class _Grid:
    """The tiles with an empty line around them, rows and columns numbered."""

    def __init__(self, tiles: dict[Place, str], marked: Collection[Place]) -> None:
        self._tiles = tiles
        self._marked = marked
        self._window: Window = window_around(tiles)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = MARGIN + self._window.columns * self._cell_width(options)
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._text(self._cell_width(options))

    def _cell_width(self, options: ConsoleOptions) -> int:
        room = options.max_width - MARGIN
        return next((width for width in WIDTHS if width * self._window.columns <= room), min(WIDTHS))

    def _text(self, width: int) -> Text:
        top, left, rows, columns = self._window
        text = Text(" " * MARGIN + "".join(self._numbers(width)) + "\n", no_wrap=True)
        for row in range(top, top + rows):
            text.append(f"{_number(row):>{MARGIN - 1}} ")
            for column in range(left, left + columns):
                self._append(text, (row, column), width)
            text.append("\n")
        text.rstrip()
        return text

    def _numbers(self, width: int) -> Iterator[str]:
        step = WIDTHS[width]
        for at in range(0, self._window.columns, step):
            yield f"{_number(self._window.left + at):<{width * step}}"

    def _append(self, text: Text, place: Place, width: int) -> None:
        name = self._tiles.get(place, "")
        if name:
            text.append(name, COLOURS[name[1]])
            text.append((LIT if place in self._marked else " ").ljust(width - 2)[: width - 2])
        else:
            text.append(EMPTY.ljust(width), DIM)


def _number(line: int) -> str:
    """A row or column as in moves."""
    return place_name((line, 0)).split(",")[0]


def _tiles(names: Iterable[str]) -> Text:
    text = Text()
    for name in names:
        text.append(name, COLOURS[name[-1]])
        text.append(" ")
    return text


def _players(view: RawPosition) -> Table:
    """Hands, piles (with what the seat knows to lie at the bottom of its own) and points."""
    light = view.variant == rules.LIGHT
    table = Table("", "hand", "pile", *([] if light else ["points"]), box=None, header_style="bold")
    for player in range(int(view.players)):
        name = f"{'>' if player == view.mover else ' '} {player_name(player)}"
        pile = pile_of(view, player)
        shown = _pile(view, pile) if light or player == 0 else Text()
        table.add_row(name, _tiles(hand_of(view, player)), shown, *([] if light else [str(view.points[player])]))
    return table


def _pile(view: RawPosition, pile: int) -> Text:
    names = pile_names(view, pile)
    if all(name == HIDDEN for name in names):
        return Text(str(len(names)))
    first = next(at for at, name in enumerate(names) if name != HIDDEN)
    return Text(f"{len(names)}, at the bottom ") + _tiles(names[first:])


def _traces(view: RawPosition) -> Iterator[Text]:
    """The wilds that everybody has seen go to a hand."""
    for name, players, places in traces_of(view):
        where = " or ".join(player_name(player) for player in players)
        under = f", or among the {len(places)} last put under the pile" if places else ""
        yield _tiles([name]) + Text(f"is in the hand of {where}{under}")


def _task(view: RawPosition) -> str:
    if rules.is_terminal(view):
        return "The game is over."
    name = player_name(int(view.mover)).capitalize()
    again = "; a Q!nto, so another turn follows" if view.again else ""
    return f"{name} {TASKS[int(view.phase)]}{again}."


TASKS: Final = {
    rules.CHOOSING: "may add tiles (+), swap them for wilds (~), put tiles under the pile (-) or pass (end)",
    rules.ADDING: "adds tiles to a line (+) until the end of the turn (end)",
    rules.SWAPPING: "swaps tiles for wilds (~) until the end of the turn (end)",
    rules.TRADING: "puts tiles under the pile (-) until the end of the turn (end)",
}
