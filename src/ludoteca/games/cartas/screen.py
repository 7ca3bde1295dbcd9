"""Cartas in a terminal: cards are written with their value and suit, so that colour is never the only sign."""

from collections.abc import Collection
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.cards import PASSO, WORDS
from ludoteca.games.cartas.combinations import VALUES
from ludoteca.games.cartas.notation import player_name as player_name  # part of what a screen has

HELP: Final = (
    "Get rid of your cards. Play a set of one to four cards of one value, a sequence of three or more consecutive values "
    "(A 2 3 .. 10 J C Q K), or a double sequence of three or more consecutive pairs; answer with the same kind and size "
    "whose highest card is higher (suits: ♠ ♥ ♦ ♣), or pass: PASSO. A king is also answered by four cards of one value or "
    "three pairs in sequence, two kings by four pairs, three kings by five. Who has made the last play, when three have "
    "passed, leads anew. Write cards such as 10♠ J♥, or with letters: 10e Jc (e ♠, c ♥, o ♦, p ♣)."
)

DARK: Final = "bold #000000 on #ffffff"
RED: Final = "bold #b00000 on #ffffff"
LIT: Final = "*"


def draw(view: RawPosition, lit: Collection[int] = ()) -> RenderableType:
    """The numbers of cards, the combination to answer, and the hand; the cards of the actions in `lit` are marked."""
    marked = 0
    for action in lit:
        marked |= action
    hands = [Text(f"{player_name(player)}: ") + _cards(int(view.hands[player])) for player in _seen(view)]
    return Group(_table(view), Text("on the table: ") + _on_table(view, marked), *hands)


def ending(view: RawPosition) -> str:
    """How the game ended."""
    for player in range(rules.PLAYERS):
        if view.sizes[player] == 0:
            name = player_name(player)
            return f"{name[0].upper()}{name[1:]} has played all cards and gets {sum(map(int, view.sizes))} points."
    return "All four have passed: the game is void, and nobody gets points."


def _seen(view: RawPosition) -> list[int]:
    return [player for player in range(rules.PLAYERS) if view.hands[player]]


def _table(view: RawPosition) -> Table:
    table = Table("", *map(player_name, range(rules.PLAYERS)), box=None, header_style="bold")
    table.add_row("cards", *(str(size) for size in view.sizes))
    table.add_row("to play", *("▲" if player == view.mover else "" for player in range(rules.PLAYERS)))
    return table


def _on_table(view: RawPosition, marked: int) -> Text:
    play = int(view.play)
    passes = f"  {PASSO} x {view.passes}" if view.passes else ""
    return (_cards(play, marked) if play else Text("nothing: anything may be led")) + Text(passes)


def _cards(cards: int, marked: int = 0) -> Text:
    text = Text()
    for value in range(VALUES):
        for card in members(cards & (15 << 4 * value)):
            sign = LIT if marked >> card & 1 else ""
            text.append(WORDS[card].replace(" ", "") + sign, RED if card % 4 in (1, 2) else DARK)
            text.append(" ")
    return text
