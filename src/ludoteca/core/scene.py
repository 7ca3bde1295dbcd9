"""What a seat sees of a game, as items with positions: painters draw it, and know no game.

A game's `scene.py` makes it from a concealed position (`Scenes` is the contract in words), its `sprites.svg` holds the
symbols, its `style.css` their colours. Lengths are in units of the game's choice; x goes right, y down, and an item's
place is its centre. The item that comes later lies above.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import Message


class Item(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that is drawn. Two scenes' items with the same id are the same thing, which has moved."""

    id: str
    """Unique in a scene. It tells no more than the seat may know: what is hidden is called by its place."""
    sprite: str
    """The id of a symbol in the game's `sprites.svg`; empty for a text alone."""
    x: float
    y: float
    w: float = 1
    h: float = 1
    angle: int = 0
    """Degrees, clockwise."""
    classes: str = ""
    """CSS classes, parted by blanks: `player-0` ... `player-9` colour it like a player, `last` marks the last move."""
    label: Message = ""
    """What a screen reader says of it; empty for what is only decoration."""
    text: str = ""
    """Drawn upon it: a number, a letter."""
    start: str = ""
    """The id of the item whence it comes when it is new, such as the pile that a card is drawn from."""


class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A legal action, and the items that one touches to play it.

    Touched in any order, they are the action: no two choices have the same set. One without touches is a button.
    """

    action: int
    touches: tuple[str, ...]
    label: Message = ""
    """Needed where there are no touches: what stands on the button."""


class Standing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player's line in the table of players."""

    player: int
    facts: tuple[tuple[Message, Message], ...]
    """Pairs of a heading and a value: the same headings for all players."""
    sprite: str = ""
    """The player's sign beside the name."""
    out: bool = False
    """True for one who does not play any more."""


class Scene(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that is drawn for a seat in a position."""

    width: float
    height: float
    items: tuple[Item, ...]
    standings: tuple[Standing, ...]
    task: Message
    """What the player to move has to do now, or how the game ended."""


class Scenes(Protocol):
    """A game's `scene.py`. It is given concealed positions, and tells nothing that is not in them."""

    @staticmethod
    def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
        """What `player` (-1: one who watches) sees. `highlighted` are the last actions played, as that seat saw them."""

    @staticmethod
    def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
        """One choice for each of the legal actions of the player, who is to move. Touches are items of `draw`."""

    @staticmethod
    def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
        """The action that touching these items means, when it is not legal and is to be refused with its reason.

        -1 when they mean none.
        """

    @staticmethod
    def describe(view: RawPosition, player: int, action: int) -> Message:
        """What the mover does, for the log and for who listens: `view` is what `player` saw before, `action` as seen.

        Without its subject, which the reader puts before it: "takes a b".
        """

    GUIDE: Sequence[tuple[Message, str]]
    """The rules of the game, a paragraph each, with a position (in notation; for the parameters' defaults or those of
    `GUIDE_PARAMETERS`) that shows it, or an empty text. `("guide.touch",)` is the paragraph that says what is touched on the
    page: terminals leave it out."""
    GUIDE_PARAMETERS: dict[str, Any]
