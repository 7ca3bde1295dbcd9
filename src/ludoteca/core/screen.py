"""The contract for drawing a game's board in a terminal. `cli/screen.py` draws the rest of the screen for all games."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import Message

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

Say: TypeAlias = Callable[[Message], str]
"""A function that translates a message of the game's catalogue into the user's language."""


class Screens(Protocol):
    """The contract of a game's `screen.py`. It receives concealed positions, and shows nothing else."""

    @staticmethod
    def draw(view: RawPosition, highlighted: Collection[int], say: Say) -> "RenderableType":
        """Return the board with all things on it and around it, readable without colours.

        `highlighted` are the last actions as the seat saw them. Standings and task come from the scene.
        """

    @staticmethod
    def small(view: RawPosition, highlighted: Collection[int], say: Say) -> "tuple[RenderableType, RenderableType]":
        """Return a smaller board, and the things around it. Optional.

        A terminal without room for the board of `draw` shows this one. It arranges board, things and standings itself.
        The text `screen.small` of the catalogue explains the signs of the small board if they are others.
        """

    @staticmethod
    def sign(view: RawPosition, player: int) -> "Text":
        """Return the sign of the player's things on the board, for the standings. Empty for none."""
