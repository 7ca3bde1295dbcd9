"""`ludoteca play` with hidden cards: who sits at the screen sees what that seat may know, and no more."""

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from ludoteca.cli.play import Table
from ludoteca.core import registry
from ludoteca.core.game import Game

SEED = 3


class Screen(Console):
    """A terminal on which lines are typed that were chosen before."""

    def __init__(self, *lines: str) -> None:
        super().__init__(file=io.StringIO(), width=100, highlight=False)
        self._lines: Iterator[str] = iter(lines)

    def input(self, prompt: object = "", **_: object) -> str:
        self.print(prompt, markup=False)
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    def text(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def shown(people: set[int], *lines: str) -> str:
    screen = Screen(*lines)
    Table(Game(registry.find("cartas")), people, SEED, screen).play()
    return screen.text()


def hand(player: int) -> list[str]:
    """The cards that a player holds after the deal, as they are drawn."""
    game = Game(registry.find("cartas"))
    cards = game.new_initial_state(SEED).record.hands[player]
    notation = game.spec.module("notation")
    return [
        notation.action_to_string(game.new_initial_state(SEED).record, 1 << bit) for bit in range(56) if cards >> bit & 1
    ]


@pytest.mark.parametrize("seat", range(4))
def test_one_person_sees_the_own_hand_only(seat: int) -> None:
    text = shown({seat})
    assert all(
        (card in text) == (player == seat) for player in range(4) for card in [hand(player)[0]] if card not in told(text)
    )


def told(text: str) -> str:
    """What was said of the others' plays."""
    return "".join(line for line in text.splitlines() if " plays " in line or "on the table" in line)


def test_several_people_are_asked_before_a_hand_is_shown() -> None:
    text = shown({0, 1, 2, 3})
    assert "Player 1 alone at the screen?" in text
    assert not any(card in text for player in range(4) for card in hand(player))


def test_each_of_several_people_sees_the_own_hand() -> None:
    text = shown({0, 1, 2, 3}, "", "PASSO", "")
    first, second = text.split("Player 2 alone at the screen?")
    assert all(card in first for card in hand(0))
    assert all(card in second for card in hand(1))
    assert not any(card in first for card in hand(1))
    assert not any(card in second for card in hand(0))
