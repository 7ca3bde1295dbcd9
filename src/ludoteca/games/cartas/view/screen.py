"""Cartas in a terminal. Cards show their value and suit, so that colour is never the only sign."""

from collections.abc import Collection
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ludoteca.core.bits import members
from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT
from ludoteca.core.scene import Say
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.cards import WORDS
from ludoteca.games.cartas.combinations import VALUES
from ludoteca.games.cartas.view.scene import IDS

DARK: Final = "bold #000000 on #ffffff"
RED: Final = "bold #b00000 on #ffffff"
LIT: Final = "*"


def draw(view: RawPosition, marked: Collection[str], say: Say) -> RenderableType:
    """Return the combination to answer, with its marked cards, and the known hands."""
    play = int(view.play)
    table = Text(f"{say(('screen.table',))}: ") + _cards(play, marked) if play else Text(say(("label.free",)))
    passes = f"  {say(('bubble.pass',))} x {view.passes}" if view.passes else ""
    hands = [
        Text(f"{say((SEAT, player))}: ") + _cards(int(view.hands[player]))
        for player in range(rules.PLAYERS)
        if view.hands[player]
    ]
    return Group(table + Text(passes), *hands)


def _cards(cards: int, marked: Collection[str] = ()) -> Text:
    text = Text()
    for value in range(VALUES):
        for card in members(cards & (15 << 4 * value)):
            sign = LIT if IDS[card] in marked else ""
            text.append(WORDS[card].replace(" ", "") + sign, RED if card % 4 in (1, 2) else DARK)
            text.append(" ")
    return text
