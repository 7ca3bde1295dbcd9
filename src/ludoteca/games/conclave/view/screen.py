"""Draws Conclave in a terminal. Cards have the names of the notation, such as `p5g`, so that colour is never the
only sign.
"""

from collections.abc import Collection, Iterable
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.scene import Say
from ludoteca.games.conclave import deck, sets
from ludoteca.games.conclave.notation import MAGICS, card_name, followers_of, hand_of, influence_of, pile_of

COLOURS: Final = (
    "bold #ffffff on #0072b2",
    "bold #000000 on #e0c060",
    "bold #ffffff on #5d3a9b",
    "bold #ffffff on #8b0000",
    "bold #000000 on #e69f00",
    "bold #000000 on #009e73",
)
"""The styles of the magics: blue, ochre, purple, red, orange, green."""
HOLE: Final = "dim"


def draw(view: RawPosition, marked: Collection[str], say: Say) -> RenderableType:
    """Return the board, with its marked emissaries, and the piles next to the players' cards."""
    return Columns([Group(_board(view, marked), Text(), *_piles(view)), _players(view, say)], padding=(0, 4))


def small(view: RawPosition, marked: Collection[str], say: Say) -> tuple[RenderableType, RenderableType]:
    """Return the board and the piles, and the players' cards in few lines."""
    return Group(_board(view, marked), *_piles(view)), _players_in_few_lines(view)


def _board(view: RawPosition, marked: Collection[str]) -> Text:
    text = Text("     0    1    2    3\n")
    for row in range(sets.SIDE):
        text.append(f"{row}  ")
        for card in view.board[sets.SIDE * row : sets.SIDE * (row + 1)].tolist():
            _append_card(text, card, "*" if card_name(card) in marked else " ")
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
    """Yield the letter that draws from each pile, and the backs of the pile from the top."""
    for pile, name in enumerate(("◀ e", "d ▶")):
        yield Text(f"{name:<5}").append_text(_cards(pile_of(view, pile)))


def _players(view: RawPosition, say: Say) -> Table:
    """Return the players' hands and followers. A sum of a magic is in brackets if the player controls the magic."""
    magics = (f"{letter} {say((f'magic.{letter}',))}" for letter in MAGICS)
    table = Table("", "", *magics, box=None, header_style="bold")
    for player, sums in enumerate(_sums(view)):
        name = f"{'>' if player == view.mover else ' '} {player + 1}"
        table.add_row(name, _cards(hand_of(view, player)), *sums)
        followers = followers_of(view, player)
        table.add_row("", "", *(_cards(card for card in followers if card >> 4 == magic) for magic in range(deck.MAGICS)))
    return table


def _players_in_few_lines(view: RawPosition) -> Table:
    """Return the players' hands and followers in fewer lines: the sums are next to the followers, whose names lack the
    letter of their magic.
    """
    table = Table("", "", *MAGICS, box=None, header_style="bold", pad_edge=False, collapse_padding=True)
    for player, sums in enumerate(_sums(view)):
        cells = []
        for magic, shown in enumerate(sums):
            cell = Text(shown)
            for card in followers_of(view, player):
                if card >> 4 == magic:
                    cell.append(" ").append(card_name(card)[1:], COLOURS[magic])
            cells.append(cell)
        name = f"{'>' if player == view.mover else ' '} {player + 1}"
        table.add_row(name, _cards(hand_of(view, player)), *cells)
    return table


def _sums(view: RawPosition) -> list[list[str]]:
    """Return each player's sums of the magics, in brackets if the player controls the magic. Empty if it is 0."""
    sums = [influence_of(view, player) for player in range(view.players)]
    highest = [max(each) for each in zip(*sums, strict=True)]
    return [
        ["" if not total else f"[{total}]" if total == top else str(total) for total, top in zip(mine, highest, strict=True)]
        for mine in sums
    ]
