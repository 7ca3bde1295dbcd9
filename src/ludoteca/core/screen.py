"""What a game may draw in a terminal: its board. All the rest on the screen is the same for every game (`cli/screen.py`)."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import Message

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

Say: TypeAlias = Callable[[Message], str]
"""Puts a message of the game's catalogue into words, in the language that the person at the terminal has chosen."""


class Screens(Protocol):
    """A game's `screen.py`. It is given concealed positions, and shows nothing that is not in them."""

    @staticmethod
    def draw(view: RawPosition, highlighted: Collection[int], say: Say) -> "RenderableType":
        """The board with all that lies on it and around it, so that it can be read without colours.

        `highlighted` are the last actions played, as the seat saw them. Standings and task come from the scene.
        """

    @staticmethod
    def sign(view: RawPosition, player: int) -> "Text":
        """The sign by which the board tells the player's things from others', for the standings; empty for none."""
