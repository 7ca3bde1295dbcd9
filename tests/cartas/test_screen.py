"""The drawing of cards in a terminal."""

from functools import partial

from rich.console import Console

import ludoteca
from ludoteca.core.bits import members
from ludoteca.core.messages import catalogue, in_words
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.view import screen

GAME = ludoteca.load("cartas")
SAY = partial(in_words, templates=catalogue("ludoteca.games.cartas", "en"))


def drawn(text: str, seat: int, marked: tuple[str, ...] = ()) -> str:
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        console.print(screen.draw(GAME.state_from_string(text).view(seat).raw, marked, SAY))
    return capture.get()


def test_the_own_hand_only_is_shown() -> None:
    text = drawn("5♠6♥/A♠2♥/A♥/K♦ 4♥ 2 1", 1, (f"c{members(cards.read('4♥')[0])[0]}",))
    assert text == "on the table: 4♥*   PASS x 2\nplayer 2: A♠ 2♥ \n"


def test_anything_may_be_led() -> None:
    assert drawn("5♠6♥/A♠2♥/A♥/K♦ - 0 1", -1) == "nothing to answer: lead any combination\n"
