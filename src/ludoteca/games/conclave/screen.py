"""Conclave in a terminal: cards as the document writes them, `p5g`, so that colour is never the only sign."""

from collections.abc import Collection, Iterable
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.games.conclave import deck, rules, sets
from ludoteca.games.conclave.notation import MAGIC_NAMES, MAGICS, PHASES, card_name, followers_of, hand_of, pile_of

HELP: Final = (
    "p5g is purple, influence 5, brotherhood of the gazelle; p is the back of a purple card. A turn: b>2 cedes your "
    "followers of magic b to player 2, who has none of it, or keep; 0:13 sends the card at place 0 of your hand to row 1, "
    "column 3; e or d draws from the left or the right pile. The cards in contact in the row, then in the column, "
    "listen: if their influence sums to 10, those of the emissary's magic or brotherhood follow you. At the end the "
    "highest sum of a magic controls it; followers of magics that you do not control count against you, and the fewest "
    "points win."
)

COLOURS: Final = (
    "bold #ffffff on #0072b2",
    "bold #000000 on #e0c060",
    "bold #ffffff on #5d3a9b",
    "bold #ffffff on #8b0000",
    "bold #000000 on #e69f00",
    "bold #000000 on #009e73",
)
"""One a magic: blue, ochre, purple, red, orange, green."""
HOLE: Final = "dim"
LIT: Final = "underline"


def player_name(player: int) -> str:
    """What a player is called."""
    return f"player {player + 1}"


def draw(view: RawPosition, lit: Collection[int] = ()) -> RenderableType:
    """The board beside the players; the cells of the emissaries in `lit` are marked."""
    cells = {action % sets.CELLS for action in lit if 0 <= action < rules.CEDE}
    board = Group(_board(view, cells), Text(), *_piles(view), Text(), Text(_task(view)))
    return Columns([board, _players(view)], padding=(0, 4))


def ending(view: RawPosition) -> str:
    """How the game ended."""
    points = [int(rules.disappointment(view, player)) for player in range(view.players)]
    best = points.index(min(points))
    others = ", ".join(f"{player_name(player)} has {points[player]}" for player in range(view.players) if player != best)
    return f"Player {best + 1} wins with {points[best]} points of disappointment; {others}."


def _board(view: RawPosition, lit: Collection[int]) -> Text:
    text = Text("     0    1    2    3\n")
    for row in range(sets.SIDE):
        text.append(f"{row}  ")
        for cell in range(sets.SIDE * row, sets.SIDE * (row + 1)):
            _append_card(text, int(view.board[cell]), "*" if cell in lit else " ")
        text.append("\n")
    text.rstrip()
    return text


def _append_card(text: Text, card: int, after: str = " ") -> None:
    if card == deck.NOTHING:
        text.append(" ·  ", HOLE)
    else:
        text.append(f"{card_name(card)}", COLOURS[card >> 4])
        text.append(after)
    text.append(" ")


def _cards(cards: Iterable[int]) -> Text:
    text = Text()
    for card in cards:
        _append_card(text, card, "")
    return text


def _piles(view: RawPosition) -> Iterable[Text]:
    """The backs of both piles, top first, with the letters that draw from them."""
    for pile, name in enumerate(("left e ", "right d ")):
        yield Text(f"{name:<8}").append_text(_cards(pile_of(view, pile)))


def _task(view: RawPosition) -> str:
    if rules.is_terminal(view):
        return "The game is over."
    rest = f", {view.turns_left} turns are left" if view.turns_left else ""
    return f"{player_name(int(view.mover)).capitalize()} is to {PHASES[view.phase]}{rest}."


def _players(view: RawPosition) -> Table:
    """Hands and followers; the sums of each magic, those that are controlled in brackets."""
    table = Table("", "hand", *(f"{letter} {name}" for letter, name in zip(MAGICS, MAGIC_NAMES, strict=True)), "points",
                  box=None, header_style="bold")  # fmt: skip
    highest = [max(_sums(view, magic)) for magic in range(deck.MAGICS)]
    for player in range(view.players):
        mine = [_sums(view, magic)[player] for magic in range(deck.MAGICS)]
        shown = [_sum(total, top) for total, top in zip(mine, highest, strict=True)]
        name = f"{'>' if player == view.mover else ' '} {player + 1}"
        table.add_row(name, _cards(hand_of(view, player)), *shown, str(rules.disappointment(view, player)))
        table.add_row("", "", *(_cards(_of_magic(view, player, magic)) for magic in range(deck.MAGICS)), "")
    return table


def _sums(view: RawPosition, magic: int) -> list[int]:
    return [int(deck.sum_of(int(view.followers[8 * player + magic]))) for player in range(view.players)]


def _sum(total: int, highest: int) -> str:
    if not total:
        return ""
    return f"[{total}]" if total == highest else str(total)


def _of_magic(view: RawPosition, player: int, magic: int) -> list[int]:
    return [card for card in followers_of(view, player) if card >> 4 == magic]
